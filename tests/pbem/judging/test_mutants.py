"""Legal games, spoiled in one place: each mutant is refused, there, and by the rule that its maker broke.

Mutants are written and read again before they are judged, so the whole way of a record is tried.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engine.game import PUBLIC
from engine.through_the_desert import GAME
from notation import Record, read_text, write_record
from pbem.judging.record_replay import replay_record
from tests.spoilers import spoil_claims, spoil_moves, spoil_turns
from tests.spoilers.spoiled_games import Mutant, Played

Operator = Callable[[Played, Random], Mutant | None]

OPERATORS: list[Operator] = [
    thing
    for module in (spoil_claims, spoil_moves, spoil_turns)
    for thing in vars(module).values()
    if getattr(thing, "__module__", "") == module.__name__
]


@pytest.fixture(scope="session")
def played(games: dict[int, list[Record]]) -> list[Played]:
    found = []
    for record in (record for some in games.values() for record in some):
        positions: list[Any] = [replay_record(record, until=turn).position for turn in range(len(record.entries))]
        found.append(Played(record, [dict(GAME.view(position, PUBLIC)) for position in positions]))
    return found


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_a_spoiled_game_is_refused_by_the_rule_it_breaks(operator: Operator, played: list[Played]) -> None:
    made = 0
    for number, game in enumerate(played):
        mutant = operator(game, Random(f"{operator.__name__} {number}"))
        if mutant is None:
            continue
        made += 1
        (reading,) = read_text(write_record(mutant.record))
        assert reading.record is not None, reading.faults
        refusal = replay_record(reading.record).refusal
        assert refusal is not None, operator.__name__
        assert refusal.code == mutant.code, refusal.verdict
        assert refusal.entry == (None if mutant.entry is None else mutant.record.entries[mutant.entry])
    assert made, "no game offers a chance to this operator"


def test_there_are_some_hundred_mutants(played: list[Played]) -> None:
    assert len(OPERATORS) * len(played) > 400
