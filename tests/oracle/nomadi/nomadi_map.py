"""The board of Nomadi as the oracle sees it: squares are pairs (column, row), both counted from 1.

Drawn again from the rules digest, so that a slip in the engine's board cannot hide here. It refuses to know
the engine, and where anybody stands.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

MAP = """
ZZZZ............
ZZZZ......w.....
ZZZZ.w..........
ZZZZ............
........w.......
................
..w..........w..
................
.......w........
................
........w.......
................
..w..........w..
................
.......w........
............SSSS
..........w.SSSS
.....w......SSSS
............SSSS
"""

LETTERS = "ABCDEFGHIJKLMNOP"
ROWS = MAP.split()

SIGN = {(x + 1, y + 1): sign for y, row in enumerate(ROWS) for x, sign in enumerate(row)}
"""Every square of the board, and what is printed on it."""

NAME = {(x, y): f"{LETTERS[x - 1]}{y}" for x, y in SIGN}
SQUARE = {name: square for square, name in NAME.items()}

START = {square for square, sign in SIGN.items() if sign == "S"}
PRINTED_GOAL = {square for square, sign in SIGN.items() if sign == "Z"}
WATERHOLES = {square for square, sign in SIGN.items() if sign == "w"}
PLAIN = {square for square, sign in SIGN.items() if sign == "."}
BEYOND = {(x, y) for x, y in SIGN if y <= 9}
"""The far side: the ravine is the line between rows 9 and 10."""

SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
CORNERS = ((1, -1), (1, 1), (-1, 1), (-1, -1))


def shift(square: Any, direction: Any, steps: Any = 1) -> Any:
    """The place some steps away, on the board or not."""
    return square[0] + steps * direction[0], square[1] + steps * direction[1]


@cache
def beside(square: Any) -> Any:
    """The four places that share a side with a square, places beyond the edge included."""
    return frozenset(shift(square, side) for side in SIDES)


def four_by_four(corner: Any) -> Any:
    """The sixteen places of an oasis laid with its top left square there."""
    return {(corner[0] + x, corner[1] + y) for x in range(4) for y in range(4)}


@cache
def ways(origin: Any, die: Any) -> Any:
    """All ways of a die from a square, rules 7 to 9, as (squares jumped, target, bend or None)."""
    return tuple(way for way in _all_ways(origin, die) if way[1] in SIGN)


def _all_ways(origin: Any, die: Any) -> Iterator[Any]:
    if die == 1:
        for direction in SIDES + CORNERS:
            yield (), shift(origin, direction), None
        return
    for first in SIDES:
        line = [shift(origin, first, step) for step in range(1, die + 1)]
        yield tuple(line[:-1]), line[-1], None
        for jumped in range(1, die) if die >= 5 else ():
            bend = line[jumped - 1]
            for second in SIDES:
                if first[0] * second[0] + first[1] * second[1] == 0:  # a right angle
                    rest = [shift(bend, second, step) for step in range(1, die - jumped + 1)]
                    yield (*line[:jumped], *rest[:-1]), rest[-1], bend


def hang_together(squares: Any) -> Any:
    """Rule 5: whether squares form one group joined by sides."""
    left = set(squares)
    edge = [left.pop()]
    while edge:
        found = beside(edge.pop()) & left
        left -= found
        edge += found
    return not left
