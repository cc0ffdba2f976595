"""Views made ready for their templates.

A template should only place things on paper, so what it needs (middles of hexes, lines between neighbours, signs of a
text board) is worked out in a scene. A game that wants this names its scene class `SCENE`, ours in their folders of
`pbem.render.scenes`; every other game gets the plain scene, in which templates find the view itself and the players.
This module knows no game: scenes are found through the table of games.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from engine.game import View
from engine.registry import find_part
from pbem.render.geometry import Point
from pbem.render.options import DrawOptions
from pbem.render.players import PointSource, ShownPlayer, list_players, list_sources, show_name

SCENES: Final = "pbem.render.scenes"
"""Where the scenes of our own games lie."""


class Row(NamedTuple):
    """One fact of a view: the words that lead to it, and its value."""

    path: str
    value: str


class PlainScene:
    """The view, the options, and what every template may need of them."""

    def __init__(self, view: View, options: DrawOptions) -> None:
        self.view = view
        self.options = options

    @cached_property
    def title(self) -> str:
        """The title asked for, safe to show."""
        return show_name(self.options.title, longest=60)

    @cached_property
    def players(self) -> list[ShownPlayer]:
        """The seats in seat order."""
        return list_players(self.view, self.options)

    @cached_property
    def sources(self) -> list[PointSource]:
        """The rows of the score table."""
        return list_sources(self.options)

    @cached_property
    def wanted(self) -> list[tuple[str, Point]]:
        """Where something would have to change for a refused move to be legal, as far as that can be drawn."""
        found = [(mark, self.middle_of(mark)) for mark in self.options.wanted]
        return [(mark, at) for mark, at in found if at is not None]

    def middle_of(self, mark: str) -> Point | None:
        """Where a mark lies on paper; None where the game has no such place. Scenes of games know."""
        return None

    @cached_property
    def rows(self) -> list[Row]:
        """The view as rows, one fact each."""
        return [Row(path, show_name(value, longest=200)) for path, value in flatten(self.view)]


def make_scene(key: str, view: View, options: DrawOptions) -> PlainScene:
    """The scene that the templates of a game draw."""
    own: Callable[[View, DrawOptions], PlainScene] | None = find_part(key, "SCENE", within=SCENES)  # type: ignore[assignment]  # a game's own promise
    return PlainScene(view, options) if own is None else own(view, options)


def flatten(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Plain data as facts, each with the words that lead to it."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from flatten(inner, f"{path} {key}".strip())
    elif isinstance(value, Sequence) and not isinstance(value, str) and any(map(_is_nested, value)):
        for number, inner in enumerate(value, 1):
            yield from flatten(inner, f"{path} {number}".strip())
    elif isinstance(value, str | int | float):
        yield path, str(value)
    else:
        yield path, ", ".join(map(str, value or ())) or "-"


def _is_nested(value: object) -> bool:
    return isinstance(value, Mapping | Sequence) and not isinstance(value, str)


class Spot(NamedTuple):
    """A space or a coordinate by its name, with its place on paper.

    A template writes ``<text {{ spot }}>``: as markup, a spot is the attributes that put an element there.
    """

    name: str
    attributes: str

    def __html__(self) -> str:
        return self.attributes
