"""Whole turns, one after the other: what a player could make of his dice.

There may be very many, so they are found lazily, depth first, and whoever asks stops when he has seen enough. Orders
of play that lead to the same table with the same dice are followed once. No rule stands here.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.game import Ply
from engine.nomadi.board import NAMES
from engine.nomadi.moves import End, Step
from engine.nomadi.outcomes import outcome
from engine.nomadi.playing import apply
from engine.nomadi.position import MOVING, Position
from engine.nomadi.stepping import choices

_Line = tuple[Step | End, ...]
_NOTHING: Final[_Line] = ()


class Plan(NamedTuple):
    """Moves up to the end of the turn, or as far as they can be foreseen, and the table after them."""

    moves: _Line
    after: Position


def plans(position: Position) -> Iterator[Plan]:
    """Every table to which the player on turn can bring his turn, with one way to get there.

    A plan ends with the turn, with the game, or where a card is looked at: what follows depends on it.
    """
    if position.phase != MOVING:
        return
    seen = {outcome(position)}
    open_lines = [_follow(position, _NOTHING)]
    while open_lines:
        plan = next(open_lines[-1], None)
        if plan is None:
            open_lines.pop()
        elif plan.after.phase == MOVING and plan.after.turn == position.turn:
            mark = outcome(plan.after)
            if mark not in seen:
                seen.add(mark)
                open_lines.append(_follow(plan.after, plan.moves))
        else:
            mark = outcome(plan.after)
            if mark not in seen:
                seen.add(mark)
                yield plan


def _follow(position: Position, moves: _Line) -> Iterator[Plan]:
    """One move further: with every die and every stone, or the end of the turn when there is none."""
    seat = position.ground.seats[position.who]
    stuck = True
    for die, origin, target in choices(position):
        stuck = False
        step = Step(die, NAMES[origin], NAMES[target])
        yield Plan((*moves, step), apply(position, Ply(seat, step)))
    if stuck:
        yield Plan((*moves, End()), apply(position, Ply(seat, End())))
