"""Records that show every rule at work, with the points that they expect.

A record is named for the rule it shows (``TD-E1-free-standing.turns``), for an ending, for one of the rulebooks' three
examples, or it is a whole game. Besides what every record has, these say what shall come of them:

- ``[Shows "…"]``: what the record is for. Every camel of such a record tells what it earns, or nearly earns, and by
  which rule: ``[%earns water 3 TD-W1]``, ``[%earns area 0 TD-E3]`` (the forms stand in `desert_gains`).
- ``[Expect.red "water 3 TD-S4, lilac area 13 TD-S3"]``: red's points at the last move, source by source.
- ``[Ends "the lilac herd is empty TD-S1"]``, ``[Winners "red and blue TD-S5"]``: how the game is over, and for whom.
- ``[%may lemon L3 L4 …]`` before a move: all places for that colour at that moment.
"""

from typing import Any

import pytest

from engine.game import PUBLIC
from engine.through_the_desert import GAME
from engine.through_the_desert.moves import Camel, Leader
from engine.through_the_desert.position import Position
from engine.through_the_desert.rules import RULES
from engine.verdict import Rule
from notation import Ending
from tests.engine.recorded import Shelf, Step, notes_after
from tests.oracle.desert import desert_gains

SHELF = Shelf(GAME)
RECORDS, read, having, steps, last = SHELF.names, SHELF.read, SHELF.having, SHELF.steps, SHELF.last
HERDS = {2: 22, 3: 26, 4: 30, 5: 29}
ENDINGS = {"normal", "resigned", "agreed", "time", "abandoned", "adjudicated"}
IN_PLAY = {"TD-W1", "TD-O1", "TD-E1", "TD-E2", "TD-E3", "TD-E4", "TD-S6"}
"""Rules that say what a camel earns; those that count at the end are named by the headers."""
AT_THE_END = {"TD-S2", "TD-S3", "TD-S4", "TD-S5"}


def noted(step: Step, kind: str) -> list[str]:
    return sorted(note.removeprefix(f"{kind} ") for note in step.notes if note.startswith(f"{kind} "))


def earned(position: Position, seat: str) -> int:
    """A seat's points without those for the longest caravans, which come when the game is over."""
    tally = next(tally for tally in GAME.score(position).tallies if tally.seat == seat)
    return sum(line.points for line in tally.lines if line.source != "caravans")


def sources(position: Position, seat: str) -> list[str]:
    """A seat's points as an Expect header writes them."""
    tally = next(tally for tally in GAME.score(position).tallies if tally.seat == seat)
    return [f"{source(line)} {line.points} {line.rule}" for line in tally.lines if line.points]


def source(line: Any) -> str:
    """``water``, ``oases``, or with its colour ``lilac area``, ``lilac caravan``."""
    return f"{line.facts['colour']} {line.source.removesuffix('s')}" if "colour" in line.facts else str(line.source)


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_stands_and_is_canonical(name: str) -> None:
    SHELF.assert_stands(name)


@pytest.mark.parametrize("name", having("Shows"))
def test_every_camel_earns_what_the_record_says(name: str) -> None:
    for step in steps(name):
        seat, move = step.ply
        lines = desert_gains.gains(GAME.view(step.before, PUBLIC), seat, move) if isinstance(move, Camel) else []
        assert noted(step, "earns") == sorted(lines), step.ply
        points = sum(int(line.split()[1]) for line in lines)
        assert earned(step.after, seat) == earned(step.before, seat) + points


@pytest.mark.parametrize("name", having("Expect."))
def test_the_points_have_the_sources_that_the_record_expects(name: str) -> None:
    for seat in read(name).seats:
        assert read(name).header(f"Expect.{seat}") == (", ".join(sources(last(name), seat)) or "nothing")


def test_whoever_earns_something_has_an_expected_score() -> None:
    scored = {name for name in having("Shows") if any(step.notes for step in steps(name))}
    assert all(read(name).header(f"Expect.{seat}") for name in scored for seat in read(name).seats)


@pytest.mark.parametrize("name", having("Ends"))
def test_the_game_ends_for_the_reason_that_the_record_gives(name: str) -> None:
    position, record = last(name), read(name)
    empty = [colour for colour, camels in GAME.view(position, PUBLIC)["herds"].items() if not camels]
    why = f"the {empty[0]} herd is empty TD-S1" if empty else "nobody can place TD-T3"
    assert GAME.to_act(position) == ()
    assert record.header("Ends") == why
    assert record.header("Winners") == f"{' and '.join(GAME.score(position).winners)} TD-S5"
    assert record.entries[-1].moves == (Ending("normal"),)
    assert all(GAME.to_act(step.before) for step in steps(name))


@pytest.mark.parametrize(
    ("name", "emptied_by", "placed"),
    [
        ("TD-S1-the-last-camel-is-a-first-camel", 1, 2),
        ("TD-S1-the-last-camel-is-a-second-camel", 2, 2),
        ("TD-S1-no-place-for-the-second-camel", 1, 1),
    ],
)
def test_a_turn_that_empties_a_herd_is_played_out(name: str, emptied_by: int, placed: int) -> None:
    closing = [step for step in steps(name) if GAME.turn(step.before) == GAME.turn(last(name)) - 1]
    herds = [min(GAME.view(step.after, PUBLIC)["herds"].values()) for step in closing]
    assert herds.index(0) + 1 == emptied_by
    assert len(closing) == placed


def test_a_turn_is_over_when_nothing_more_can_be_placed() -> None:
    short = next(step for step in steps("TD-T3-a-turn-cut-short") if GAME.turn(step.before) == 14)
    assert GAME.view(short.before, PUBLIC)["left"] == 2
    assert GAME.to_act(short.before) == ("blue",)
    assert GAME.to_act(short.after) == ("red",)


@pytest.mark.parametrize("name", ["example-1-placing", "example-2-oasis"])
def test_all_places_for_a_caravan_are_those_that_the_rulebook_marks(name: str) -> None:
    entry = read(name).entries[-1]
    (note,) = notes_after(entry, 0)
    word, colour, *spaces = note.split()
    position = next(step.before for step in steps(name) if GAME.turn(step.before) == entry.number)
    camels = [ply.move for ply in GAME.legal(position) if isinstance(ply.move, Leader | Camel)]
    open_to = [camel.space for camel in camels if camel.colour == colour]
    assert (word, open_to) == ("may", spaces)


def test_the_first_example_offers_nine_places_and_leads_past_the_3_to_the_oasis() -> None:
    entry = read("example-1-placing").entries[-1]
    (note,) = notes_after(entry, 0)
    assert len(note.split()[2:]) == 9
    assert GAME.view(last("example-1-placing"), PUBLIC)["water"]["L4"] == 3
    assert entry.moves == (Camel("lemon", "M5"), Camel("lemon", "M6"))  # right of the 3 at L4, then below
    assert notes_after(entry, 2) == ["earns oasis 5 TD-O1"]


def test_in_the_second_example_lilac_reaches_the_oasis_that_is_shut_to_green() -> None:
    entry = read("example-2-oasis").entries[-1]
    (note,) = notes_after(entry, 0)
    shore = desert_gains.beside(2)["M7"]
    assert not shore & set(note.split())
    assert entry.moves[-1].colour == "lilac"
    assert notes_after(entry, 2) == ["earns oasis 5 TD-O1"]


def test_in_the_third_example_two_lilac_camels_close_what_two_caravans_left_open() -> None:
    *_, pincers, _, closing = read("example-3-enclosing").entries
    assert notes_after(pincers, 2)[-1] == "earns area 0 TD-E2"
    assert [move.colour for move in closing.moves] == ["lilac", "lilac"]
    assert notes_after(closing, 2) == ["earns area 13 TD-E1 edge", "earns water 5 TD-E4", "earns oasis 5 TD-E4"]
    assert "lilac area 13 TD-S3" in (read("example-3-enclosing").header("Expect.blue") or "")


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_every_rule_has_a_record_named_for_it(rule: Rule) -> None:
    assert [name for name in RECORDS if name.startswith(f"{rule.code}-")]


@pytest.mark.parametrize("code", sorted(IN_PLAY | AT_THE_END))
def test_every_scoring_rule_is_named_by_points_that_a_record_of_its_own_expects(code: str) -> None:
    told = set()
    for name in RECORDS:
        if name.startswith(f"{code}-"):
            told |= {line.split()[2] for step in steps(name) for line in noted(step, "earns")}
            expected = [value for header, value in read(name).headers if header.startswith(("Expect.", "Winners"))]
            told |= {word.strip(",") for value in expected for word in value.split()}
    assert code in told


def test_areas_lean_on_everything_they_can_lean_on() -> None:
    told = {line for name in having("Shows") for step in steps(name) for line in noted(step, "earns")}
    leaning = {tuple(line.split()[3:]) for line in told if line.startswith("area") and "TD-E1" in line}
    assert {(), ("edge",), ("line",), ("mountains",)} <= leaning
    assert {"oasis 0 TD-O1", "oasis 5 TD-E4", "oasis 0 TD-E4"} <= told


def test_a_record_shows_each_ending() -> None:
    endings = [entry.moves[0] for name in RECORDS for entry in read(name).entries if entry.who == "end"]
    assert {ending.kind for ending in endings} == ENDINGS
    assert {read(name).header("Ends") for name in having("Ends")} >= {
        "the lilac herd is empty TD-S1",
        "nobody can place TD-T3",
    }


def test_whole_games_are_there_for_every_number_of_players_with_their_digests() -> None:
    whole = [name for name in RECORDS if name.startswith("whole-game-")]
    assert {len(read(name).seats) for name in whole} == set(HERDS)
    assert {read(name).header("Herds") for name in whole} == {None, "30"}
    for name in whole:
        assert read(name).entries[-1].moves == (Ending("normal"),)
        assert sum(note.startswith("state ") for step in steps(name) for note in step.notes) > 3


@pytest.mark.parametrize("name", RECORDS)
def test_the_herds_hold_what_the_number_of_players_asks(name: str) -> None:
    record = read(name)
    herds = GAME.view(SHELF.start(name), PUBLIC)["herds"]
    assert set(herds.values()) == {int(record.header("Herds") or HERDS[len(record.seats)])}


@pytest.mark.parametrize("name", RECORDS)
def test_what_is_counted_for_those_who_look_ahead_are_the_points(name: str) -> None:
    for step in steps(name):
        tallies = GAME.score(step.after).tallies
        assert [GAME.prospect(step.after, tally.seat) for tally in tallies] == [tally.total for tally in tallies]
