"""Which single moves the dice allow now: the list that `legal` gives, and the proof that a turn may end.

`roaming` says where stones could go, and here what they did before in this turn is held against it. The one move that
somebody wants to make is `judging_steps`' to look at.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.nomadi.board import each
from engine.nomadi.position import Made, Position
from engine.nomadi.roaming import roam


class Reach(NamedTuple):
    """A stone, and the squares to which a die can take it."""

    die: int
    origin: int
    targets: int


def reach(position: Position, dice: Iterable[int]) -> Iterator[Reach]:
    """What each of some dice could do now: die by die, stone by stone, each only where it can go somewhere."""
    (ways,) = roam([position.caravan], [dice], goal=position.ground.goal)
    for die, moves in ways.items():
        reached: dict[int, int] = {}
        for origin, target in moves:
            reached[origin] = reached.get(origin, 0) | target
        for origin in sorted(reached):
            targets = reached[origin] & ~left_with(position.made, die, origin)
            if targets:
                yield Reach(die, origin, targets)


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
