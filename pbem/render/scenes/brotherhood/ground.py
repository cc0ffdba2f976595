"""What never changes during a game: the Gift on paper, its trade routes, and in the full game the Wall and the north.

The map is given in the engine's own points, half a hex apart; here they become pixels. Everything is made from the
view, so that any land and any shape of board can be drawn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from engine.game import View
from pbem.render.geometry import Point

ACROSS: Final = 56
"""Half the width of a hex: from one point of the map to the next, west to east."""
DOWN: Final = 32
"""A quarter of the height of a hex."""
EDGE: Final = 6
"""Room around everything."""
MARGIN: Final = 22
"""Room at both sides of the map."""
HEADER: Final = 46
"""Room for the title."""
NORTH: Final = 230
"""Room for the Wall and the land before it."""
OUTSIDE: Final = 58
"""Room for trade routes above the map, where there is no Wall."""
SOUTH: Final = 48
"""Room for trade routes below it."""
STRIP: Final = 64
"""Room for prices and the supply at the bottom."""
PANEL: Final = 300
"""Room for the players beside the map."""
OFF: Final = 27
"""From a path to the sign of the trade route that it lies on."""

LEFT: Final = EDGE + MARGIN + ACROSS
"""Where the map's points with x = 0 lie: one column stands further west."""
RIGHT: Final = LEFT + 12 * ACROSS + MARGIN
"""Where the map ends and the panel begins."""

PIPS: Final = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
"""Of 36 throws of two dice, how many give a number."""


class Hex(NamedTuple):
    """A hex of the Gift, with how likely its number is."""

    letter: str
    land: str
    number: str
    pips: int
    middle: Point


class Route(NamedTuple):
    """A trade route: the sign beside its path, and lines from there to its two intersections."""

    resource: str
    sign: Point
    piers: str


class Trail(NamedTuple):
    """A trail from a clan's camps to a clearing, with its numbers in the middle."""

    numbers: str
    line: str
    middle: Point


class Clan(NamedTuple):
    """The area of a clan: the middle of its upper side, and its camps, the hottest first."""

    name: str
    top: Point
    camps: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class North:
    """The Wall and what lies before it."""

    clans: tuple[Clan, ...]
    trails: tuple[Trail, ...]
    clearings: tuple[Point, ...]
    sections: tuple[Point, ...]
    """The middles of the sections of the Wall."""
    guards: tuple[tuple[Point, ...], ...]
    """The guard spaces of each section, space 1 first."""
    frostfangs: Point
    camp: Point
    """Tormund's camp."""
    breaches: tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MapDrawing:
    """The map on paper, one for each map. Spots are counted from 1, so the entry 0 of `spots` is unused."""

    hexes: tuple[Hex, ...]
    middles: Mapping[str, Point]
    """The middles of the hexes by letter."""
    spots: tuple[Point, ...]
    paths: str
    """All paths as path data."""
    routes: tuple[Route, ...]
    north: North | None
    bottom: int
    """Where the map ends and the strip below it begins."""
    right: int = RIGHT
    top: int = HEADER
    width: int = RIGHT + PANEL

    @property
    def height(self) -> int:
        """The height of the whole picture."""
        return self.bottom + STRIP


class MapFacts(NamedTuple):
    """What a view says about the map, ready to be a key of a cache."""

    hexes: tuple[tuple[str, int, int, str, str], ...]
    spots: tuple[tuple[int, int], ...]
    paths: tuple[tuple[int, int], ...]
    routes: tuple[tuple[int, int, str], ...]
    walled: bool


def read_map(view: View) -> MapFacts:
    """The map of a view."""
    return MapFacts(
        hexes=tuple((each["hex"], each["row"], each["index"], each["land"], each["number"]) for each in view["hexes"]),
        spots=tuple((x, y) for x, y in view["spots"]),
        paths=tuple((one, two) for one, two in view["paths"]),
        routes=tuple((*each["spots"], each["resource"]) for each in view["routes"]),
        walled=view["watch"] is not None,
    )


def survey(view: View) -> MapDrawing:
    """Lay the map on paper."""
    return _survey(read_map(view))


@lru_cache(maxsize=64)
def _survey(facts: MapFacts) -> MapDrawing:
    zero = HEADER + (NORTH if facts.walled else OUTSIDE) + 2 * DOWN
    places = (Point(0, 0), *(_dot(x, y, zero) for x, y in facts.spots))
    laid = tuple(
        Hex(letter, land, number, count_pips(number), _dot(2 * index + 3 - row, 3 * row, zero))
        for letter, row, index, land, number in facts.hexes
    )
    return MapDrawing(
        hexes=laid,
        middles={each.letter: each.middle for each in laid},
        spots=places,
        paths="".join(f"M{_write(places[one])}L{_write(places[two])}" for one, two in facts.paths),
        routes=tuple(
            _route(places[one], places[two], resource, inland(one, two, laid, places))
            for one, two, resource in facts.routes
        ),
        north=_north() if facts.walled else None,
        bottom=max(point.y for point in places) + SOUTH,
    )


def _dot(x: int, y: int, zero: int) -> Point:
    return Point(LEFT + x * ACROSS, zero + y * DOWN)


def count_pips(number: str) -> int:
    """Of 36 throws, how many give a hex its cards; a hex may have two numbers, or none."""
    return sum(PIPS[int(each)] for each in number.split("/") if each)


def inland(one: int, two: int, hexes: Sequence[Hex], places: Sequence[Point]) -> Point:
    """The middle of the hex that lies nearest to a path."""
    middle = between(places[one], places[two])
    return min((each.middle for each in hexes), key=lambda at: (at.x - middle.x) ** 2 + (at.y - middle.y) ** 2)


def _route(one: Point, two: Point, resource: str, land: Point) -> Route:
    sign = seaward(one, two, land, OFF)
    return Route(resource, sign, f"M{_write(one)}L{_write(sign)}L{_write(two)}")


def seaward(one: Point, two: Point, land: Point, far: int) -> Point:
    """A point so far from a path, on the side away from the land: there stands the sign of a trade route."""
    middle, long = between(one, two), _long(one, two)
    across = ((two.y - one.y) / long, (one.x - two.x) / long)
    away = -1 if across[0] * (land.x - middle.x) + across[1] * (land.y - middle.y) > 0 else 1
    return Point(round(middle.x + away * across[0] * far), round(middle.y + away * across[1] * far))


def between(one: Point, two: Point) -> Point:
    """The middle of a path."""
    return Point((one.x + two.x) // 2, (one.y + two.y) // 2)


def _long(one: Point, two: Point) -> float:
    return float(((one.x - two.x) ** 2 + (one.y - two.y) ** 2) ** 0.5)


def _write(point: Point) -> str:
    return f"{point.x} {point.y}"


CLANS: Final = (("ice-river", 104, ("1 2", "3")), ("cave-dwellers", 336, ("4", "5")), ("hornfoot", 568, ("6", "7 8")))
"""The clans from the west, where their areas lie, and the numbers of their two trails."""
CAMPS: Final = 5
CAMP: Final = 34
"""From one camp to the next."""
CLEARING: Final = HEADER + 150
"""How low the clearings lie, and the Wall behind them."""
WALL: Final = HEADER + 199
SPACES: Final = 5
SPACE: Final = 21
"""From one guard space to the next."""


@lru_cache(maxsize=1)
def _north() -> North:
    sections = tuple(Point(LEFT + (3 + 2 * at) * ACROSS, WALL) for at in range(4))
    clearings = tuple(Point(section.x, CLEARING) for section in sections)
    clans = tuple(_clan(name, Point(LEFT + x, HEADER + 6)) for name, x, _ in CLANS)
    trails = [
        _trail(numbers, Point(clan.top.x + (2 * side - 1) * 46, clan.top.y + 78), clearings[at + side])
        for at, (clan, (_, _, both)) in enumerate(zip(clans, CLANS, strict=True))
        for side, numbers in enumerate(both)
    ]
    return North(
        clans=clans,
        trails=tuple(trails),
        clearings=clearings,
        sections=sections,
        guards=tuple(
            tuple(Point(section.x + (at - 2) * SPACE, WALL + 7) for at in range(SPACES)) for section in sections
        ),
        frostfangs=Point(EDGE + 62, CLEARING - 36),
        camp=Point(EDGE + 62, WALL - 2),
        breaches=tuple(Point(RIGHT - 104 + 34 * at, CLEARING + 18) for at in range(3)),
    )


def _clan(name: str, top: Point) -> Clan:
    return Clan(name, top, tuple(Point(top.x + (at - 2) * CAMP, top.y + 52) for at in range(CAMPS)))


def _trail(numbers: str, start: Point, end: Point) -> Trail:
    return Trail(numbers, f"M{_write(start)}L{_write(end)}", between(start, end))
