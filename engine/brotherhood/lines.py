"""Where a wildling goes that has come over the Wall (BW-L1 to BW-L5).

Each trail number has a line of hexes that starts under its section: odd ones go south-west, even ones south-east. When
a line is full, others follow; here all of them are strung together once for each number and board, so that crossing is
a look along one row of hexes. Hexes are known by row and index, as on the map.
"""

from functools import cache
from typing import Final

from engine.brotherhood.board import Chart, Hex
from engine.brotherhood.north import SECTIONS

LINES: Final[tuple[tuple[Hex, ...], ...]] = (
    (),
    ((0, 0), (1, 0), (2, 0), (3, 0)),
    ((0, 0), (1, 1), (2, 2), (3, 3)),
    ((0, 1), (1, 1), (2, 1), (3, 1)),
    ((0, 1), (1, 2), (2, 3), (3, 4)),
    ((0, 2), (1, 2), (2, 2), (3, 2)),
    ((0, 2), (1, 3), (2, 4), (3, 5)),
    ((0, 3), (1, 3), (2, 3), (3, 3)),
    ((0, 3), (1, 4), (2, 5), (3, 5)),
)
"""The lines of the numbers 1 to 8 on the board of four; on a smaller board the missing hexes are left out."""

Ways = tuple[tuple[int, ...], ...]
"""For each number 1 to 8 (0 is empty) all hexes of a board as bits, in the order in which they fill."""


@cache
def ways_over(board: Chart) -> Ways:
    """The order in which the hexes of a board fill, for each number."""
    return ((), *[_way(number, board.hexes) for number in range(1, len(LINES))])


def _way(number: int, hexes: tuple[Hex, ...]) -> tuple[int, ...]:
    bits = {place: 1 << index for index, place in enumerate(hexes)}
    places = [place for line in _lines_from(number) for place in LINES[line] if place in bits]
    return tuple(bits[place] for place in dict.fromkeys(places))


def _lines_from(number: int) -> list[int]:
    """The line of a number, the other of its section, then both of the nearest sections, west before east."""
    section = (number - 1) // 2
    odd, even = 2 * section + 1, 2 * section + 2
    found = [number, odd + even - number]
    for distance in range(1, SECTIONS):
        for near in (section - distance, section + distance):
            if 0 <= near < SECTIONS:
                found += [2 * near + 1, 2 * near + 2]
    return found
