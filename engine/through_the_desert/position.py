"""One table of Through the Desert at one moment.

A Position holds raw facts as integers of bits and is never changed. A turn that was cut short because nothing
more can be placed is not noted in it: `legal.settle` works that out on request. That keeps carrying a game forward
cheap, since a legal camel proves by itself that its player could place one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final, NamedTuple

from engine.game import Seat
from engine.hexes import HexGrid
from engine.through_the_desert.board import BOARDS, COLOURS

REMOVAL: Final = "removal"
LEADERS: Final = "leaders"
CAMELS: Final = "camels"
LAST: Final = "last"
"""A turn of camels in which a herd has become empty: the game ends with it (TD-S1)."""
OVER: Final = "over"

COLOUR_AT: Final = {colour: index for index, colour in enumerate(COLOURS)}
KINDS: Final = len(COLOURS)


class Site(NamedTuple):
    """A space in play: its bit, its neighbours in play, and the shift that brings those down to bit 0."""

    bit: int
    near: int
    shift: int


@cache
def sites(board: str, players: int) -> dict[str, Site]:
    """The spaces in play by name."""
    chart = BOARDS[board]
    grid, spaces = chart.grid, chart.spaces(players)
    return {
        name: Site(bit, grid.grow(bit) & spaces, bit.bit_length() - 1 - grid.stride)
        for name, bit in grid.bits.items()
        if bit & spaces
    }


@cache
def gates(board: str, players: int) -> int:
    """Spaces at the edge or the mountains where one piece alone may cut something off."""
    splits = BOARDS[board].grid.splits
    return sum(site.bit for site in sites(board, players).values() if site.near >> site.shift in splits)


@lru_cache(maxsize=64)
def shores_around(board: str, oases: int) -> Mapping[int, int]:
    """The spaces around each oasis; there are few ways to place them."""
    grid = BOARDS[board].grid
    return {oasis: grid.grow(oasis) for oasis in grid.each(oases)}


@lru_cache(maxsize=64)
def shores_by_space(board: str, oases: int) -> Mapping[int, tuple[int, ...]]:
    """For each space next to an oasis, the shores that it is part of."""
    shores = shores_around(board, oases).values()
    grid = BOARDS[board].grid
    return {bit: tuple(shore for shore in shores if bit & shore) for bit in grid.each(grid.grow(oases))}


@cache
def rim(board: str, players: int) -> int:
    """Spaces at the edge or the mountains: those with fewer than six neighbours in play."""
    return sum(site.bit for site in sites(board, players).values() if site.near.bit_count() < 6)


@dataclass(frozen=True, slots=True)
class Ground:
    """What never changes during one game: the table, the board in play, the oases and where water lay."""

    seats: tuple[Seat, ...]
    board: str
    oases: int
    water: tuple[int, int, int]
    """The waterholes of value 1, 2 and 3 as they were laid."""
    herd: int
    """Camels in each herd at the start."""
    grid: HexGrid = field(compare=False, repr=False)
    sites: dict[str, Site] = field(compare=False, repr=False)
    spaces: int = field(compare=False)
    """All spaces in play."""
    splits: Mapping[int, tuple[int, ...]] = field(compare=False, repr=False)
    """The grid's `splits`, at hand."""
    gates: int = field(compare=False)
    """The board's `gates`, at hand."""
    rim: int = field(compare=False)
    """The board's `rim`, at hand."""
    shore_of: Mapping[int, int] = field(compare=False, repr=False)
    """The spaces around each oasis."""
    shores_at: Mapping[int, tuple[int, ...]] = field(compare=False, repr=False)
    """For each space next to an oasis, the shores that it is part of."""
    shores: int = field(compare=False)
    """All spaces next to an oasis."""
    wet: int = field(compare=False)
    """All waterholes as they were laid."""
    flock: int = field(compare=False)
    """Camels of one colour on the board, leaders included, when its herd is empty."""
    camel_turn: int = field(compare=False)
    """The first turn of the camels."""
    full_turn: int = field(compare=False)
    """The first turn of two camels (TD-T2)."""

    def worth(self, spaces: int) -> int:
        """The points of the waterholes that were laid on some spaces."""
        one, two, three = self.water
        return (spaces & one).bit_count() + 2 * (spaces & two).bit_count() + 3 * (spaces & three).bit_count()


class Area(NamedTuple):
    """Spaces cut off by one caravan; they are out of the game."""

    who: int
    colour: int
    spaces: int
    turn: int


class Position(NamedTuple):
    """The table now. Caravans stand in `camels` at seat * 5 + colour, their leader's bit in `leaders`."""

    ground: Ground
    phase: str
    turn: int
    who: int
    """The seat whose turn it is, unless `order.settle` finds that it is over."""
    placed: int
    """Camels placed in this turn."""
    free: int
    """Spaces that could take a camel: no camel, no oasis, not enclosed."""
    camels: tuple[int, ...]
    flocks: tuple[int, ...]
    """All camels of each colour, of all players."""
    leaders: tuple[int, ...]
    taken: tuple[int, ...]
    """Points in tokens: water of each seat, then oases of each seat."""
    areas: tuple[Area, ...]
    removed: tuple[int, ...]
    """Colours removed with five players, by seat as far as the removal has come (TD-P2)."""

    def leader_ground(self) -> int:
        """The spaces that may take a leader, of any colour (TD-L2 to TD-L4)."""
        ground = self.ground
        around = ground.grid.grow(sum(self.leaders))
        return self.free & ~(ground.wet | ground.shores | around)

    def herd(self, colour: int) -> int:
        """The camels of a colour that can still be taken."""
        placed = self.flocks[colour].bit_count() - sum(map(bool, self.leaders[colour::KINDS]))
        return self.ground.herd - placed
