"""Editions: what stands in a book of a game, in which words, and that nothing of it is believed or let out."""

import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

import pytest

from notation import ANNOTATION, COMMENT, GLYPH, VARIATION, Record, Remark, read_text, write_record
from pbem.books.book_page import write_edition
from pbem.books.chapter import write_chapter
from pbem.books.chapter_parts import Chapter
from pbem.books.remarks import Place, add_remark, make_remark, parse_place
from pbem.cli.sample import make
from pbem.locale.catalogues import ENGLISH, find_locale
from tests.known_games import known_game

KEYS = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")
LANGUAGES = ("en", "he", "nl", "pl", "ru")
GAMES = {key: make(known_game(key), 3, "edition") for key in KEYS}
NASTY = '</p><script>alert(1)</script>" onload="x" \u202e{{ 7*7 }} &lt;'


def remarked(record: Record, at: str, kind: str, text: str) -> Record:
    place, remark = parse_place(at, record), make_remark(kind, text, record)
    assert isinstance(place, Place)
    assert isinstance(remark, Remark)
    added = add_remark(record, place, remark)
    assert isinstance(added, Record)
    return added


def chapter_of(record: Record, code: str = "en", **options: Any) -> Chapter:
    made = write_chapter(record, find_locale(code), **options)
    assert isinstance(made, Chapter)
    return made


class Page(HTMLParser):
    """What a browser makes of a page: its elements, their attributes and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "img", "source", "hr"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_game_makes_a_whole_page_in_every_language(key: str, code: str) -> None:
    record = GAMES[key]
    chapter = chapter_of(record, code, boards=1)
    page = Page(write_edition([chapter], find_locale(code)))
    assert page.tags.count("article") == 1
    told = [entry for block in chapter.blocks if block.kind == "moves" for entry in block.entries]
    numbers = [int(entry.label) for entry in told if entry.label]
    assert numbers == list(range(1, max(numbers) + 1)), "every turn has its number once, in order"
    if code == "en":
        assert "leader" in page.text or key != "through-the-desert"
    elif key == "through-the-desert":
        move = next(part for entry in told for part in entry.clauses)
        assert move.words != move.notation
        assert {move.words, move.notation} <= set(re.split(r"\s{2,}|\n", page.text)) | {move.words, move.notation}
        assert move.notation in page.text


def test_words_of_our_own_are_translated_in_every_language() -> None:
    english = Page(write_edition([chapter_of(GAMES["nomadi"])], ENGLISH)).text
    ours = ("Player", "Points by turn", "The last board", "This record carries no seal.", "Fingerprint of the record")
    assert all(words in english for words in ours)
    for code in LANGUAGES[1:]:
        text = Page(write_edition([chapter_of(GAMES["nomadi"], code)], find_locale(code))).text
        assert not [words for words in ours if words in text]


def test_boards_stand_where_they_are_marked_and_nowhere_else() -> None:
    record = remarked(GAMES["through-the-desert"], "20", ANNOTATION, "diagram")
    record = remarked(record, "31", ANNOTATION, "diagram")
    captions = [block.board.caption for block in chapter_of(record).blocks if block.kind == "board"]
    assert captions == ["After turn 20", "After turn 31", "The last board"]
    last = len(record.entries)
    none = remarked(record, f"#{last}", ANNOTATION, "diagram no")
    assert [block.kind for block in chapter_of(none).blocks].count("board") == 2


@pytest.mark.parametrize("key", KEYS)
def test_key_moments_are_chosen_where_nobody_marked_any(key: str) -> None:
    record = GAMES[key]
    for boards in (0, 1, 3):
        shown = [block.board.caption for block in chapter_of(record, boards=boards).blocks if block.kind == "board"]
        assert len(shown) <= boards + 1
        assert shown[-1] == "The last board"
    chosen = [int(caption.split()[-1]) for caption in shown[:-1]]
    assert chosen
    last = max(entry.number or 0 for entry in record.entries)
    assert all(last // 10 < turn < last - 1 for turn in chosen)


def test_a_moment_that_is_marked_as_none_is_not_chosen() -> None:
    record = GAMES["through-the-desert"]
    first = next(block.board.caption for block in chapter_of(record, boards=1).blocks if block.kind == "board")
    record = remarked(record, first.split()[-1], ANNOTATION, "diagram no")
    captions = [block.board.caption for block in chapter_of(record, boards=1).blocks if block.kind == "board"]
    assert first not in captions


def test_comments_signs_and_variations_stand_where_they_were_written() -> None:
    record = remarked(GAMES["through-the-desert"], "20", GLYPH, "!?")
    record = remarked(record, "20", COMMENT, "first\nsecond")
    record = remarked(record, "20", VARIATION, "20. red: pass {not so good}")
    record = remarked(record, "end", COMMENT, "a fine game")
    blocks = chapter_of(record).blocks
    order = [block.kind for block in blocks]
    at = order.index("comment")
    assert order[at - 1 : at + 2] == ["moves", "comment", "variation"]
    before = blocks[at - 1]
    assert before.kind == "moves"
    assert before.entries[-1].label == "20"
    assert before.entries[-1].clauses[-1].signs == ("!?",)
    page = Page(write_edition([chapter_of(record)], ENGLISH))
    assert page.text.index("first\nsecond") < page.text.index("not so good") < page.text.index("a fine game")


def test_a_variation_that_can_be_played_has_a_board_if_somebody_explains_it() -> None:
    record = GAMES["through-the-desert"]
    other = next(entry for entry in record.entries if entry.number == 20)
    from notation import write_moves

    moves = write_moves(known_game("through-the-desert"), other.moves)
    for text, has_board in ((f"20. {other.who}: {moves} {{so}}", True), (f"20. {other.who}: {moves}", False)):
        made = chapter_of(remarked(record, "20", VARIATION, text))
        [variation] = [block for block in made.blocks if block.kind == "variation"]
        assert (variation.board is not None) == has_board


def test_hostile_words_stay_words() -> None:
    record = GAMES["through-the-desert"]
    headers = tuple(
        (name, NASTY if name in ("Id", "Seat.red", "Seat.blue") else value) for name, value in record.headers
    )
    record = Record((*headers, ("Annotator", NASTY), ("Event", NASTY)), record.entries)
    for at in ("start", "20", "end"):
        record = remarked(record, at, COMMENT, NASTY)
    record = remarked(record, "21", VARIATION, f"21. red: pass {{{NASTY.replace('{', '').replace('}', '')}}}")
    [again] = read_text(write_record(record))
    assert again.record == record
    page = write_edition([chapter_of(record), chapter_of(record)], ENGLISH, title=NASTY)
    seen = Page(page)
    assert "script" not in seen.tags
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert not [
        value for name, value in seen.attributes if name in ("src", "srcset") and not str(value).startswith("data:")
    ]
    pictures = [unquote(str(value)) for name, value in seen.attributes if name in ("src", "srcset")]
    assert pictures
    assert not [each for each in pictures if "<script" in each]
    assert not [value for name, value in seen.attributes if name == "srcset" and re.search(r"[\s,]", str(value)[19:])]
    assert "default-src 'none'" in page


def test_several_games_make_one_book_with_contents() -> None:
    chapters = [chapter_of(GAMES[key]) for key in KEYS]
    page = Page(write_edition(chapters, ENGLISH, title="Winter"))
    assert page.tags.count("article") == len(KEYS)
    targets = [str(value)[1:] for name, value in page.attributes if name == "href"]
    names = [value for name, value in page.attributes if name == "id" and str(value).startswith("game-")]
    assert targets == names
    assert len(names) == len(KEYS)


def test_a_page_has_points_of_every_turn_and_every_player() -> None:
    chapter = chapter_of(GAMES["through-the-desert"])
    assert {seat: points[-1][1] for seat, points in chapter.points.items()} == {
        each.seat: each.points for each in chapter.players
    }


def test_boards_call_players_by_their_names_in_every_language() -> None:
    record = GAMES["through-the-desert"]
    headers = tuple((name, "Anna" if name == "Seat.red" else value) for name, value in record.headers)
    for code in LANGUAGES:
        board = next(
            block.board for block in chapter_of(Record(headers, record.entries), code).blocks if block.kind == "board"
        )
        assert ">Anna<" in board.svg


def test_a_game_that_is_refused_makes_no_chapter() -> None:
    record = GAMES["through-the-desert"]
    spoiled = Record(record.headers, record.entries[:20] + record.entries[21:])
    made = write_chapter(spoiled, ENGLISH)
    assert not isinstance(made, Chapter)
    assert made.replayed.refusal is not None
