"""What may change during a game, as figures with a place on paper.

The SVG picture draws all figures over the ground, one after the other; the tile renderer pastes a tile for each. So
both show the same, and neither knows what a figure means.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.game import View
from pbem.render.geometry import Point
from pbem.render.scenes.brotherhood.ground import MapDrawing, North
from pbem.render.tiles import Box, Figure

PAGE: Final = "page"
LAND: Final = "land"
SNOW: Final = "snow"
STONE: Final = "stone"
"""What a figure lies on: the paper, the Gift, the north, the Wall."""

PIECE: Final = Box(-19, -24, 38, 44)
PAWN: Final = Box(-17, -22, 34, 40)
GUARD: Final = Box(-13, -14, 26, 30)
HEX: Final = Box(-50, -58, 100, 116)
TOKEN: Final = Box(-13, -13, 26, 26)
COUNT: Final = Box(-30, -22, 60, 44)
ROAD: Final = 38
"""From the middle of a path to all that is drawn of a road on it."""
BESIDE: Final = 35
BELOW: Final = 11
"""From the middle of a hex to the figures on it, wildlings to the west of its number and Tormund to the east."""


def show_gift(view: View, ground: MapDrawing, marked: Sequence[str]) -> Iterator[Figure]:
    """Held hexes, roads, settlements and keeps, wildlings, Tormund."""
    gift = view["watch"]["gift"] if view["watch"] else {}
    for each in ground.hexes:
        if each.letter in gift:
            facts = (each.letter, each.land, each.number, each.pips)
            yield Figure("held", facts, HEX, each.middle, each.letter, LAND)
    for seat, paths in view["roads"].items():
        for one, two in paths:
            here, there = ground.spots[one], ground.spots[two]
            middle = Point((here.x + there.x) // 2, (here.y + there.y) // 2)
            facts = (seat, there.x - here.x, there.y - here.y, f"{one}-{two}" in marked)
            yield Figure("road", facts, Box(-ROAD, -ROAD, 2 * ROAD, 2 * ROAD), middle, f"{one}-{two}", LAND)
    for kind in ("settlement", "keep"):
        for seat, spots in view[f"{kind}s"].items():
            for spot in spots:
                yield Figure(kind, (seat, spot, str(spot) in marked), PIECE, ground.spots[spot], str(spot), LAND)
    for letter, wildling in gift.items():
        x, y = ground.middles[letter]
        yield Figure("wildling", (wildling,), PAWN, Point(x - BESIDE, y + BELOW), letter, LAND)
    if view["tormund"] is not None:
        x, y = ground.middles[view["tormund"]]
        yield Figure("tormund", (view["tormund"] in marked,), PAWN, Point(x + BESIDE, y + BELOW), view["tormund"], LAND)
    elif ground.north is not None:
        yield Figure("tormund", (False,), PAWN, ground.north.camp, "camp", SNOW)


def show_north(view: View, north: North, marked: Sequence[str]) -> Iterator[Figure]:
    """Guards, camps, clearings, the Frostfangs and breaches."""
    watch = view["watch"]
    for number, (section, places) in enumerate(zip(watch["sections"], north.guards, strict=True), start=1):
        for space, (seat, at) in enumerate(zip(section, places, strict=False), start=1):
            last = f"section {number}" in marked and space == len(section)
            yield Figure("guard", (seat, last), GUARD, at, f"{number}.{space}", STONE)
    for clan in north.clans:
        for camp, (kind, at) in enumerate(zip(watch["camps"][clan.name], clan.camps, strict=False), start=1):
            yield Figure("wildling", (kind,), PAWN, at, f"{clan.name} {camp}", SNOW)
    for number, (waiting, at) in enumerate(zip(watch["clearings"], north.clearings, strict=True), start=1):
        if waiting:
            yield Figure("waiting", (waiting,), COUNT, at, f"clearing {number}", SNOW)
    yield Figure("frostfangs", tuple(watch["frostfangs"].values()), Box(-56, -2, 112, 40), north.frostfangs, on=SNOW)
    for number, at in enumerate(north.breaches[: watch["breaches"]], start=1):
        yield Figure("breach", (number,), TOKEN, at, f"breach {number}", SNOW)


def show_open(ground: MapDrawing, legal: Sequence[str]) -> Iterator[Figure]:
    """What is open to somebody, where that is asked for: intersections, paths, hexes and sections of the Wall."""
    for mark in legal:
        at = find_place(mark, ground)
        if at is not None:
            yield Figure("open", (), TOKEN, at, mark, LAND)


def find_place(mark: str, ground: MapDrawing) -> Point | None:
    """Where a mark lies; None for the Wall where there is none."""
    if mark in ground.middles:
        x, y = ground.middles[mark]
        return Point(x, y - 40)
    if mark.startswith("section "):
        return ground.north.sections[int(mark.split()[1]) - 1] if ground.north else None
    ends = [ground.spots[int(spot)] for spot in mark.split("-")]
    return Point(sum(end.x for end in ends) // len(ends), sum(end.y for end in ends) // len(ends))
