"""Whatever is legal can be sent, however it is written; whatever else is sent breaks nothing."""

import re
from random import Random
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.game import Ply, Setup
from engine.through_the_desert import GAME
from engine.through_the_desert.moves import Camel, Leader, Remove
from notation import Fault, read_moves, write_moves
from pbem.mail.commands.parse_letter import LINES, ParsedLetter, parse_commands
from pbem.mail.commands.parse_moves import has_rivals, parse_turn
from pbem.mail.commands.submit_moves import Play
from pbem.tables.play import Pending

COLOURS = {
    "lilac": ("lilac", "L", "lila", "лиловый", "liliowy", "לילך"),
    "mint": ("mint", "M", "munt", "мятный", "miętowy", "מנטה"),
    "lemon": ("lemon", "Y", "citroen", "лимонный", "cytrynowy", "לימון"),
    "green": ("green", "G", "groen", "зелёный", "zielony", "ירוק"),
    "salmon": ("salmon", "S", "zalm", "лососевый", "łososiowy", "סלמון"),
}
LEADER = ("leader", "ld", "karavaanleider", "лидер", "przewodnik", "מוביל")
REMOVE = ("remove", "rm", "verwijder", "убрать", "usuń", "הסר")
PASS = ("pass", "pas", "пас", "פס")

WORDS_OF_ORDERS = ("press", "to", "all", "blue", "vacation", "2026-12-20", "plan", "undo", "resign", "accept", "end")
WORDS = (
    *WORDS_OF_ORDERS,
    "lilac",
    "F4",
    "salmon",
    "C9",
    "pass",
    "13.",
    "red:",
    ":",
    "{",
    "}",
    ">",
    "--",
    "?",
    "!",
    "и",
)


def spell(move: object, chance: Random) -> str:
    """A move as some player might write it."""
    if isinstance(move, Remove):
        return f"{chance.choice(REMOVE)} {chance.choice(COLOURS[move.colour])}"
    if isinstance(move, Leader):
        return f"{chance.choice(LEADER)} {place(move.colour, move.space, chance)}"
    if isinstance(move, Camel):
        return place(move.colour, move.space, chance)
    return chance.choice(PASS)


def place(colour: str, space: str, chance: Random) -> str:
    word = chance.choice([*COLOURS[colour], *map(str.upper, COLOURS[colour])])
    return word + chance.choice([" ", ": ", " -> ", "-", " – ", "  ", "="]) + chance.choice([space, space.lower()])


def positions(seed: int, players: int, *, count: int) -> list[Any]:
    """Some positions of a random game."""
    chance = Random(seed)

    class Dice:
        """Picks as the test's own generator does."""

        def pick(self, count: int, purpose: str) -> int:
            return chance.randrange(count)

    position: Any = GAME.start(GAME.lay_out(Setup(GAME.seats[:players]), Dice()))
    found = []
    while GAME.to_act(position):
        found.append(position)
        position = GAME.apply(position, chance.choice(list(GAME.legal(position))))
    return chance.sample(found, count)


@pytest.mark.parametrize("players", GAME.players)
def test_every_legal_ply_is_read_back_however_it_is_written(players: int) -> None:
    chance = Random(players)
    read = 0
    for position in positions(players, players, count=5):
        for _, move in GAME.legal(position):
            canonical = write_moves(GAME, (move,))
            for text in (canonical, canonical.upper(), spell(move, chance), f"move: {spell(move, chance)}"):
                assert parse_commands(text, game=GAME).commands == (Play(canonical),), text
                read += 1
    assert read > 100


@pytest.mark.parametrize("players", GAME.players)
def test_a_turn_of_two_camels_may_stand_on_one_line_or_on_two(players: int) -> None:
    chance = Random(f"two camels {players}")
    read = 0
    for position in positions(players + 10, players, count=20):
        first = chance.choice(list(GAME.legal(position)))
        after = GAME.apply(position, first)
        seconds = [ply for ply in GAME.legal(after) if ply.seat == first.seat] if GAME.to_act(after) else []
        for second in chance.sample(seconds, min(3, len(seconds))):
            canonical = write_moves(GAME, (first.move, second.move))
            one, other = spell(first.move, chance), spell(second.move, chance)
            for text in (f"{one}\n{other}", f"{one}\n\n{other}!", f"- {one}\n- {other}", f"{one}, {other}"):
                assert parse_commands(text, game=GAME).commands == (Play(canonical),), text
                read += 1
    assert read >= 4


def played(parsed: ParsedLetter) -> list[Ply]:
    return [
        Ply("red", move) for command in parsed.commands if isinstance(command, Play) for move in moves_of(command.text)
    ]


def moves_of(text: str) -> tuple[object, ...]:
    moves = read_moves(GAME, text)
    assert not isinstance(moves, Fault)
    return moves


def check(words: str) -> None:
    """What holds for every letter there is."""
    parsed = parse_commands(words, game=GAME)
    assert (parsed.question is None) == bool(parsed.commands)
    assert parsed.question is None or parsed.question.detail
    lines = re.split(r"\r\n|\r|\n", words)  # the line ends of mail, and no others
    told = sorted([*parsed.read, *(unread.line for unread in parsed.unread)])
    if parsed.question is None or parsed.question.rule.code != "PO-L5":
        assert len(told) == len(set(told))
        assert {number for number, line in enumerate(lines, start=1) if line.strip(" \t")} >= set(told)
        assert all(line in told for line, text in enumerate(lines, start=1) if any(map(str.isalnum, text)))
    assert all(unread.question is None for unread in parsed.unread) or parsed.question is not None
    # Whatever is played stands in the letter's own words.
    for move in played(parsed):
        assert getattr(move.move, "space", "").lower() in words.lower().replace("0", "") or "0" in words


@given(st.text(max_size=300))
def test_no_letter_is_too_odd(words: str) -> None:
    check(words)


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=12).map("\n".join))
def test_no_heap_of_our_own_words_is_too_odd(words: str) -> None:
    check(words)


HEAPS = {
    "commas": "if legal x" + "," * 8100,
    "conditions": "if legal " + "else " * 1600,
    "nearly moves": "\n".join(["lilca F4"] * LINES),
    "nearly orders": "\n".join(["vacatoin word"] * LINES),
    "spaces of a board": "a1 " * 2700,
    "colours": "lilac " * 1300,
    "days": "vacation " + "2026-12-20 " * 700,
    "words between": "i " * 4000,
    "prefixes": "ל" * 8000,
    "brackets": "(" * 8000,
    "dashes": "-a " * 2700,
    "strokes": "lilac -F4 " * 800,
    "blanks": "plan none" + " " * 8000 + "x",
    "braces": "press to all: {" + "\n}x" * 190,
}


@pytest.mark.parametrize("heap", HEAPS)
def test_no_letter_keeps_the_post_busy(heap: str) -> None:
    parse_commands("help", game=GAME)
    begin = perf_counter()
    check(HEAPS[heap])
    assert perf_counter() - begin < 5, "some hundredths of a second are usual"


@pytest.mark.parametrize(("fits", "rivals"), [(True, False), (False, True)])
def test_two_moves_to_one_place_are_no_rivals_if_one_between_them_makes_room(*, fits: bool, rivals: bool) -> None:
    written = "6 M14-K10, 5 K10-K15, 6 I14-K10, take I10"
    nomadi = registry.find_game("nomadi")
    assert nomadi is not None
    turn = parse_turn(nomadi, written)
    assert turn is not None
    whole = write_moves(nomadi, turn.moves[:3])
    pending = Pending(has_votes=False, allows=lambda text: "," not in text, settles=lambda text: fits and text == whole)
    assert has_rivals(nomadi, turn, pending) is rivals


@pytest.mark.parametrize(
    ("key", "written"),
    [
        ("nomadi", "6 E10-B7, 4 E9-A9, take C7, 4 D10-D6"),
        ("nomadi", "6 J9-G6, take F3, 5 J8-G6, take C7"),
        ("nomadi", "leave C7, take F3"),
        (
            "brotherhood",
            "trade 3 wool: 1 lumber, mormont wool from red for ore from blue for ore, trade 3 wool: 1 brick",
        ),
    ],
)
def test_moves_after_one_that_shows_something_are_no_rivals(key: str, written: str) -> None:
    game = registry.find_game(key)
    assert game is not None
    turn = parse_turn(game, written)
    assert turn is not None
    pending = Pending(
        has_votes=False,
        allows=lambda text: "," not in text,
        settles=lambda text: text == "leave C7, take F3",
        shows=lambda text: text == written,
    )
    assert not has_rivals(game, turn, pending)
    assert has_rivals(game, turn, pending._replace(settles=lambda text: False, shows=lambda text: False))


def test_yes_and_no_to_one_offer_are_rivals_though_a_yes_shows_the_card() -> None:
    nomadi = registry.find_game("nomadi")
    assert nomadi is not None
    turn = parse_turn(nomadi, "take F3, leave F3")
    assert turn is not None
    pending = Pending(
        has_votes=False,
        allows=lambda text: True,
        settles=lambda text: "," not in text,
        shows=lambda text: text.startswith("take F3, "),
    )
    assert has_rivals(nomadi, turn, pending)
