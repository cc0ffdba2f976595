"""The table at one moment, turned into places on paper."""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from pbem.render.geometry import Point, read_space
from pbem.render.plain_scene import PlainScene, Spot
from pbem.render.players import ShownPlayer
from pbem.render.scenes.through_the_desert.ground import LAYOUT, DesertDrawing, spot_of, survey
from pbem.render.scenes.through_the_desert.text import LETTERS, draw_lines

KEPT: Final = 4096
"""Caravans that are cached: from one turn to the next a table changes one or two."""


class Water(NamedTuple):
    """A waterhole that nobody has taken yet."""

    spot: Spot
    value: int


class Herd(NamedTuple):
    """The camels of a colour that nobody has taken yet."""

    colour: str
    letter: str
    left: int


class DrawnCaravan(NamedTuple):
    """The camels of one player and colour."""

    seat: str
    colour: str
    letter: str
    leader: Spot
    others: tuple[Spot, ...]

    @property
    def size(self) -> int:
        """How many camels, the leader's included."""
        return 1 + len(self.others)

    @property
    def links(self) -> str:
        """The lines between neighbours, as path data; words about a caravan do without."""
        return LAYOUT.links(spot.name for spot in (self.leader, *self.others))


class DrawnArea(NamedTuple):
    """An enclosed area. Oases inside count no point."""

    seat: str
    colour: str
    turn: int
    spots: tuple[Spot, ...]
    points: int

    @property
    def hexagons(self) -> str:
        """Its hexes as path data."""
        return LAYOUT.hexagons(spot.name for spot in self.spots)

    @property
    def rim(self) -> str:
        """The line around it as path data."""
        return LAYOUT.frontier(spot.name for spot in self.spots)


class Holdings(NamedTuple):
    """All that one player has."""

    caravans: tuple[DrawnCaravan, ...]
    areas: tuple[DrawnArea, ...]
    hand: tuple[str, ...]
    """The colours of the leaders still to be placed."""
    removed: str
    """The colour of the leader taken out of the game, or nothing."""


class Scene(PlainScene):
    """What the templates of Through the Desert draw."""

    @cached_property
    def ground(self) -> DesertDrawing:
        """The map."""
        return survey(self.view["board"], len(self.view["seats"]))

    def _spots(self, spaces: Iterable[str]) -> tuple[Spot, ...]:
        return tuple([self.ground.spots[space] for space in spaces])

    def middle_of(self, mark: str) -> Point | None:
        """The middle of a space."""
        return LAYOUT.centre(mark) if mark in self.ground.spots else None

    @cached_property
    def caravans(self) -> list[DrawnCaravan]:
        """All caravans, in seat order."""
        return [caravan for own in self.holdings.values() for caravan in own.caravans]

    @cached_property
    def holdings(self) -> dict[str, Holdings]:
        """What each seat has, in seat order."""
        return {seat: self._hold(seat) for seat in self.view["seats"]}

    def _hold(self, seat: str) -> Holdings:
        leaders = self.view["leaders"][seat]
        return Holdings(
            caravans=tuple(
                _caravan(seat, colour, leaders[colour], tuple(spaces))
                for colour, spaces in self.view["camels"][seat].items()
            ),
            areas=tuple(area for area in self.areas if area.seat == seat),
            hand=tuple(self.view["hand"][seat]),
            removed=self.view["removed"].get(seat, ""),
        )

    @cached_property
    def areas(self) -> list[DrawnArea]:
        """The enclosed areas, in the order in which they were enclosed."""
        return [
            DrawnArea(
                area["seat"],
                area["colour"],
                area["turn"],
                spots=self._spots(area["spaces"]),
                points=len(set(area["spaces"]).difference(self.view["oases"])),
            )
            for area in self.view["areas"]
        ]

    @cached_property
    def water(self) -> list[Water]:
        """The waterholes still on the board."""
        return [Water(self.ground.spots[space], value) for space, value in self.view["water"].items()]

    @cached_property
    def water_by_value(self) -> dict[int, tuple[str, ...]]:
        """The spaces of the waterholes, by their values."""
        spaces: dict[int, list[str]] = {}
        for space, value in self.view["water"].items():
            spaces.setdefault(value, []).append(space)
        return {value: tuple(spaces[value]) for value in sorted(spaces)}

    @cached_property
    def oases(self) -> tuple[Spot, ...]:
        """The oases."""
        return self._spots(self.view["oases"])

    @cached_property
    def marked(self) -> tuple[Spot, ...]:
        """The spaces of the last turn."""
        return self._spots(self.options.marked)

    @cached_property
    def legal(self) -> tuple[Spot, ...]:
        """The spaces that may be used now, where that is asked for."""
        return self._spots(sorted(set(self.options.legal), key=read_space))

    @cached_property
    def named(self) -> tuple[Spot, ...]:
        """The empty spaces, which show their names, except those in `named_below`."""
        return self._spots(space for space in self._empty if space not in self.ground.special)

    @cached_property
    def named_below(self) -> tuple[Spot, ...]:
        """The spaces of waterholes and oases, which leave room for a name only below."""
        return self._spots(space for space in self._empty if space in self.ground.special)

    @cached_property
    def _empty(self) -> list[str]:
        filled = {space for own in self.view["camels"].values() for spaces in own.values() for space in spaces}
        filled.update(space for area in self.view["areas"] for space in area["spaces"])
        return [space for space in self.ground.spots if space in self.ground.in_play and space not in filled]

    @cached_property
    def herds(self) -> list[Herd]:
        """The herds."""
        return [Herd(colour, LETTERS[colour], left) for colour, left in self.view["herds"].items()]

    @cached_property
    def card_width(self) -> int:
        """How wide a player's card below the board is."""
        return (self.ground.width - 8) // len(self.players)

    @cached_property
    def cards(self) -> list[tuple[ShownPlayer, Point]]:
        """The players, with the upper left corners of their cards."""
        top = self.ground.bottom + 7
        return [(player, Point(4 + at * self.card_width, top)) for at, player in enumerate(self.players)]

    @cached_property
    def shows_points(self) -> bool:
        """Whether the cards show points: once there are any to win, and if the options give a score."""
        return self.options.score is not None and self.view["phase"] in ("camels", "over")

    @cached_property
    def chips(self) -> list[tuple[Herd, Point]]:
        """The herds, with the middles of their signs below the board."""
        return [(herd, Point(90 + at * 88, self.ground.bottom + 88)) for at, herd in enumerate(self.herds)]

    @cached_property
    def hands(self) -> dict[str, str]:
        """The letters of the leaders that each seat has still to place."""
        return {seat: "".join(LETTERS[colour] for colour in held) for seat, held in self.view["hand"].items()}

    @cached_property
    def lines(self) -> list[str]:
        """The board as text."""
        return draw_lines(self.view, self.options)


@lru_cache(maxsize=KEPT)
def _caravan(seat: str, colour: str, leader: str, spaces: tuple[str, ...]) -> DrawnCaravan:
    others = tuple(spot_of(space) for space in spaces if space != leader)
    return DrawnCaravan(seat, colour, LETTERS[colour], spot_of(leader), others)
