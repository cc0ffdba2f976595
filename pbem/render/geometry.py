"""Where the hexes of a board in columns lie on paper.

Flat-topped hexes in columns A, B, C … and rows counted from 1 at the top; columns B, D, F … stand half a hex
lower. All measures are whole units, so that a picture stays short and sharp. It knows spaces by name (``K7``)
and nothing of any game.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from string import ascii_uppercase
from typing import Final, NamedTuple

SIDE: Final = 30
"""Half the width of a hex, and the length of its sides."""
RISE: Final = 26
"""Half the height of a hex: SIDE times the root of three quarters, rounded."""
ACROSS: Final = SIDE * 3 // 2
"""From one column to the next."""
DOWN: Final = 2 * RISE
"""From one row to the next."""

CORNERS: Final = (
    (-SIDE // 2, -RISE),
    (SIDE // 2, -RISE),
    (SIDE, 0),
    (SIDE // 2, RISE),
    (-SIDE // 2, RISE),
    (-SIDE, 0),
)
"""The corners around a centre, from the upper left, clockwise."""

HEXAGON: Final = f"m{-SIDE // 2}-{RISE}h{SIDE}l{SIDE // 2} {RISE}-{SIDE // 2} {RISE}h-{SIDE}l-{SIDE // 2}-{RISE}z"
"""A hex as path data, relative to its centre."""


class Point(NamedTuple):
    """A place on paper; x runs right, y runs down."""

    x: int
    y: int


@cache
def read_space(space: str) -> tuple[int, int]:
    """Column and row of a named hex, both counted from 0."""
    return ascii_uppercase.index(space[0]), int(space[1:]) - 1


@cache
def neighbours(column: int, row: int) -> tuple[tuple[int, int], ...]:
    """The six hexes around one, on the board or not, in the order of its sides: the upper side first, clockwise."""
    above = row - 1 + column % 2
    return (
        (column, row - 1),
        (column + 1, above),
        (column + 1, above + 1),
        (column, row + 1),
        (column - 1, above + 1),
        (column - 1, above),
    )


def rim(space: str, held: Collection[str]) -> list[int]:
    """The sides of one hex that no hex of `held` lies behind."""
    inside = {read_space(each) for each in held}
    return [side for side, there in enumerate(neighbours(*read_space(space))) if there not in inside]


@dataclass(frozen=True, slots=True)
class Layout:
    """A grid of hexes with the middle of its upper left hex at (left, top)."""

    left: int
    top: int

    def centre(self, space: str) -> Point:
        """The middle of a hex."""
        return self._centre(*read_space(space))

    def _centre(self, column: int, row: int) -> Point:
        return Point(self.left + column * ACROSS, self.top + row * DOWN + column % 2 * RISE)

    def hexagons(self, spaces: Iterable[str]) -> str:
        """Path data of the hexes themselves, each closed."""
        return "".join(f"M{x} {y}{HEXAGON}" for x, y in map(self.centre, spaces))

    def links(self, spaces: Iterable[str]) -> str:
        """Path data of a line between the middles of every two neighbours in a set."""
        held = {read_space(space) for space in spaces}
        return "".join(
            _line(self._centre(*here), self._centre(*there))
            for here in sorted(held)
            for there in neighbours(*here)[1:4]  # half of the directions, so that each pair comes once
            if there in held
        )

    def frontier(self, inside: Iterable[str], outside: Iterable[str] | None = None) -> str:
        """Path data of the sides that part `inside` from `outside`, or from everything else."""
        held = {read_space(space) for space in inside}
        beyond = None if outside is None else {read_space(space) for space in outside}
        return "".join(
            _line(*self._side(here, side))
            for here in sorted(held)
            for side, there in enumerate(neighbours(*here))
            if (there not in held if beyond is None else there in beyond)
        )

    def _side(self, here: tuple[int, int], side: int) -> tuple[Point, Point]:
        x, y = self._centre(*here)
        (ax, ay), (bx, by) = CORNERS[side], CORNERS[(side + 1) % 6]
        return Point(x + ax, y + ay), Point(x + bx, y + by)


def _line(start: Point, end: Point) -> str:
    return f"M{start.x} {start.y}l{end.x - start.x} {end.y - start.y}"
