"""Which single moves the dice allow now: the list that `legal` gives, and the proof that a turn may end.

Everything is found for all stones at once; the one move that somebody wants to make is `judging_steps`' to look at.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.nomadi.board import BOARD, FAR, START, each
from engine.nomadi.caravan import landings, with_free_side
from engine.nomadi.position import Made, Position
from engine.nomadi.ways import reaches, rows_of


class Reach(NamedTuple):
    """A stone, and the squares to which a die can take it."""

    die: int
    origin: int
    targets: int


def reach(position: Position, dice: Iterable[int]) -> Iterator[Reach]:
    """What each of some dice could do now: die by die, stone by stone, each only where it can go somewhere."""
    caravan = position.caravan
    movable = with_free_side(caravan) & ~position.ground.goal
    rows = rows_of(caravan)
    open_to: dict[int, int] = {}
    for die in dice:
        reached = reaches(die, caravan, movable, rows)
        for origin in sorted(reached):
            if origin not in open_to:
                open_to[origin] = landings(caravan, origin) & allowed(origin)
            targets = reached[origin] & open_to[origin]
            if targets and position.made:
                targets &= ~left_with(position.made, die, origin)
            if targets:
                yield Reach(die, origin, targets)


def allowed(origin: int) -> int:
    """The squares that the start zone and the ravine leave open to a stone (NO-Z1, NO-R2)."""
    if origin & START:
        return BOARD
    return FAR if origin & FAR else BOARD & ~START


def left_with(made: tuple[Made, ...], die: int, stone: int) -> int:
    """The squares that a stone has left in this turn with dice of one value (NO-M9).

    Stones of one colour are told apart by following the moves back from where the stone stands now.
    """
    left = 0
    for move in reversed(made):
        if move.target == stone:
            stone = move.origin
            if move.die == die:
                left |= stone
    return left


def choices(position: Position) -> Iterator[tuple[int, int, int]]:
    """All single moves now as die, origin and target; dice of one value count once."""
    for die, origin, targets in reach(position, sorted(set(position.unplayed))):
        for target in each(targets):
            yield die, origin, target


def can_play(position: Position, dice: Iterable[int]) -> bool:
    """Whether any of some dice can be played now."""
    return next(reach(position, set(dice)), None) is not None
