"""The table at one moment, turned into places on paper."""

from collections.abc import Mapping
from functools import cached_property

from pbem.render.geometry import Point
from pbem.render.plain_scene import PlainScene
from pbem.render.scenes.brotherhood.figures import find_place, show_gift, show_north, show_open
from pbem.render.scenes.brotherhood.ground import MapDrawing, survey
from pbem.render.scenes.brotherhood.panels import (
    Household,
    Own,
    describe,
    find_own,
    show_panel,
    show_supply,
    show_words,
    state_of,
)
from pbem.render.scenes.brotherhood.text import SIGNS, draw_lines
from pbem.render.tiles import Figure


class Scene(PlainScene):
    """What the templates of both games draw."""

    @cached_property
    def ground(self) -> MapDrawing:
        """The map."""
        return survey(self.view)

    def middle_of(self, mark: str) -> Point | None:
        """The place of an intersection, a path, a hex or a section of the Wall."""
        return find_place(mark, self.ground)

    @cached_property
    def signs(self) -> dict[str, str]:
        """The letters of the seats."""
        return {seat: SIGNS[seat] for seat in self.view["seats"]}

    @cached_property
    def households(self) -> list[Household]:
        """What everybody may know of the players, in seat order."""
        return [describe(self.view, player) for player in self.players]

    @cached_property
    def state(self) -> tuple[str, int, str, tuple[str, ...]]:
        """What words need to say what is going on."""
        return state_of(self.view)

    @cached_property
    def own(self) -> Own | None:
        """What the viewer alone knows."""
        return find_own(self.view)

    @cached_property
    def figures(self) -> list[Figure]:
        """All that lies over the ground, the lowest first."""
        view, ground, marked = self.view, self.ground, self.options.marked
        return [
            *show_gift(view, ground, marked),
            *(show_north(view, ground.north, marked) if ground.north else ()),
            *show_open(ground, self.options.legal),
            *show_words(view, self.title, ground),
            *show_panel(view, self.households, self.own, ground),
            *show_supply(view, ground),
        ]

    def lines(self, signs: Mapping[str, str]) -> list[str]:
        """The map as text, with short words for what is on it."""
        return draw_lines(self.view, marked=self.options.marked, legal=self.options.legal, signs=signs)
