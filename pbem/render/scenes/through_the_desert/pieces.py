"""The tiles of Through the Desert that are made of several drawings, which many of them share.

A drawing takes milliseconds and putting drawings together a fraction of one, so what comes in many combinations is
drawn in parts. Where they go is for the tile renderer.
"""

import math
from functools import cache, lru_cache
from typing import Final, NamedTuple

from pbem.render.geometry import ACROSS, CORNERS, DOWN, RISE, Point
from pbem.render.scenes.through_the_desert.ground import survey
from pbem.render.scenes.through_the_desert.scene import Herd
from pbem.render.scenes.through_the_desert.text import LETTERS
from pbem.render.tiles import DRAWN, KEPT, WHOLE, WIPING, Box, Drawing, TileSpec

HALF: Final = 32
"""Half of the side of a space's tile: a hex, and room for a crown above it."""
HEX: Final = Box(-HALF, -HALF, 2 * HALF, 2 * HALF)
CHIP: Final = Box(-22, -22, 84, 42)
HALFWAY: Final = tuple(
    (round(x * 0.52, 2), round(y * 0.52, 2))
    for x, y in ((0, -DOWN), (ACROSS, -RISE), (ACROSS, RISE), (0, DOWN), (-ACROSS, RISE), (-ACROSS, -RISE))
)
"""From the middle of a hex to each of its sides, and a little over it, so that no gap shows."""
STEPS: Final = 16
"""So many positions of the stripes in a hex are distinguished; smaller differences cannot be seen."""


class Hatching(NamedTuple):
    """Whose stripes, how they are turned, and how far it is from one to the next."""

    seat: str
    angle: int
    stripe: int


class PieceKind(NamedTuple):
    """Whose camel, of which colour."""

    seat: str
    colour: str
    letter: str


@lru_cache(maxsize=KEPT)
def make_camel(seat: str, colour: str, links: tuple[bool, ...], is_leader: bool, backdrop: str) -> TileSpec:
    """A camel with the lines towards those of its caravan that stand on neighbouring spaces."""
    sides = [side for side, linked in enumerate(links) if linked]
    drawings = (
        *(Drawing("band", (seat, *HALFWAY[side]), HEX) for side in sides),
        *(Drawing("trail", (colour, *HALFWAY[side]), HEX) for side in sides),
        Drawing("camel", (PieceKind(seat, colour, LETTERS[colour]),), HEX),
        *((Drawing("figure", ("crown",), HEX),) if is_leader else ()),
    )
    return TileSpec(drawings, backdrop, WIPING)


@lru_cache(maxsize=KEPT)
def make_enclosed(seat: str, look: int, hatched: Drawing, has_oasis: bool, backdrop: str) -> TileSpec:
    """An enclosed space with its owner's hatching and mark."""
    drawings = (
        Drawing("sand", (look,), HEX),
        hatched,
        Drawing("mark", (seat,), HEX),
        *((Drawing("figure", ("oasis",), HEX),) if has_oasis else ()),
    )
    return TileSpec(drawings, backdrop, DRAWN)


@lru_cache(maxsize=KEPT)
def make_rim(seat: str, sides: tuple[int, ...], backdrop: str) -> TileSpec:
    """The sides of an enclosed space that lead out of its area."""
    ends = [(CORNERS[side], CORNERS[(side + 1) % len(CORNERS)]) for side in sides]
    return TileSpec(tuple(Drawing("rim", (seat, *both), HEX) for both in ends), backdrop, DRAWN)


@lru_cache(maxsize=KEPT)
def make_chip(herd: Herd, backdrop: str) -> TileSpec:
    """A herd's sign and how many are left."""
    return TileSpec(
        (Drawing("coat", (herd.colour, herd.letter), CHIP), Drawing("left", (herd.left,), CHIP)), backdrop, WHOLE
    )


@cache
def hatch(hatching: Hatching, board: str, players: int) -> dict[str, Drawing]:
    """The hatching of each space of a board: it runs on from hex to hex, so its box is a place on the board.

    Along its stripes a hatching is the same everywhere, so a few hexes show all there is.
    """
    ground, first = survey(board, players), dict[int, Drawing]()
    return {
        space: first.setdefault(
            _reach(hatching, centre), _draw_hatching(hatching.seat, centre, ground.layout.hexagons([space]))
        )
        for space, centre in ground.centres.items()
    }


def _reach(hatching: Hatching, centre: Point) -> int:
    """How far the middle of a hex is from the beginning of a stripe."""
    angle = math.radians(hatching.angle)
    across = centre.x * math.cos(angle) + centre.y * math.sin(angle)
    return round(across * STEPS / hatching.stripe) % STEPS


def _draw_hatching(seat: str, centre: Point, hexagon: str) -> Drawing:
    return Drawing("hatching", (seat, hexagon), Box(centre.x - HALF, centre.y - HALF, HEX.width, HEX.height))
