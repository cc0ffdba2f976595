"""Records of the base game that show every rule at work, and records that break one each.

A record is named for its rule (``BB-L2-set-aside.turns``), or it is a whole game. Besides what every record has, these
say what shall come of them:

- ``[Shows "…"]``: what the record is for.
- ``[Hand.red "1 wool, 2 ore"]``: red's resource cards after the last move.
- ``[Expect.red "keeps 2 BB-V1"]``: red's points after the last move, source by source.

A refused record breaks the rule of its name at its last move, or in its set-up if it has no moves.
"""

from typing import Any

import pytest

from engine.brotherhood.base_game import GAME
from engine.brotherhood.rules import RULES
from engine.game import CHANCE, Ply
from engine.verdict import Rule
from notation import Ending, write_record
from pbem.judging.record_replay import replay_record
from tests.engine.recorded import Shelf, code_of, without_the_last_move

SHELF, REFUSALS = Shelf(GAME), Shelf(GAME, "refused")
RECORDS, REFUSED, read, having = SHELF.names, REFUSALS.names, SHELF.read, SHELF.having
SCORING = {"BB-V1", "BB-L1", "BB-C8", "BB-C11"}
"""Rules that are named by points."""


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_stands_and_is_canonical(name: str) -> None:
    SHELF.assert_stands(name)
    assert read(name).header("Shows") or name.startswith("whole-game-")


@pytest.mark.parametrize("name", having("Hand."))
def test_hands_hold_what_the_record_says(name: str) -> None:
    record, position = read(name), SHELF.last(name)
    for seat in record.seats:
        expected = record.header(f"Hand.{seat}")
        cards = GAME.view(position, seat)["hands"][seat]["cards"]
        written = ", ".join(f"{count} {resource}" for resource, count in cards.items()) or "nothing"
        assert expected in (None, written)


@pytest.mark.parametrize("name", having("Expect."))
def test_the_points_have_the_sources_that_the_record_expects(name: str) -> None:
    for tally in GAME.score(SHELF.last(name)).tallies:
        lines = [f"{line.source} {line.points} {line.rule}" for line in tally.lines if line.points]
        assert read(name).header(f"Expect.{tally.seat}") == (", ".join(lines) or "nothing")


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_every_rule_has_a_record_named_for_it(rule: Rule) -> None:
    assert [name for name in RECORDS if name.startswith(f"{rule.code}-")]


@pytest.mark.parametrize("code", sorted(SCORING))
def test_every_scoring_rule_is_named_by_points_that_a_record_of_its_own_expects(code: str) -> None:
    headers = [value for name in RECORDS if name.startswith(f"{code}-") for _, value in read(name).headers]
    assert any(value.endswith(code) or f"{code}," in value for value in headers)


def test_whole_games_of_three_and_of_four_come_to_their_end_on_every_kind_of_board() -> None:
    whole = [read(name) for name in RECORDS if name.startswith("whole-game-")]
    assert {len(record.seats) for record in whole} == {3, 4}
    assert {record.header("Board") for record in whole} == {"beginner", "variable"}
    assert {record.header("Phases") for record in whole} == {None, "free"}
    assert all(record.entries[-1].moves == (Ending("normal"),) for record in whole)


# Refused


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_by_the_rule_of_its_name_at_its_last_move(name: str) -> None:
    record = REFUSALS.read(name)
    refusal = replay_record(record).refusal
    assert refusal is not None
    assert refusal.code == code_of(name)
    assert refusal.entry is (record.entries[-1] if record.entries else None)
    if refusal.entry is not None:
        assert refusal.move == len(refusal.entry.moves) - 1
    assert write_record(record) == REFUSALS.text(name)
    assert record.header("Id") == name
    assert record.header("Shows")


@pytest.mark.parametrize("name", [name for name in REFUSED if REFUSALS.read(name).entries])
def test_without_its_last_move_it_stands_and_what_is_offered_instead_is_legal(name: str) -> None:
    record = REFUSALS.read(name)
    refusal, replayed = replay_record(record).refusal, replay_record(without_the_last_move(record))
    position: Any = replayed.position
    assert refusal is not None
    assert replayed.refusal is None
    seat = record.entries[-1].who
    for move in refusal.verdict.instead:
        assert GAME.judge(position, Ply(seat if seat in record.seats else CHANCE, move)) is None


def test_every_rule_that_can_be_broken_has_a_record_that_breaks_it_and_no_other_has() -> None:
    breakable = {rule.code for rule in RULES if rule.breaks}
    assert breakable <= {*REFUSED}
    assert {code_of(name) for name in REFUSED} == breakable
