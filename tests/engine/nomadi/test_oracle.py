"""The engine and a slow, literal oracle of the rules agree, ply by ply, on random games of every temper.

``CARAVAN_GAMES`` says how many games are played in all (100 unless set); every game follows from its number.
"""

import os
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.nomadi.moves import Step
from tests.oracle.nomadi import nomadi_duel, nomadi_map
from tests.oracle.nomadi import nomadi_oracle as oracle
from tests.oracle.nomadi import nomadi_playouts as playouts
from tests.oracle.nomadi.nomadi_codes import CODES
from tests.oracle.nomadi.nomadi_map import NAME, SQUARE
from tests.oracle.nomadi.nomadi_table import start

GAMES = int(os.environ.get("CARAVAN_GAMES", "100"))
PLAYERS = (2, 3, 4, 5)
CHUNKS = 2
CARDS = "A10 A11 A12 A13 A14 A15"

REACHED = {
    playouts.march: {"stone 3 home", "stone 3 home with a foreign stone", "ended with dice left"},
    playouts.roam: {"first over the ravine", "right by chance", "coins given"},
    playouts.herd: {"last over the ravine", "last out of the start with a foreign stone"},
    playouts.seek: {"waterhole", "waterhole with a foreign stone", "card on a plain square with a foreign stone"}
    | {"answered while throwing", "answered while looking", "coins given before a throw or a card"},
    playouts.squander: {"debt", "dead throw", "taken in a later turn", "left in a later turn"},
    playouts.scatter: {"turn ended early", "taken in the same turn", "left in the same turn"},
}
"""What each temper is there for: its games must really get there."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("temper", playouts.TEMPERS, ids=lambda temper: temper.__name__)
def test_engine_and_oracle_agree_on_every_ply(temper: Any, chunk: Any) -> None:
    reached: Counter[str] = Counter()
    games = -(-GAMES // (len(playouts.TEMPERS) * CHUNKS))
    for number in range(max(games, len(PLAYERS))):
        random = Random(f"{temper.__name__} {chunk} {number}")
        listing = 1.0 if number == 0 else 0.05
        reached += nomadi_duel.play(random, PLAYERS[number % len(PLAYERS)], temper, listing)
    assert REACHED[temper] | CODES.keys() <= reached.keys()  # and strange plies broke every rule there is


# -- The oracle against the examples of the rules


def stand(names: Any, dice: Any = (1, 2, 3, 4, 5, 6)) -> Any:
    """A table of the oracle's with stones on these squares and dice to play."""
    table = start(("blue", "yellow"), {"Cards": CARDS})
    stones = {SQUARE[name]: ("blue", number) for number, name in enumerate(names)}
    return replace(table, hand={"blue": 0, "yellow": 0}, stones=stones, thrown=dice, unplayed=dice)


def steps(table: Any) -> Any:
    """What the oracle lists, as text."""
    return {f"{die} {NAME[origin]}-{NAME[target]}" for die, origin, target in oracle.steps(table)}


def broken(table: Any, step: Any) -> Any:
    """The rules that a step breaks: ``6 F12-I12-I15``."""
    die, _, squares = step.partition(" ")
    origin, *bend, target = squares.split("-")
    return oracle.broken(table, ("blue", Step(int(die), origin, target, *bend)))


EXAMPLE = ["F12", "G12", "H12", "I12", "I13", "I14", "J14"]


def test_the_oracle_finds_the_steps_of_the_example_and_no_others() -> None:
    ones = {"1 F12-G13", "1 F12-G11", "1 I12-H13", "1 I14-J13", "1 J14-I15", "1 J14-J13"}
    assert steps(stand(EXAMPLE)) == ones | {"2 J14-H14", "4 F12-J12", "6 F12-I15"}


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("1 F12-E12", {"group"}),
        ("1 I14-H13", {"group"}),
        ("3 G12-J12", {"group"}),
        ("3 J14-G14", {"group", "gap"}),
        ("6 F12-I12-I15", set()),
        ("6 F12-F15-I15", {"gap"}),
    ],
)
def test_the_oracle_refuses_what_the_example_refuses(step: str, words: Any) -> None:
    assert broken(stand(EXAMPLE), step) == words


def test_the_middle_of_a_block_cannot_move_but_a_corner_goes_around_it() -> None:
    table = stand([column + row for column in "FGH" for row in ("10", "11", "12")])
    assert broken(table, "2 G11-G13") == {"free side"}
    assert broken(table, "5 F10-I12") == broken(table, "5 F10-F12-I12") == set()


def test_every_number_can_be_played_from_a_full_start_zone() -> None:
    table = stand([NAME[square] for square in nomadi_map.START])
    assert Counter(die for die, _, _ in oracle.steps(table)) == {1: 12, 2: 4, 3: 4, 4: 8, 5: 20, 6: 12}
    assert broken(table, "2 P17-P15") == set()  # its free side is the edge of the board


# -- Set-ups

SEATS = [
    *[("blue", "yellow"), ("yellow", "blue"), ("red", "blue", "yellow"), ("green", "red", "yellow", "blue")],
    *[("blue", "red"), ("blue", "yellow", "green"), ("blue", "yellow", "red", "black"), ("green", "black")],
    *[("black", "green", "red", "yellow", "blue"), (), ("blue",), ("blue", "blue"), ("blue", "*"), ("Blue", "yellow")],
    ("blue", "yellow", "red", "green", "black", "blue"),
]

CARD_FAULTS = [None, "", "A10 A11 A12 A13 A14", "A10 A11 A12 A13 A14 A15 A16", "A10 A11 A12 A13 A14 A14"]
CARD_FAULTS += [f"A10 A11 A12 A13 A14 {square}" for square in ("A1", "P19", "C13", "A20", "Q1", "a15", "A015")]

OASES = {
    "printed",
    "D5",
    "D6",
    "E4",
    "E5",
    "G1",
    "I6",
    "J3",
    "J4",
    "J5",
    "J6",
    "K3",
    "L1",
    "L2",
    "L3",
    "M1",
    "M2",
    "M3",
}
"""Where the goal may lie: as printed, or with its top left square here."""
BAD_OASES = ["A1", "A5", "A6", "D4", "E1", "E6", "F1", "F6", "J7", "N3", "P19", "E10", "Q1", "e4", "here", ""]


@pytest.mark.parametrize("seats", SEATS)
def test_both_seat_the_same_players(seats: Any) -> None:
    fits = {2: "blue yellow", 3: "blue red yellow", 4: "blue green red yellow", 5: "black blue green red yellow"}
    refused = nomadi_duel.both_refuse(seats, {"Cards": CARDS})
    assert refused == (" ".join(sorted(seats)) != fits.get(len(seats)))


@pytest.mark.parametrize("cards", CARD_FAULTS)
def test_both_refuse_cards_that_do_not_lie_on_six_plain_squares(cards: Any) -> None:
    assert nomadi_duel.both_refuse(("blue", "yellow"), {} if cards is None else {"Cards": cards})


@pytest.mark.parametrize("oasis", [*sorted(OASES), *BAD_OASES])
def test_both_lay_the_oasis_in_the_same_places(oasis: Any) -> None:
    refused = nomadi_duel.both_refuse(("blue", "yellow"), {"Cards": CARDS, "Oasis": oasis})
    assert refused == (oasis not in OASES)


def test_both_refuse_a_card_under_the_oasis_and_on_the_printed_one_too() -> None:
    for cards in ("A10 A11 A12 A13 A14 J7", "A10 A11 A12 A13 A14 A1"):
        assert nomadi_duel.both_refuse(("blue", "yellow"), {"Oasis": "J6", "Cards": cards})
    assert not nomadi_duel.both_refuse(("blue", "yellow"), {"Oasis": "J6", "Cards": CARDS})


@pytest.mark.parametrize(("name", "value"), [("Deals", "maybe"), ("Deals", ""), ("Coins", "yes"), ("Coins", "Open")])
def test_both_refuse_unknown_variants(name: str, value: str) -> None:
    assert nomadi_duel.both_refuse(("blue", "yellow"), {"Cards": CARDS, name: value})
