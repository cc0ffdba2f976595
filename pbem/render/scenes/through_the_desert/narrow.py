"""The desert for a telephone: upright, a quarter turn to the left.

Letters run up and numbers to the right; it is a turn and not a mirror, so neighbours stay neighbours and left stays
left. Two or three players see the part in play only. Measures are pixels of the picture.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Final, NamedTuple

from pbem.render.geometry import Point, neighbours, read_space
from pbem.render.narrow import WIDTH, NarrowScene
from pbem.render.scenes.through_the_desert.ground import survey
from pbem.render.scenes.through_the_desert.text import LETTERS
from pbem.render.tiles import Box, Figure

ACROSS: Final = 50
"""The width of a hex: from one number to the next."""
UP: Final = 43
"""From one letter to the next."""
RISE: Final = 29
"""Half the height of a hex."""
MARGIN: Final = 26
"""Room for letters and numbers above and below the board."""
LEFT: Final = (WIDTH - 13 * ACROSS - ACROSS // 2) // 2
"""Room for them at the left."""

HEX: Final = Box(-26, -30, 52, 60)
NAME: Final = Box(-26, -12, 52, 24)
LINK: Final = Box(-34, -34, 68, 68)
LOWER: Final = 10
"""How much lower the name of a space stands if there is water too."""
SPLIT: Final = 2
"""A space that is open to more colours than this has a tint of its own."""
OPEN: Final = "open"
KEPT: Final = 4096
"""Caravans whose figures are cached: in a turn one or two of a table change."""


class Label(NamedTuple):
    """A letter or a number at the edge."""

    text: str
    x: int
    y: int


@dataclass(frozen=True, slots=True, eq=False)
class PortraitGround:
    """The map on paper."""

    centres: Mapping[str, Point]
    sand: tuple[Point, ...]
    rocks: tuple[Point, ...]
    labels: tuple[Label, ...]
    height: int


@cache
def survey_portrait(board: str, players: int) -> PortraitGround:
    """Lay a board on paper."""
    drawn = survey(board, players)
    letters = drawn.letters[: max(read_space(space)[0] for space in drawn.in_play) + 1]
    bottom = MARGIN + 2 * RISE + (len(letters) - 1) * UP
    centres = {
        space: _centre(column, row, bottom)
        for space, (column, row) in ((space, read_space(space)) for space in drawn.spots)
        if column < len(letters)
    }
    columns = [(number, _centre(0, row, bottom).x) for row, number in enumerate(drawn.numbers)]
    shift = ACROSS // 2 * ((len(letters) - 1) % 2)
    return PortraitGround(
        centres=centres,
        sand=tuple(centre for space, centre in centres.items() if space in drawn.in_play),
        rocks=tuple(centres[rock.spot.name] for rock in drawn.rocks if rock.spot.name in centres),
        labels=(
            *(Label(number, x, bottom + MARGIN // 2) for number, x in columns),
            *(Label(number, x + shift, MARGIN // 2) for number, x in columns),
            *(
                Label(letter, x, _centre(column, 0, bottom).y)
                for column, letter in enumerate(letters)
                for x in (LEFT // 2 + 1, WIDTH - LEFT // 2 - 1)
            ),
        ),
        height=(bottom + MARGIN) // 2 * 2,
    )


def _centre(column: int, row: int, bottom: int) -> Point:
    return Point(LEFT + ACROSS // 2 + row * ACROSS + column % 2 * ACROSS // 2, bottom - RISE - column * UP)


class PortraitScene(NarrowScene):
    """What the template draws."""

    folder = "through-the-desert"

    @cached_property
    def ground(self) -> PortraitGround:
        """The map."""
        return survey_portrait(self.view["board"], len(self.view["seats"]))

    def middle_of(self, mark: str) -> Point:
        """The middle of a space."""
        return self.ground.centres[mark]

    def board(self) -> Iterator[Figure]:
        """Enclosed land, the last turn, water, oases, caravans."""
        oases, centres = set(self.view["oases"]), self.ground.centres
        for area in self.view["areas"]:
            for space in area["spaces"]:
                yield Figure("enclosed", (area["seat"], space in oases), HEX, centres[space], space)
        enclosed = {space for area in self.view["areas"] for space in area["spaces"]}
        for space in self.options.marked:
            yield Figure("marked", (), HEX, centres[space], space)
        for space, value in self.view["water"].items():
            yield Figure("water", (value,), HEX, centres[space], space)
        for space in self.view["oases"]:
            if space not in enclosed:
                yield Figure("oasis", (), HEX, centres[space], space)
        for seat in self.view["seats"]:
            yield from self._caravans(seat, own=False)

    def overlay(self) -> Iterator[Figure]:
        """The own caravans, and the spaces that are open to a camel or to a leader."""
        reader, centres = self.options.reader, self.ground.centres
        if reader in self.view["seats"]:
            yield from self._caravans(reader, own=True)
        for space, colours in _by_space(self.options.open).items():
            tints = tuple(colours) if len(colours) <= SPLIT else (OPEN,)
            water = self.view["water"].get(space, 0)
            x, y = centres[space]
            yield Figure("tint", tints, HEX, Point(x, y), space)
            if water:
                yield Figure("drop", (water,), HEX, Point(x, y), space)
            yield Figure("name", (space,), NAME, Point(x, y + LOWER if water else y), space)
        for space in self.options.wanted:
            yield Figure("name", (space,), NAME, centres[space], space)

    def _caravans(self, seat: str, *, own: bool) -> Iterator[Figure]:
        leaders = self.view["leaders"][seat]
        for colour, spaces in self.view["camels"][seat].items():
            yield from _caravan(self.ground, seat, colour, leaders[colour], tuple(spaces), own)


@lru_cache(maxsize=KEPT)
def _caravan(
    ground: PortraitGround, seat: str, colour: str, leader: str, spaces: tuple[str, ...], own: bool
) -> tuple[Figure, ...]:
    held = {read_space(space): ground.centres[space] for space in spaces}
    links = [
        Figure("link", (seat, there.x - here.x, there.y - here.y, own), LINK, _between(here, there))
        for place, here in held.items()
        for there in (held.get(each) for each in neighbours(*place)[1:4])
        if there is not None
    ]
    camels = [
        Figure(
            "camel",
            (seat, colour, LETTERS[colour], space == leader, own),
            HEX,
            ground.centres[space],
            space,
        )
        for space in spaces
    ]
    return (*links, *camels)


def _between(one: Point, two: Point) -> Point:
    return Point((one.x + two.x) // 2, (one.y + two.y) // 2)


def _by_space(moves: Iterable[object]) -> dict[str, list[str]]:
    """The colours that are open on each space."""
    opened: dict[str, list[str]] = {}
    for move in moves:
        space, colour = getattr(move, "space", None), getattr(move, "colour", None)
        if space is not None and colour is not None:
            opened.setdefault(space, []).append(colour)
    return opened
