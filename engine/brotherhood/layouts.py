"""The boards of the box: which hexes, what land, which numbers, where the trade routes lie.

The rulebook's pictures are not to be had for all of it; BB-P2, BB-P3, BB-P6 and BW-P2 say what we laid and why. Land is
written in reading order, one word a hex: ``forest5 mountains6 … pasture2/12 … ice``.
"""

import re
from dataclasses import dataclass
from typing import Final

from engine.brotherhood.board import Chart, Hex, Point, chart

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
class Layout:
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
) -> Layout:
    board = chart(hexes)

    def route(ends: tuple[Point, Point]) -> int:
        return 1 << board.spot(ends[0]) | 1 << board.spot(ends[1])

    return Layout(board, land, tuple(map(route, south)), tuple(map(route, frame)))


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
