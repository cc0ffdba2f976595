"""The ways of the dice: where each leads, over which squares, and which stones could go there.

A 1 goes one square in any of eight directions. A 2, 3 or 4 goes straight over stones side by side; a 5 or 6 may
bend once by a right angle on a square that it jumps over. All of it is asked of sets of squares: `ways` for one
stone, `reaches` for all stones at once. Zones and the caravan's hanging together are for others.
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


def rows_of(caravan: int) -> list[list[int]]:
    """For each side and each length up to five, the squares from which so many stones stand in a row that way."""
    found = []
    for side in SIDES:
        rows = [~0]
        for _ in range(5):
            rows.append(shift(caravan & rows[-1], -side))
        found.append(rows)
    return found


def reaches(die: int, caravan: int, movable: int, rows: list[list[int]]) -> dict[int, int]:
    """For each movable stone that a die could move, the empty squares where it would land; `rows` are `rows_of`."""
    empty = BOARD & ~caravan
    found: dict[int, int] = {}
    if die == 1:
        for side in AROUND:
            _note(found, movable & shift(empty, -side), side)
        return found
    for along, first, across, second, corner, leads in SHAPES[die]:
        begins = movable & rows[along][first]
        if begins:
            begins &= shift(empty, -leads)
            if begins and second:
                begins &= shift(rows[across][second], -corner)
            if begins:
                _note(found, begins, leads)
    return found


def _note(found: dict[int, int], begins: int, leads: int) -> None:
    while begins:
        bit = begins & -begins
        found[bit] = found.get(bit, 0) | shift(bit, leads)
        begins ^= bit


def distance(one: str, other: str) -> tuple[int, int]:
    """Columns and rows between two named squares."""
    (column, row), (to_column, to_row) = place(one), place(other)
    return abs(to_column - column), abs(to_row - row)
