"""The maps: hexes, their corners, the paths between corners and the trade routes, as integers of bits.

Hexes stand on a point, in rows from north to south, each row half a hex further west than the one above. A hex is
(row, index); a corner is a point (x, y) that neighbouring hexes share. Intersections are numbered from 1 and hexes
lettered from A, both in reading order: north to south, west to east. Bit n of a mask of intersections is number n.

Land is written in reading order, one word a hex: ``forest5 mountains6 … pasture2/12 … ice``. The rulebook does not
show all boards; BB-P2, BB-P3, BB-P6 and BW-P2 say what we chose and why. This module knows no player, piece or rule.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from string import ascii_uppercase
from typing import Final, TypeAlias

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

    def __reduce__(self) -> "tuple[Callable[[tuple[Hex, ...]], Chart], tuple[tuple[Hex, ...]]]":
        """Pickle it by its hexes: there is one chart of them, and what is remembered of it goes on being found."""
        return chart, (self.hexes,)

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


PRODUCE: Final = {"forest": "lumber", "hills": "brick", "pasture": "wool", "fields": "grain", "mountains": "ore"}
"""What each land produces."""

ICE: Final = "ice"
"""The ice field, which produces nothing."""

ANY: Final = "any"
"""The kind of a trade route that gives 3:1 for every resource."""

_WORD: Final = re.compile(r"([a-z]+?)(2/12|[0-9]{1,2})?")

_ROWS: Final = (4, 5, 6, 6)
_ALL: Final = tuple((row, index) for row, length in enumerate(_ROWS) for index in range(length))
_LEFT_OUT: Final = frozenset({(2, 0), (2, 5), (3, 0), (3, 1), (3, 5)})
"""Out of play with three in the Watch game (BW-P2)."""

_SOUTH: Final[tuple[tuple[Point, Point], ...]] = (
    ((0, 11), (1, 10)),
    ((2, 11), (3, 10)),
    ((4, 11), (5, 10)),
    ((6, 11), (7, 10)),
    ((8, 11), (9, 10)),
)
_SOUTH_OF_THREE: Final[tuple[tuple[Point, Point], ...]] = (
    ((2, 7), (3, 8)),
    ((3, 10), (4, 11)),
    ((5, 10), (6, 11)),
    ((7, 10), (8, 11)),
    ((9, 10), (9, 8)),
)
_FRAME: Final[tuple[tuple[Point, Point], ...]] = (
    ((1, 2), (1, 4)),
    ((11, 2), (11, 4)),
    ((5, -2), (6, -1)),
    ((9, -2), (10, -1)),
)


@dataclass(frozen=True, slots=True, eq=False)
class BoardLayout:
    """One board of the box: its map and its usual set-up."""

    chart: Chart
    land: str
    """The usual land, as the Land header writes it."""
    markers: tuple[int, ...]
    """The five 2:1 routes from west to east, each the mask of its two intersections."""
    open_routes: tuple[int, ...]
    """The 3:1 routes; none in the Watch game, where 3:1 is everybody's."""

    @property
    def numbers(self) -> tuple[str, ...]:
        """The number of each hex in the usual set-up; empty on the ice field."""
        return tuple(number for _, number in read_land(self.land) or ())


ROUTES: Final = ("grain", "brick", "lumber", "wool", "ore")
"""The 2:1 routes from west to east, in the usual set-up (BB-P3)."""


def read_land(text: str) -> tuple[tuple[str, str], ...] | None:
    """The land and the number of each hex, or None if a word is no land."""
    words = [_WORD.fullmatch(word) for word in text.split()]
    found = tuple((match[1], match[2] or "") for match in words if match)
    known = all(land in PRODUCE or land == ICE for land, _ in found)
    return found if known and len(found) == len(words) else None


def write_land(land: tuple[tuple[str, str], ...]) -> str:
    """Land as the header writes it."""
    return " ".join(kind + number for kind, number in land)


def _lay(
    hexes: tuple[Hex, ...], land: str, south: tuple[tuple[Point, Point], ...], frame: tuple[tuple[Point, Point], ...]
) -> BoardLayout:
    board = chart(hexes)

    def route(ends: tuple[Point, Point]) -> int:
        return 1 << board.spot(ends[0]) | 1 << board.spot(ends[1])

    return BoardLayout(board, land, tuple(map(route, south)), tuple(map(route, frame)))


BASE: Final = _lay(
    _ALL,
    "forest5 mountains6 forest5 fields8 "
    "pasture6 fields4 hills9 pasture10 hills11 "
    "forest3 mountains9 pasture11 fields3 mountains8 forest4 "
    "hills10 pasture2/12 fields3 mountains10 hills4 ice",
    _SOUTH,
    _FRAME,
)
"""The beginner board of the base game (BB-P2)."""

_WATCH: Final = (
    "mountains5 pasture6 hills5 fields8 "
    "mountains6 hills4 fields9 pasture10 forest11 "
    "pasture3 forest9 pasture11 mountains3 forest8 mountains4 "
    "fields10 forest12 hills3 fields10 hills4 mountains2"
)

GIFT: Final = _lay(_ALL, _WATCH, _SOUTH, ())
"""The Watch game with four."""

GIFT_OF_THREE: Final = _lay(
    tuple(hex_ for hex_ in _ALL if hex_ not in _LEFT_OUT),
    " ".join(word for word, hex_ in zip(_WATCH.split(), _ALL, strict=True) if hex_ not in _LEFT_OUT),
    _SOUTH_OF_THREE,
    (),
)
"""The Watch game with three (BW-P2)."""


__all__ = [
    "BASE",
    "GIFT",
    "GIFT_OF_THREE",
    "ICE",
    "PRODUCE",
    "BoardLayout",
    "Chart",
    "chart",
    "read_land",
    "write_land",
]
