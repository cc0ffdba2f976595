"""Letters as people write them are played, pencilled or asked about as a careful person would.

`docs/reading-letters.md` keeps the figures by language. Nobody had looked at the letters of `held.json` when the
reader was made, nor at those of `held2.json` when they were first measured.
Those of `hard.json` are harder than most: they are there for what must never happen.
"""

from collections import Counter
from pathlib import Path

import pytest

from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import LineMeaning
from pbem.mail.commands.letter_line import LineContext
from pbem.mail.commands.parse_letter import MOVES, parse_commands, parse_letter
from pbem.mail.commands.parse_line import parse_line
from pbem.mail.commands.submit_moves import Play
from tests.pbem.mail.commands.fresh_letters import (
    ASKED,
    FOLDER,
    PENCILLED,
    PLAYED,
    Figures,
    judge_letters,
    load,
    moment,
    pending,
)

FILES = sorted(path.name for path in FOLDER.glob("*.json") if path.name not in ("hard.json", "held3.json"))
WORDS_AGAINST_NOTATION = {"open4.json": 1 / 15}
"""Which share of contradictory letters is played: one whose words give its number as an inflected Polish noun."""

PENCILLED_AT_MOST = {"open6.json": 0.25}
"""Which share of plain letters is pencilled, where it is more than elsewhere: three letters say their move twice."""


@pytest.fixture(scope="module", params=FILES)
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def figures(name: str) -> Figures:
    return judge_letters(name)


def test_there_are_letters_in_five_languages_and_four_games() -> None:
    letters = load("open.json")
    assert len(letters) == 150
    assert set(Counter(letter.language for letter in letters)) == {"en", "nl", "pl", "ru", "he"}
    assert {letter.moment for letter in letters} == {"td", "no", "bb", "bbo", "bw"}


def test_no_withdrawn_move_is_played_and_few_are_pencilled(figures: Figures) -> None:
    assert figures.share("stop", PLAYED) == 0
    assert figures.share("stop", PENCILLED) <= 0.05


def test_no_contradictory_letter_is_played_but_for_those_whose_notation_is_clear(name: str, figures: Figures) -> None:
    assert figures.share("ask", PLAYED) <= WORDS_AGAINST_NOTATION.get(name, 0)


def test_hard_letters_play_nothing_that_was_not_meant() -> None:
    figures = judge_letters("hard.json")
    assert (figures.share("stop", PLAYED), figures.share("ask", PLAYED), figures.wrong) == (0, 0, ())
    assert figures.share("stop", PENCILLED) <= 0.05
    assert figures.share("plain", PLAYED, PENCILLED) >= 0.8


def test_letters_that_nobody_has_looked_at_since_play_no_withdrawn_move() -> None:
    """`held3.json` was measured and nothing was done for it, so it says what to expect of letters to come."""
    figures = judge_letters("held3.json")
    assert figures.share("stop", PLAYED) == 0
    assert figures.share("stop", PENCILLED) <= 0.05
    assert figures.share("plain", PLAYED, PENCILLED) >= 0.85


def test_plain_moves_are_played_or_pencilled(name: str, figures: Figures) -> None:
    assert figures.share("plain", PLAYED, PENCILLED) >= 0.9
    assert figures.share("plain", PENCILLED) <= PENCILLED_AT_MOST.get(name, 0.2)


@pytest.mark.parametrize("language", ["en", "nl", "pl", "ru", "he"])
def test_it_is_so_in_every_language(figures: Figures, language: str) -> None:
    assert figures.share("plain", PLAYED, PENCILLED, language=language) >= 0.8


def test_no_letter_plays_another_move_than_the_one_written(figures: Figures) -> None:
    assert figures.wrong == ()


def test_a_question_gives_the_own_move_back(figures: Figures) -> None:
    offered, asked = figures.own_move_back
    assert offered >= 0.65 * asked


def test_the_table_in_the_documentation_is_what_is_measured(root: Path) -> None:
    text = (root / "docs/reading-letters.md").read_text("utf-8")
    for name in (*FILES, "hard.json", "held3.json"):
        assert "\n".join(judge_letters(name).rows()) in text


@pytest.mark.parametrize(
    ("name", "seat", "text"),
    [
        ("td", "red", "Only salmon for me today: mint D4, lilac A3"),
        ("td", "red", "vandaag alleen zalm: mint D4, lila A3"),
        ("bb", "red", "North it is, I connect up to 6. road 30-37, end"),
        ("bw", "red", "Just a road today: guard 3, end"),
        ("bbo", "blue", "It's a deal, Anna! decline red"),
        ("bbo", "blue", "Отличное предложение, беру! отклоняю"),
        ("bbt", "red", "Boris is in the lead, so here goes: tormund G yellow"),
    ],
)
def test_words_that_name_something_else_than_the_move_make_it_pencilled(name: str, seat: str, text: str) -> None:
    parsed = parse_commands(text, game=moment(name).game, pending=pending(name, seat))
    assert parsed.commands == ()
    assert parsed.pencilled or parsed.question is not None


@pytest.mark.parametrize(
    ("name", "seat", "text"),
    [
        ("td", "red", "Good morning, more mint today: mint D4, lilac A3"),
        ("bb", "red", "Back at 18:30, take care! road 30-37, end"),
        ("bb", "red", "Call me on +31 6 12345678. road 30-37, end"),
        ("bw", "red", "A guard today: guard 3, end"),
        ("bbo", "blue", "It's a deal, Anna! accept red"),
        ("bbt", "red", "Sorry Boris! tormund G blue"),
    ],
)
def test_words_that_name_the_same_or_nothing_of_the_game_do_no_harm(name: str, seat: str, text: str) -> None:
    assert parse_commands(text, game=moment(name).game, pending=pending(name, seat)).commands


@pytest.mark.parametrize(
    ("name", "seat", "text", "moves"),
    [
        ("td", "red", "lilac \u0412\u0035, lilac \u0410\u0036", "lilac B5 A6"),
        ("td", "red", "\u0391\u0033 lilac \u0391\u0033, mint D7", None),
        ("td", "red", "lilac \u0391\u0033, mint D7", "lilac A3, mint D7"),
        ("td", "red", "lilac \u0420\u0035, mint D7", None),  # P5 and R5 are both places of this board
        ("td", "red", "1. lilac A3\n2. mint D7", "lilac A3, mint D7"),
        ("td", "red", "1. lilac A3 / 2. mint D7", "lilac A3, mint D7"),
        ("td", "red", "1) lilac A3, 2) mint D7", "lilac A3, mint D7"),
        ("td", "red", "2. lilac A3\n3. mint D7", None),
        ("no", "red", "N14-J15", "5 N14-J15"),
        ("no", "red", "Hi Boris, N14-J15 please", "5 N14-J15"),
        ("no", "red", "5 N14-J15, end\n6 L17-K12, end", None),
        ("no", "red", "6 L17-K12\n\n6 L17-J13", None),
        ("bb", "red", "road 10-16\nend\nThanks, Anna", "road 10-16, end"),
        ("bb", "red", "road 10-16\nend\nno, ignore this please", None),
        ("bb", "red", "road 10-16, end\nroad 23-30, end", None),
        ("bb", "red", "offer 1 lumber for 1 wool to Boris", "offer 1 lumber for 1 wool to blue"),
        ("bbo", "blue", "accept Anna", "accept red"),
        ("bbo", "blue", "offer 1 lumber for 1 grain", "offer 1 lumber for 1 grain to red"),
        ("bbo", "blue", "odrzucam", "decline"),
        ("bb", "red", "road 10-16 and then end", "road 10-16, end"),
        ("bb", "red", "road 10-16\nand then end", "road 10-16, end"),
        ("bb", "red", "road 10-16\nthen end, see you", "road 10-16, end"),
        ("bb", "red", "Hi all,\nroad 10-16, end and good night\nAnna", "road 10-16, end"),
        ("bw", "red", "\u05d0\u05e0\u05d9 \u05e9\u05de\u05d4 guard 3, end \u05ea\u05d5\u05d3\u05d4", "guard 3, end"),
        ("bws", "red", "Беру settlement 19, road 19-25 и всем удачи", "settlement 19, road 19-25"),
    ],
)
def test_what_has_one_reading_at_its_moment_is_read(name: str, seat: str, text: str, moves: str | None) -> None:
    parsed = parse_commands(text, game=moment(name).game, pending=pending(name, seat))
    assert parsed.commands == ((Play(moves),) if moves is not None else ())
    assert (parsed.question is None) == (moves is not None)


@pytest.mark.parametrize(
    "words",
    ["guard 3, end so that is that", "guard 3 so I end it there", "guard 3\nend so that is me", "guard 3. End it is"],
)
def test_a_word_that_may_be_the_rest_of_a_turn_is_never_dropped(words: str) -> None:
    """It is asked about, with both turns to choose from: else only part of what was written would be played."""
    parsed = parse_commands(words, game=moment("bw").game, pending=pending("bw", "red"))
    assert (parsed.commands, parsed.pencilled) == ((), ())
    assert parsed.question is not None
    assert parsed.question.suggests == ("guard 3, end", "guard 3")


@pytest.mark.parametrize(
    ("words", "moves"), [("guard 3. In the end I like it", "guard 3"), ("guard 3, done for today", "guard 3, end")]
)
def test_such_a_word_is_talk_in_a_later_sentence_and_the_end_before_today(words: str, moves: str) -> None:
    parsed = parse_commands(words, game=moment("bw").game, pending=pending("bw", "red"))
    assert [play.text for play in parsed.plays] == [moves]


@pytest.mark.parametrize(
    "words",
    [
        "tormund goes to H, blue pays",
        "Nothing personal, well, maybe a little: tormund goes to H, blue pays.",
        "Good evening all,\nTormund moves to H and robs blue.\nAnna",
    ],
)
def test_tormund_is_moved_in_a_sentence(words: str) -> None:
    parsed = parse_commands(words, game=moment("bbt").game, pending=pending("bbt", "red"))
    assert [play.text for play in parsed.plays] == ["tormund H blue"]


@pytest.mark.parametrize(
    "greeting", ["Hello Boris,", "Hoi allemaal", "Cześć wszystkim!", "Всем привет!", "שלום לכולם,"]
)
def test_a_greeting_on_its_own_line_changes_nothing(greeting: str) -> None:
    parsed = parse_commands(f"{greeting}\n\nguard 3, end", game=moment("bw").game, pending=pending("bw", "red"))
    assert parsed.commands == (Play("guard 3, end"),)


@pytest.mark.parametrize("words", ["but only if Boris agrees", "let me think", "or maybe not"])
def test_nothing_is_played_at_once_beside_a_known_doubt(words: str) -> None:
    parsed = parse_commands(f"guard 3, end, {words}", game=moment("bw").game, pending=pending("bw", "red"))
    assert parsed.commands == ()


def test_an_offer_to_all_stays_one_to_all() -> None:
    said = "offer 1 lumber for 1 grain to any"
    assert parse_commands(said, game=moment("bbo").game, pending=pending("bbo", "blue")).commands == (Play(said),)


def test_what_may_have_been_meant_is_only_said_where_it_can_be_played() -> None:
    for text, suggests, meant in (
        ("lilca A3, mint D7", ("lilac A3, mint D7",), "lilac"),
        ("lilca A1, mint D7", (), ""),
    ):
        parsed = parse_commands(text, game=moment("td").game, pending=pending("td", "red"))
        assert parsed.question is not None
        assert parsed.question.suggests == suggests
        fault = parsed.unread[0].fault
        assert fault is not None
        assert fault.meant == meant


def test_asked_letters_do_nothing() -> None:
    for letter in load("open.json"):
        parsed = parse_commands(
            letter.text, game=moment(letter.moment).game, pending=pending(letter.moment, letter.seat)
        )
        assert (parsed.question is None) != (parsed.commands == ()), ASKED


def test_a_text_and_an_html_that_say_different_moves_are_a_question() -> None:
    at, asked = moment("td"), pending("td", "red")
    assert at.game is not None
    both = parse_letter("lilac A3, mint D7", "mint D4, salmon P5", game=at.game, pending=asked)
    assert both.question is not None
    assert (both.commands, both.question.suggests) == ((), ("lilac A3, mint D7", "mint D4, salmon P5"))
    for shown in ("", "lilac A3,\nmint D7", "Hello!"):
        assert parse_letter("lilac A3, mint D7", shown, game=at.game, pending=asked).question is None


def test_two_names_in_one_move_are_both_understood() -> None:
    words = "mormont lumber from Boris for wool from Anna for grain"
    parsed = parse_commands(words, game=moment("bw").game, pending=pending("bw", "red"))
    assert parsed.commands == (Play("mormont lumber from blue for wool from red for grain"),)


def test_a_letter_that_leaves_out_very_much_is_not_filled_in() -> None:
    tried: list[str] = []

    def allows(text: str) -> bool:
        tried.append(text)
        return False

    at = pending("no", "red")._replace(allows=allows)
    parse_commands("D4-D5", game=moment("no").game, pending=at)
    assert any(text.endswith(" D4-D5") for text in tried)
    tried.clear()
    parse_commands("D4-D5\n" * 150, game=moment("no").game, pending=at)
    assert tried == []


def test_only_the_first_lines_that_look_like_moves_are_explained() -> None:
    parsed = parse_commands("roda 3-4\n" * 100, game=moment("bw").game, pending=pending("bw", "red"))
    assert {unread.why for unread in parsed.unread} == {letter_rules.L1}
    explained = [unread.fault is not None for unread in parsed.unread]
    assert explained == [True] * 12 + [False] * 88


def test_lines_behind_too_many_moves_are_not_read() -> None:
    parsed = parse_commands("road 3-4\n" * 100, game=moment("bw").game, pending=pending("bw", "red"))
    assert parsed.question is not None
    assert parsed.question.rule == letter_rules.L5
    assert (len(parsed.read), {unread.why for unread in parsed.unread}) == (MOVES + 1, {letter_rules.L5})


def test_prose_that_stands_often_in_a_letter_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def count(context: LineContext) -> LineMeaning:
        read.append(context.line.text)
        return parse_line(context)

    monkeypatch.setattr("pbem.mail.commands.parse_letter.parse_line", count)
    at, asked = moment("bw"), pending("bw", "red")
    assert at.game is not None
    lines = ["guard 3, end", *["Thank you for the game"] * 50, *["It rains here, and I like it"] * 50]
    parsed = parse_letter("\n".join(lines), "\n".join([*lines, "Anna"]), game=at.game, pending=asked)
    assert parsed.plays == [Play("guard 3, end")]
    assert [unread.line for unread in parsed.unread] == list(range(2, 102))
    assert Counter(read) == Counter({"guard 3, end": 2, lines[1]: 1, lines[-1]: 1, "Anna": 1})


@pytest.mark.parametrize(
    ("name", "seat", "text", "moves"),
    [
        ("bbt", "red", "Tormund to N, and I steal from blue.", "tormund N blue"),
        ("bbt", "red", "Tormund naar K, ik steel van geel.", "tormund K yellow"),
        ("bbt", "red", "Tormund na D, kradn\u0119 od niebieskiego.", "tormund D blue"),
        ("bbt", "red", "Тормунд на D, краду у Бориса.", "tormund D blue"),
        ("bbt", "red", "טורמונד ל-D וגונבת מכחול", "tormund D blue"),
        ("bbo", "blue", "I accept red's offer", "accept red"),
        ("bbo", "blue", "Przyjmuję ofertę czerwonej.", "accept red"),
        ("bbo", "blue", "Отказываюсь от предложения красных.", "decline red"),
        ("bbo", "blue", "מסרב להצעה של האדום", "decline red"),
        ("bw", "red", "דרך 13-19 וסיימתי את התור.", "road 13-19, end"),
        ("bb", "red", "דרך 18-24\nסיום תור", "road 18-24, end"),
        ("bb", "red", "Nic nie kupuję, zbieram na większe zakupy. Koniec tury.", "end"),
        ("nop", "red", "שימו לי אבן ב-M17 ותודה מראש.", "place M17"),
    ],
)
def test_moves_said_in_a_sentence_are_read_whole(name: str, seat: str, text: str, moves: str) -> None:
    parsed = parse_commands(text, game=moment(name).game, pending=pending(name, seat))
    assert [play.text for play in parsed.plays] == [moves]


_TOLD = "Marsh turns wool into brick, then flip him, and a {}, then I'm done:\n\nmarsh wool: {}\nflip\nroad 44-47\nend"


@pytest.mark.parametrize(
    ("text", "is_pencilled"),
    [
        (_TOLD.format("road", "brick"), True),
        (_TOLD.format("settlement", "brick"), False),
        (_TOLD.format("road", "ore"), False),
    ],
)
def test_a_line_that_tells_the_same_turn_again_is_talk_and_no_other(text: str, is_pencilled: bool) -> None:
    parsed = parse_commands(text, game=moment("bwh").game, pending=pending("bwh", "red"))
    assert parsed.commands == ()
    assert bool(parsed.pencilled) == is_pencilled


@pytest.mark.parametrize(
    ("name", "seat", "text"),
    [
        ("bwh", "red", "I don't use Marsh this time\n\nmarsh wool: ore, swap ygritte"),
        ("bbt", "red", "Ik wil vandaag niemand bestelen.\n\ntormund N blue"),
        ("bws", "red", "Поселение ставлю на двойку.\n\nsettlement 46, road 43-46"),
        ("bb", "red", "I go on without building anything\n\nroad 18-24"),
    ],
)
def test_a_move_that_its_words_deny_is_not_played_at_once(name: str, seat: str, text: str) -> None:
    assert parse_commands(text, game=moment(name).game, pending=pending(name, seat)).commands == ()
