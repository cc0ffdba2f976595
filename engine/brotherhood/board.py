"""Hexes, their corners and the paths between corners, as integers of bits.

Hexes stand on a point, in rows from north to south, each row half a hex further west than the one above. A hex is
(row, index); a corner is a point (x, y) that neighbouring hexes share. Intersections are numbered from 1 and hexes
lettered from A, both in reading order: north to south, west to east. Bit n of a mask of intersections is number n.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from string import ascii_uppercase
from typing import TypeAlias

Hex: TypeAlias = tuple[int, int]
Point: TypeAlias = tuple[int, int]

_AROUND = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""From a hex's centre to its corners, clockwise from the north."""


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A map in play. Everything indexed by a spot has an unused entry 0; paths are counted from 0."""

    hexes: tuple[Hex, ...]
    letters: tuple[str, ...]
    points: tuple[Point, ...]
    """Where intersection n lies: points[n - 1]."""
    paths: tuple[tuple[int, int], ...]
    """The paths as pairs of intersections, the smaller first, in order."""
    corners: tuple[int, ...]
    """For each hex the mask of its six intersections."""
    hexes_at: tuple[tuple[int, ...], ...]
    """For each intersection the hexes it touches."""
    near: tuple[int, ...]
    """For each intersection the mask of those one path away."""
    paths_at: tuple[int, ...]
    """For each intersection the mask of the paths that end there."""
    ends: tuple[int, ...]
    """For each path the mask of its two intersections."""
    spots: int
    """The mask of all intersections."""
    path_of: dict[tuple[int, int], int]
    hex_of: dict[str, int]
    """The hex of a letter."""

    def spot(self, point: Point) -> int:
        """The number of the intersection at a point."""
        return self.points.index(point) + 1

    def ring(self, hex_: int) -> list[int]:
        """The six intersections of a hex, clockwise from the north."""
        row, index = self.hexes[hex_]
        return [self.spot((2 * index + 3 - row + dx, 3 * row + dy)) for dx, dy in _AROUND]

    def neighbours(self, hex_: int) -> tuple[int, ...]:
        """The hexes that share a side with one."""
        own = self.corners[hex_]
        return tuple(i for i, other in enumerate(self.corners) if (other & own).bit_count() == 2)


def each(mask: int) -> Iterator[int]:
    """The numbers of the bits of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@lru_cache(maxsize=65536)
def numbers(mask: int) -> tuple[int, ...]:
    """The numbers of the bits of a mask, remembered: what can be built where changes slowly."""
    return tuple(each(mask))


@cache
def chart(hexes: tuple[Hex, ...]) -> Chart:
    """The map that some hexes make, given in reading order."""
    centres = [(2 * index + 3 - row, 3 * row) for row, index in hexes]
    rings = [[(x + dx, y + dy) for dx, dy in _AROUND] for x, y in centres]
    points = tuple(sorted({point for ring in rings for point in ring}, key=lambda point: (point[1], point[0])))
    number = {point: index for index, point in enumerate(points, start=1)}
    sides = {
        _pair(number[one], number[two]) for ring in rings for one, two in zip(ring, ring[1:] + ring[:1], strict=True)
    }
    paths = tuple(sorted(sides))
    count = len(points) + 1
    near, paths_at = [0] * count, [0] * count
    for index, (one, two) in enumerate(paths):
        near[one] |= 1 << two
        near[two] |= 1 << one
        paths_at[one] |= 1 << index
        paths_at[two] |= 1 << index
    corners = tuple(_mask(number[point] for point in ring) for ring in rings)
    letters = tuple(ascii_uppercase[: len(hexes)])
    return Chart(
        hexes=hexes,
        letters=letters,
        points=points,
        paths=paths,
        corners=corners,
        hexes_at=tuple(tuple(h for h, mask in enumerate(corners) if mask >> spot & 1) for spot in range(count)),
        near=tuple(near),
        paths_at=tuple(paths_at),
        ends=tuple(1 << one | 1 << two for one, two in paths),
        spots=_mask(number.values()),
        path_of={pair: index for index, pair in enumerate(paths)},
        hex_of={letter: index for index, letter in enumerate(letters)},
    )


@lru_cache(maxsize=65536)
def paths_touching(board: Chart, spots: int) -> int:
    """All paths that end at one of some intersections. Networks grow slowly, so the same question comes often."""
    found = 0
    for spot in each(spots):
        found |= board.paths_at[spot]
    return found


@lru_cache(maxsize=65536)
def ends_of(board: Chart, paths: int) -> int:
    """All intersections where one of some paths ends."""
    found = 0
    for path in each(paths):
        found |= board.ends[path]
    return found


def _pair(one: int, two: int) -> tuple[int, int]:
    return (one, two) if one < two else (two, one)


def _mask(numbers: Iterable[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
