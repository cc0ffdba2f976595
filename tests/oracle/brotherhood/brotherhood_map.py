"""The Gift as the oracle sees it: hexes (r, i), intersections (c, y) and paths as pairs of points.

Drawn again from section 2 of the rules digest, point by point, so that a slip in the engine's board cannot hide
here. It refuses to know the engine; numbers and letters are counted out in reading order.
"""

from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

ROWS = (4, 5, 6, 6)
LEFT_OUT_BY_THREE = {(2, 0), (2, 5), (3, 0), (3, 1), (3, 5)}

WATCH_BOARD = """
mountains 5, pasture 6, hills 5, fields 8
mountains 6, hills 4, fields 9, pasture 10, forest 11
pasture 3, forest 9, pasture 11, mountains 3, forest 8, mountains 4
fields 10, forest 12, hills 3, fields 10, hills 4, mountains 2
"""

BEGINNER_BOARD = """
forest 5, mountains 6, forest 5, fields 8
pasture 6, fields 4, hills 9, pasture 10, hills 11
forest 3, mountains 9, pasture 11, fields 3, mountains 8, forest 4
hills 10, pasture 2/12, fields 3, mountains 10, hills 4, ice
"""

YIELDS = {"forest": "lumber", "hills": "brick", "pasture": "wool", "fields": "grain", "mountains": "ore"}
"""The ice field yields nothing."""

RESOURCES = ("lumber", "brick", "wool", "grain", "ore")

WATCH_ROUTES = {
    4: {
        "grain": ((0, 11), (1, 10)),
        "brick": ((2, 11), (3, 10)),
        "lumber": ((4, 11), (5, 10)),
        "wool": ((6, 11), (7, 10)),
        "ore": ((8, 11), (9, 10)),
    },
    3: {
        "grain": ((2, 7), (3, 8)),
        "brick": ((3, 10), (4, 11)),
        "lumber": ((5, 10), (6, 11)),
        "wool": ((7, 10), (8, 11)),
        "ore": ((9, 10), (9, 8)),
    },
}

THREE_TO_ONE = (((1, 2), (1, 4)), ((11, 2), (11, 4)), ((5, -2), (6, -1)), ((9, -2), (10, -1)))
"""West, east and twice in the north, where the base game has no Wall."""

LINES = {
    1: ((0, 0), (1, 0), (2, 0), (3, 0)),
    2: ((0, 0), (1, 1), (2, 2), (3, 3)),
    3: ((0, 1), (1, 1), (2, 1), (3, 1)),
    4: ((0, 1), (1, 2), (2, 3), (3, 4)),
    5: ((0, 2), (1, 2), (2, 2), (3, 2)),
    6: ((0, 2), (1, 3), (2, 4), (3, 5)),
    7: ((0, 3), (1, 3), (2, 3), (3, 3)),
    8: ((0, 3), (1, 4), (2, 5), (3, 5)),
}
"""The hexes that those who come over a trail may take, from the Wall to the south."""


@dataclass(frozen=True)
class Board:
    """One board in play."""

    terrain: dict[Any, Any]  # hex -> forest, hills, pasture, fields, mountains or ice
    numbers: dict[Any, Any]  # hex -> the sums on which it yields
    touching: dict[Any, Any]  # intersection -> the hexes around it
    paths: frozenset[frozenset[Any]]  # of frozensets of two intersections
    beside: dict[Any, Any]  # intersection -> the intersections one path away
    two_to_one: dict[Any, Any]  # intersection -> resource
    three_to_one: frozenset[Any]  # of intersections
    routes: tuple[Any, ...]  # pairs of a resource, or "any", and its two intersections
    lines: dict[Any, Any]  # trail number -> hexes
    points: dict[Any, Any]  # the intersections in reading order, with their numbers
    hexes: tuple[Any, ...]  # the hexes in reading order

    def number(self, point: Any) -> Any:
        """How a record names an intersection."""
        return self.points[point]

    def letter(self, place: Any) -> Any:
        """How a record names a hex."""
        return ascii_uppercase[self.hexes.index(place)]

    def point(self, number: Any) -> Any:
        """The intersection of a number, or None."""
        fits = type(number) is int and 1 <= number <= len(self.points)
        return list(self.points)[number - 1] if fits else None

    def hex(self, letter: Any) -> Any:
        """The hex of a letter, or None."""
        letters = ascii_uppercase[: len(self.hexes)]
        return self.hexes[letters.index(letter)] if letter and letter in list(letters) else None

    def path(self, one: Any, two: Any) -> Any:
        """The path between two numbers, the smaller first, or None."""
        ends = frozenset((self.point(one), self.point(two)))
        return ends if ends in self.paths and one < two else None

    def ends(self, path: Any) -> Any:
        """How a record names a path."""
        return tuple(sorted(map(self.number, path)))


def corners(place: Any) -> Any:
    """The six corners of a hex, clockwise from the north."""
    row, index = place
    c, y = 2 * index + 3 - row, 3 * row
    return [(c, y - 2), (c + 1, y - 1), (c + 1, y + 1), (c, y + 2), (c - 1, y + 1), (c - 1, y - 1)]


def around(place: Any) -> Any:
    """The places beside a hex, in play or not."""
    r, i = place
    return [(r, i - 1), (r, i + 1), (r - 1, i - 1), (r - 1, i), (r + 1, i), (r + 1, i + 1)]


def reading_order(point: Any) -> Any:
    """North to south, then west to east."""
    c, y = point
    return y, c


def hexes_in_play(watch: Any, players: Any) -> Any:
    """Sixteen hexes when three keep the Watch, else all."""
    every = [(row, index) for row, length in enumerate(ROWS) for index in range(length)]
    return tuple(place for place in every if not (watch and players == 3 and place in LEFT_OUT_BY_THREE))


def printed(board: Any) -> Any:
    """Terrain and number by hex of a board as the digest prints it."""
    rows = [line.split(", ") for line in board.split("\n") if line]
    return {(row, index): cell.split() for row, cells in enumerate(rows) for index, cell in enumerate(cells)}


def lay(watch: Any, players: Any, terrain: Any = None, routes: Any = None) -> Any:
    """The board in play; `terrain` in reading order and `routes` from west to east when they are not the usual ones."""
    hexes = hexes_in_play(watch, players)
    standard = printed(WATCH_BOARD if watch else BEGINNER_BOARD)
    kinds = dict(zip(hexes, terrain or [standard[place][0] for place in hexes], strict=True))
    if watch:
        labels = {place: standard[place][1] for place in hexes}
    else:
        order = [cell[1] for cell in standard.values() if len(cell) == 2]
        labels = dict(zip([place for place in hexes if kinds[place] != "ice"], order, strict=True))
    touching: dict[Any, set[Any]] = {}
    paths = set()
    for place in hexes:
        around = corners(place)
        for number, point in enumerate(around):
            touching.setdefault(point, set()).add(place)
            paths.add(frozenset((point, around[number - 1])))
    places = WATCH_ROUTES[3 if watch and players == 3 else 4]
    by_kind = tuple(zip(routes or places, places.values(), strict=True))
    for_any = () if watch else THREE_TO_ONE
    return Board(
        terrain=kinds,
        numbers={place: {int(part) for part in labels.get(place, "").split("/") if part} for place in hexes},
        touching=touching,
        paths=frozenset(paths),
        beside={point: {other for path in paths if point in path for other in path - {point}} for point in touching},
        two_to_one={point: kind for kind, ends in by_kind for point in ends},
        three_to_one=frozenset(point for ends in for_any for point in ends),
        routes=(*by_kind, *(("any", ends) for ends in for_any)),
        lines={trail: tuple(place for place in line if place in hexes) for trail, line in LINES.items()},
        points={point: number for number, point in enumerate(sorted(touching, key=reading_order), start=1)},
        hexes=hexes,
    )
