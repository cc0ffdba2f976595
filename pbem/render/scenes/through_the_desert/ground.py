"""What never changes during a game: the map of the desert on paper, with its coordinates.

Only the number of players matters, since two or three leave the east part of the board out of play.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from string import ascii_uppercase
from typing import Final, NamedTuple

from engine.through_the_desert.board import BOARDS
from pbem.render.geometry import ACROSS, DOWN, RISE, SIDE, Layout, Point, read_space
from pbem.render.plain_scene import Spot

MARGIN: Final = 30
"""Room for the coordinates around the board."""
HEADER: Final = 46
"""Room for the title above it."""
FOOTER: Final = 116
"""Room for players, herds and signs below it."""

LAYOUT: Final = Layout(left=MARGIN + SIDE, top=HEADER + MARGIN + RISE)
"""Where the hexes of every board lie."""

EVERYBODY: Final = 5
"""So many players use all of every board."""

NEAR: Final = 3
"""Words in the wild need so many hexes around them."""

LOOKS: Final = 3
"""Sand and mountains come in so many looks, so that the desert does not seem printed."""


class Rock(NamedTuple):
    """A mountain; a far one lies next to spaces out of play."""

    spot: Spot
    look: int
    far: bool


@dataclass(frozen=True, slots=True)
class DesertDrawing:
    """The map on paper. Hexes and lines are path data."""

    layout: Layout
    spots: Mapping[str, Spot]
    centres: Mapping[str, Point]
    """The middles of all hexes."""
    in_play: frozenset[str]
    special: frozenset[str]
    """The spaces in play where a waterhole or an oasis may lie."""
    sand: tuple[str, ...]
    """The spaces in play, by look."""
    far: str
    """The spaces out of play; empty when there are none."""
    far_middle: Point | None
    """Where that can be said."""
    rocks: tuple[Rock, ...]
    border: str
    """The line between what is in play and what is not; empty when everything is."""
    letters: tuple[str, ...]
    numbers: tuple[str, ...]
    """The names of columns and rows."""
    coordinates: tuple[Spot, ...]
    """The same on all four sides of the board."""
    top: int
    bottom: int
    """Where the board begins and ends; the title stands above it, the legend below."""
    width: int
    height: int


@cache
def survey(board: str, players: int) -> DesertDrawing:
    """Lay a board on paper."""
    chart = BOARDS[board]
    grid = chart.grid
    layout = LAYOUT
    spots = {space: spot_of(space) for space in grid.bits}
    in_play = frozenset(grid.spaces(chart.spaces(players)))
    far = frozenset(grid.spaces(chart.spaces(EVERYBODY))) - in_play
    letters = tuple(ascii_uppercase[: grid.columns])
    numbers = tuple(str(row + 1) for row in range(grid.rows))
    bottom = HEADER + 2 * MARGIN + grid.rows * DOWN + RISE
    width = 2 * MARGIN + 2 * SIDE + (grid.columns - 1) * ACROSS
    return DesertDrawing(
        layout,
        spots,
        centres={space: layout.centre(space) for space in spots},
        in_play=in_play,
        special=frozenset(grid.spaces(chart.dots(players) | chart.palms(players))),
        sand=tuple(
            layout.hexagons(space for space in spots if space in in_play and look_of(space) == look)
            for look in range(LOOKS)
        ),
        far=layout.hexagons(sorted(far)),
        far_middle=_heart(layout, sorted(far)) if far else None,
        rocks=tuple(
            Rock(spot, look_of(space), far=_nearest(layout, space, (*in_play, *far)) in far)
            for space, spot in spots.items()
            if space not in in_play | far
        ),
        border=layout.frontier(in_play, far),
        letters=letters,
        numbers=numbers,
        coordinates=(
            *(
                _label(letter, layout.centre(f"{letter}1").x, y)
                for letter in letters
                for y in (HEADER + 21, bottom - 11)
            ),
            *(_label(number, 18, layout.centre(f"{letters[0]}{number}").y + 5) for number in numbers),
            *(_label(number, width - 18, layout.centre(f"{letters[-1]}{number}").y + 5) for number in numbers),
        ),
        top=HEADER,
        bottom=bottom,
        width=width,
        height=bottom + FOOTER,
    )


@cache
def spot_of(space: str) -> Spot:
    """A space with its place on paper."""
    x, y = LAYOUT.centre(space)
    return Spot(space, f'x="{x}" y="{y}" data-at="{space}"')


def _label(name: str, x: int, y: int) -> Spot:
    return Spot(name, f'x="{x}" y="{y}"')


def _nearest(layout: Layout, space: str, others: Iterable[str]) -> str:
    """The other space fewest steps away; of several the first."""
    return min(others, key=lambda other: _steps(layout, space, other))


def _heart(layout: Layout, spaces: Collection[str]) -> Point:
    """The middle of the space that has most of the others close around it."""

    def company(space: str) -> int:
        return sum(_steps(layout, space, other) <= NEAR for other in spaces)

    return layout.centre(max(spaces, key=company))


def _steps(layout: Layout, here: str, there: str) -> int:
    return round(math.dist(layout.centre(here), layout.centre(there)) / DOWN)


@cache
def look_of(space: str) -> int:
    """Vary the looks in a way that shows no pattern and never changes."""
    column, row = read_space(space)
    return (column * 7 + row * 11 + column * row) % LOOKS
