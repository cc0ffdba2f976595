"""The ways of the dice: where each leads, over which squares, and which stones could go there.

A 1 goes one square in any of eight directions. A 2, 3 or 4 goes straight over stones side by side; a 5 or 6 may
bend once by a right angle on a square that it jumps over. All of it is asked of sets of squares: `ways` for one
stone, `steps` and `jumps` for all stones at once. Zones and the caravan's hanging together are for others.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from engine.nomadi.board import BOARD, DOWN, NAMES, OVER, SIDES, place, shift

AROUND: Final = (*SIDES, -OVER - DOWN, -OVER + DOWN, OVER - DOWN, OVER + DOWN)
"""The eight directions of a 1, as shifts."""


class Way(NamedTuple):
    """One way of a jump: the squares jumped over, and where it bends if it does."""

    over: int
    bend: str | None = None


class Shape(NamedTuple):
    """A jump wherever it begins: over `first` stones towards one side, then `second` towards another, and one on.

    Sides are their places in `SIDES`. `corner` is the shift to where it turns, `leads` the one to where it lands.
    """

    along: int
    first: int
    across: int
    second: int
    corner: int
    leads: int


def _shape(along: int, first: int, across: int, second: int) -> Shape:
    corner = first * SIDES[along]
    return Shape(along, first, across, second, corner, corner + (second + 1) * SIDES[across])


def _shapes(die: int) -> tuple[Shape, ...]:
    straight = [_shape(side, die - 1, side, 0) for side in range(4)]
    if die < 5:
        return tuple(straight)
    turns = [(along, (along + turn) % 4) for along in range(4) for turn in (1, 3)]
    bent = [_shape(along, first, across, die - 1 - first) for along, across in turns for first in range(1, die)]
    return (*straight, *bent)


SHAPES: Final = {die: _shapes(die) for die in range(2, 7)}


@cache
def ways(die: int, origin: int) -> Mapping[int, tuple[Way, ...]]:
    """All ways of a die from a square, by the square they lead to."""
    if die == 1:
        return {bit: (Way(0),) for side in AROUND if (bit := shift(origin, side)) & BOARD}
    found: dict[int, tuple[Way, ...]] = {}
    for along, first, across, second, bend, leads in SHAPES[die]:
        corner, target = shift(origin, bend), shift(origin, leads)
        passed = [shift(origin, step * SIDES[along]) for step in range(1, first + 1)]
        passed += [shift(corner, step * SIDES[across]) for step in range(1, second + 1)]
        if all(bit & BOARD for bit in (*passed, target)):
            way = Way(sum(passed), None if along == across else NAMES[corner])
            found[target] = (*found.get(target, ()), way)
    return found


class Arm(NamedTuple):
    """The stones beside squares towards one side, for all squares at once; so many stones are the index."""

    side: int
    rows: list[int]
    """The squares from which so many stones stand in a row that way."""
    ends: list[int]
    """Those of them where just behind these stones a square is empty."""


def arms_of(caravan: int, empty: int) -> list[Arm]:
    """The rows of up to five stones towards each of the `SIDES`."""
    found = []
    for side in SIDES:
        row, leads = shift(caravan, -side), 2 * side
        rows, ends = [~0, row], [shift(empty, -side), row & shift(empty, -leads)]
        while len(rows) < 6:
            row = shift(row & caravan, -side)
            leads += side
            rows.append(row)
            ends.append(row and row & shift(empty, -leads))
        found.append(Arm(side, rows, ends))
    return found


def jumps(die: int, movable: int, arms: list[Arm]) -> dict[int, int]:
    """The movable stones that a 2 to 6 could move, by the shift to the empty square behind what they jump over."""
    found: dict[int, int] = {}
    for along, (side, rows, ends) in enumerate(arms):
        found[die * side] = movable & ends[die - 1]
        if die < 5:
            continue
        for first in range(1, die):
            line = movable & rows[first]
            if not line:
                break
            second, corner = die - 1 - first, first * side
            for across in (arms[along - 1], arms[along - 3]):
                leads = corner + (second + 1) * across.side
                found[leads] = found.get(leads, 0) | line & shift(across.ends[second], -corner)
    return found


def steps(movable: int, *, beside: int, aslant: int) -> dict[int, int]:
    """The movable stones that a 1 could move, by the shift: straight to some squares, diagonally to others."""
    straight = {leads: movable & shift(beside, -leads) for leads in SIDES}
    return straight | {leads: movable & shift(aslant, -leads) for leads in AROUND[len(SIDES) :]}


def distance(one: str, other: str) -> tuple[int, int]:
    """Columns and rows between two named squares."""
    (column, row), (to_column, to_row) = place(one), place(other)
    return abs(to_column - column), abs(to_row - row)
