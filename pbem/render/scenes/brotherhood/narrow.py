"""The Gift for a telephone: the map over the whole width, above it the Wall as four boxes.

Intersections are discs with their numbers, and houses and keeps have the number inside. What lies north of the Wall,
the players, hands and prices are told in words. Measures are pixels of the picture.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from engine.brotherhood.moves import Keep, Settlement
from pbem.render.geometry import Point
from pbem.render.narrow import WIDTH, NarrowScene
from pbem.render.scenes.brotherhood.ground import Hex, MapFacts, between, count_pips, inland, read_map, seaward
from pbem.render.scenes.brotherhood.text import SIGNS
from pbem.render.tiles import Box, Figure

ACROSS: Final = 51
"""Half the width of a hex."""
DOWN: Final = 29.5
"""A quarter of its height."""
LEFT: Final = 81
"""Where the map's points with x = 0 lie: one column stands further west, and beside it half of a keep."""
EDGE: Final = 10
WALL: Final = 66
"""The height of the boxes of the Wall."""
ABOVE: Final = 36
"""Room above the uppermost intersections: for a keep, or for a trade route where there is no Wall."""
BELOW: Final = 72
"""Room below the lowest ones, for trade routes."""
OFF: Final = 40
"""From a path to the words of its trade route."""
SPACES: Final = 5
"""Guard spaces of a section."""

PIECE: Final = Box(-26, -34, 52, 60)
ROAD: Final = Box(-34, -36, 68, 72)
HEX: Final = Box(-48, -42, 96, 86)
GUARD: Final = Box(-15, -15, 30, 30)


class Sign(NamedTuple):
    """The words of a trade route, and lines towards them from its two intersections."""

    resource: str
    at: Point
    piers: str


class Section(NamedTuple):
    """A section of the Wall: its box, and the middles of its guard spaces."""

    number: int
    box: Box
    spaces: tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GiftGround:
    """The map on paper. Spots are counted from 1, so the entry 0 of `spots` is unused."""

    hexes: tuple[Hex, ...]
    middles: Mapping[str, Point]
    spots: tuple[Point, ...]
    paths: tuple[tuple[Point, Point], ...]
    signs: tuple[Sign, ...]
    sections: tuple[Section, ...]
    height: int


@lru_cache(maxsize=64)
def survey_gift(facts: MapFacts) -> GiftGround:
    """Lay the map on paper."""
    top = EDGE + ABOVE + (WALL if facts.walled else EDGE)
    lowest = min(y for _, y in facts.spots)

    def dot(x: int, y: int) -> Point:
        return Point(LEFT + x * ACROSS, top + int((y - lowest) * DOWN))

    spots = (Point(0, 0), *(dot(x, y) for x, y in facts.spots))
    hexes = tuple(
        Hex(letter, land, number, count_pips(number), dot(2 * index + 3 - row, 3 * row))
        for letter, row, index, land, number in facts.hexes
    )
    return GiftGround(
        hexes=hexes,
        middles={each.letter: each.middle for each in hexes},
        spots=spots,
        paths=tuple((spots[one], spots[two]) for one, two in facts.paths),
        signs=tuple(
            _sign(resource, spots[one], spots[two], inland(one, two, hexes, spots))
            for one, two, resource in facts.routes
        ),
        sections=tuple(map(_section, range(1, 5))) if facts.walled else (),
        height=(max(spot.y for spot in spots) + BELOW) // 2 * 2,
    )


def _sign(resource: str, one: Point, two: Point, land: Point) -> Sign:
    at = seaward(one, two, land, OFF)
    near = [between(end, at) for end in (one, two)]
    piers = "".join(f"M{end.x} {end.y}L{there.x} {there.y}" for end, there in zip((one, two), near, strict=True))
    return Sign(resource, at, piers)


def _section(number: int) -> Section:
    wide = (WIDTH - 2 * EDGE) // 4
    left = EDGE + (number - 1) * wide
    spaces = tuple(Point(left + wide // 2 + (at - SPACES // 2) * 32, EDGE + 46) for at in range(SPACES))
    return Section(number, Box(left + 2, EDGE - 2, wide - 4, WALL), spaces)


class GiftScene(NarrowScene):
    """What the template draws, for both games."""

    folder = "brotherhood"

    @cached_property
    def ground(self) -> GiftGround:
        """The map."""
        return survey_gift(read_map(self.view))

    def board(self) -> Iterator[Figure]:
        """Wildlings and Tormund, roads, settlements and keeps, guards and those who wait before the Wall."""
        ground, watch = self.ground, self.view["watch"]
        for letter, kind in (watch["gift"] if watch else {}).items():
            yield Figure("wildling", (kind,), HEX, ground.middles[letter], letter)
        if self.view["tormund"] is not None:
            facts = (self._number(self.view["tormund"]), self.view["tormund"] in self.options.marked)
            yield Figure("tormund", facts, HEX, ground.middles[self.view["tormund"]], self.view["tormund"])
        for seat in self.view["seats"]:
            yield from self._pieces(seat, own=False)
        for section, waiting in zip(ground.sections, watch["clearings"] if watch else (), strict=True):
            if waiting:
                x = section.box.left + section.box.width
                yield Figure("waiting", (waiting,), Box(-52, 4, 50, 28), Point(x, section.box.top))

    def _number(self, letter: str) -> tuple[str, int]:
        return next((each.number, each.pips) for each in self.ground.hexes if each.letter == letter)

    def middle_of(self, mark: str) -> Point:
        """An intersection, or the middle of a hex."""
        return self.ground.spots[int(mark)] if mark.isdigit() else self.ground.middles[mark]

    def overlay(self) -> Iterator[Figure]:
        """The own pieces, and where a road, a settlement, a keep or a guard may go, or Tormund."""
        reader, ground, opened = self.options.reader, self.ground, read_open(self.options.open)
        is_player = reader in self.view["seats"]
        if is_player:
            yield from self._pieces(reader, own=True, growing=opened.keeps)
        for one, two in opened.paths:
            yield self._on_path("path", one, two, (reader if is_player else self.view["on_turn"],))
        for spot in opened.spots:
            yield Figure("spot", (spot,), PIECE, ground.spots[spot], str(spot))
        for letter in opened.hexes:
            yield Figure("hex", (letter,), HEX, ground.middles[letter], letter)
        for number in opened.sections:
            left, top, wide, high = ground.sections[number - 1].box
            yield Figure("section", (wide, high), Box(0, 0, wide, high), Point(left, top), f"section {number}")

    def _pieces(self, seat: str, *, own: bool, growing: Iterable[int] = ()) -> Iterator[Figure]:
        view, marked = self.view, self.options.marked
        for one, two in view["roads"][seat]:
            yield self._on_path("road", one, two, (seat, own, f"{one}-{two}" in marked))
        for kind in ("settlement", "keep"):
            for spot in view[f"{kind}s"][seat]:
                facts = (seat, spot, own, str(spot) in marked, spot in growing)
                yield Figure(kind, facts, PIECE, self.ground.spots[spot], str(spot))
        for section, guards in zip(
            self.ground.sections, view["watch"]["sections"] if view["watch"] else (), strict=True
        ):
            for at, (guard, place) in enumerate(zip(guards, section.spaces, strict=False), start=1):
                if guard == seat:
                    fresh = f"section {section.number}" in marked and at == len(guards)
                    yield Figure("guard", (seat, SIGNS[seat], own, fresh), GUARD, place, f"{section.number}.{at}")

    def _on_path(self, drawing: str, one: int, two: int, facts: tuple[Any, ...]) -> Figure:
        here, there = self.ground.spots[one], self.ground.spots[two]
        turned = (there.x > here.x) - (there.x < here.x), (there.y > here.y) - (there.y < here.y)
        return Figure(drawing, (*facts, *turned), ROAD, between(here, there), f"{one}-{two}")


class Opened(NamedTuple):
    """What some moves lead to, each once."""

    paths: tuple[tuple[int, int], ...]
    spots: tuple[int, ...]
    keeps: tuple[int, ...]
    hexes: tuple[str, ...]
    sections: tuple[int, ...]


def read_open(moves: Iterable[Any]) -> Opened:
    """Where moves may build, and what else they name on the map."""
    paths: dict[tuple[int, int], None] = {}
    found: dict[str, dict[Any, None]] = {"spot": {}, "keep": {}, "hex": {}, "section": {}}
    for move in moves:
        if isinstance(getattr(move, "one", None), int):
            paths[move.one, move.two] = None
        for path in (*getattr(move, "paths", ()), *([move.rebuilt] if hasattr(move, "rebuilt") else ())):
            paths[path] = None
        if isinstance(move, Settlement | Keep):
            found["keep" if isinstance(move, Keep) else "spot"][move.spot] = None
        for name in ("hex", "section"):
            if hasattr(move, name):
                found[name][getattr(move, name)] = None
    return Opened(tuple(paths), *(tuple(those) for those in found.values()))
