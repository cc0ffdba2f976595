"""Folding takes steps in proportion to the number of events: a letter late in a long game costs what an early one does.

Steps are the lines of Python that run, counted, so nothing here depends on the machine. They do not see what C copies:
the tuples of entries and marks grow by one with every event.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from engine.brotherhood.full_game import GAME
from engine.brotherhood.moves import End, Roll
from notation import write_moves
from pbem.events.chain import Event
from pbem.events.history_mark import add_mark
from pbem.mail.commands.submit_moves import Play
from pbem.tables.chance import random_moves
from pbem.tables.fold import fold
from tests.pbem.tables.conftest import Sitting
from tests.steps.counted_patterns import StepCount
from tests.steps.letter_steps import counting_lines

EARLY, LATE = 300, 2_100
"""Events of a game of usual length, and of the longest that were seen."""
GROWTH = 1.25
"""How much more an event may cost in the long game: there are more pieces on the board."""


@cache
def long_game() -> tuple[Event, ...]:
    """Four players who only roll and end their turns, and settle what a roll asks of them."""
    sitting = Sitting(4, game=GAME)
    while len(sitting.events) < LATE:
        table = sitting.table
        seat = table.due[0]
        position: Any = table.position
        legal = [ply.move for ply in GAME.legal(position) if ply.seat == seat]
        quiet = next((move for move in legal if isinstance(move, Roll | End)), None)
        phrase = write_moves(GAME, (quiet,)) if quiet is not None else random_moves(table, seat, sitting.dealer)
        sitting.do(seat, Play(phrase))
    return tuple(sitting.events[:LATE])


def steps_for_each(events: Sequence[Event]) -> float:
    """The lines that run for each event, on average."""
    StepCount.steps = 0
    with counting_lines():
        fold(events)
    return StepCount.steps / len(events)


def growth() -> float:
    """How much more an event costs in the long game than in one of usual length."""
    events = long_game()
    fold(events)  # what is loaded and cached at first is not counted
    return steps_for_each(events) / steps_for_each(events[:EARLY])


def test_an_event_costs_as_much_in_a_game_of_two_thousand_as_in_one_of_three_hundred() -> None:
    assert len(long_game()) == LATE
    assert growth() < GROWTH


def test_a_look_at_all_that_was_before_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:

    def look_back(marks: Any, *rest: Any, **more: Any) -> Any:
        for mark in marks:
            if mark is None:
                break
        return add_mark(marks, *rest, **more)

    monkeypatch.setattr("pbem.tables.fold.add_mark", look_back)
    assert growth() > 2
