"""The board of Nomadi, as data, and sets of its squares as bits of one integer.

Sixteen columns A to P, nineteen rows from the top. Every column is followed by one bit that stays empty, a fence:
a shift by one row or one column never runs from one end of the board into the other, and the fence is never
occupied, so the board's edge is an open side like an empty square. This module knows no rule.
"""

from collections.abc import Iterator, Mapping
from string import ascii_uppercase
from typing import Final

COLUMNS: Final = 16
ROWS: Final = 19

MAP: Final = """
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
"""``S`` start zone, ``Z`` goal, ``w`` waterhole, ``.`` plain desert."""

FAR_ROWS: Final = 9
"""The ravine is a line below this row; the rows above it are the far side."""

DOWN: Final = 1
"""A shift by this many bits leads one row down."""
OVER: Final = ROWS + 1
"""A shift by this many bits leads one column to the right."""
SIDES: Final = (-DOWN, OVER, DOWN, -OVER)
"""Up, right, down, left, as shifts."""

BITS: Final[Mapping[str, int]] = {
    f"{ascii_uppercase[column]}{row + 1}": 1 << ((column + 1) * OVER + row)
    for column in range(COLUMNS)
    for row in range(ROWS)
}
"""The bit of each square, column by column."""
NAMES: Final[Mapping[int, str]] = {bit: name for name, bit in BITS.items()}
BOARD: Final = sum(BITS.values())


def _marked(sign: str) -> int:
    """The squares under a sign of the map."""
    lines = MAP.split()
    return sum(bit for name, bit in BITS.items() if lines[int(name[1:]) - 1][ascii_uppercase.index(name[0])] == sign)


START: Final = _marked("S")
PRINTED_GOAL: Final = _marked("Z")
WATERHOLES: Final = _marked("w")
PLAIN: Final = _marked(".")
FAR: Final = sum(bit for name, bit in BITS.items() if int(name[1:]) <= FAR_ROWS)
NEAR: Final = BOARD & ~FAR


def shift(mask: int, by: int) -> int:
    """Every square of a set moved by so many bits, up or down."""
    return mask << by if by >= 0 else mask >> -by


def grow(mask: int) -> int:
    """All squares that share a side with a set; bits of the fence may be among them."""
    return mask << DOWN | mask >> DOWN | mask << OVER | mask >> OVER


def flood(seed: int, within: int) -> int:
    """Everything in `within` that is connected with `seed` by sides."""
    reached = seed & within
    edge = reached
    while edge:
        edge = grow(edge) & within & ~reached
        reached |= edge
    return reached


def each(mask: int) -> Iterator[int]:
    """The single bits of a set, column by column, each from top to bottom."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def squares(mask: int) -> list[str]:
    """The names in a set, column by column, each from top to bottom."""
    return [NAMES[bit] for bit in each(mask)]


def mask_of(*names: str) -> int:
    """The set of the named squares."""
    return sum(BITS[name] for name in names)


def place(square: str) -> tuple[int, int]:
    """The column and the row of a named square, counted from 0."""
    return ascii_uppercase.index(square[0]), int(square[1:]) - 1
