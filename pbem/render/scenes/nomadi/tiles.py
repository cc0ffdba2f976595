"""Nomadi from tiles: which of them show a view, and where they go.

The order is that of the SVG picture: cards, landings, ways, stones, the heads of ways, and around the board the words,
the dice and the players. Tiles are kept by what they show, so a game soon finds most of them ready; only ways are new
with every turn.
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from engine.nomadi.board import PRINTED_GOAL, START, WATERHOLES
from engine.nomadi.board import squares as names_of
from pbem.render.draw import draw_svg
from pbem.render.geometry import Point
from pbem.render.options import DrawOptions
from pbem.render.raster import rasterise
from pbem.render.scenes.nomadi.ground import HALF, HEADER, centre, look_of, squares
from pbem.render.scenes.nomadi.scene import Scene
from pbem.render.scenes.nomadi.text import SIGNS
from pbem.render.tile_renderer import Placement, TileRenderer
from pbem.render.tiles import DRAWN, WHOLE, Box, SheetPlace, TileSpec, make_spec, stack

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from engine.game import View

KEY: Final = "nomadi"
INSIDE: Final = HALF - 1
"""Half of a square without the lines around it."""
SQUARE: Final = Box(-INSIDE, -INSIDE, 2 * INSIDE, 2 * INSIDE)
FIGURE: Final = Box(-24, -24, 48, 48)
"""A square with what may stand over its sides."""
ROOM: Final = 30
"""From the middle of a square to all that is drawn of a way that begins or ends there."""
BADGE: Final = Box(-10, -10, 20, 20)
DIE: Final = Box(-20, -20, 40, 40)
CARD: Final = 78
"""The height of a player's card."""
MOVED: Final = 145
"""From the first sign that is explained to that of a way."""
LETTER: Final = 14
"""Room for a letter of a title or a status, amply."""
PRINTED: Final = tuple(tuple(names_of(zone)) for zone in (PRINTED_GOAL, START, WATERHOLES))
"""The zones and the waterholes of the printed board."""


class SquareTileRenderer(TileRenderer[Scene]):
    """Draws the desert of squares."""

    folder = KEY

    def make_scene(self, view: "View", options: DrawOptions) -> Scene:
        """A view made ready to be drawn."""
        return Scene(view, options)

    def ground_of(self, scene: Scene) -> tuple[tuple[str, ...], ...]:
        """The zones and the waterholes; an oasis may have been moved."""
        return tuple(tuple(scene.view[zone]) for zone in ("goal", "start", "waterholes"))

    def draw_ground(self, goal: tuple[str, ...], start: tuple[str, ...], waterholes: tuple[str, ...]) -> "Picture":
        """The board without stones, cards and words."""
        picture = rasterise(self._empty_board(goal, start, waterholes)).convert("RGB")
        picture.paste(self.tints["page"], (0, 0, picture.width, HEADER))  # where words come
        return picture

    def draw_specimen(self) -> "Picture":
        """Everything that may be in a picture, for its colours."""
        specs = rasterise(self.macros("tiles.svg").specimen(self.theme, SIGNS))
        return stack(specs, rasterise(self._empty_board(*PRINTED), width=specs.width))

    def draw_sheet(self, sheet: Sequence[SheetPlace], size: tuple[int, int]) -> str:
        """The SVG of a sheet of drawings."""
        macros = self.macros("tiles.svg")
        drawn = [(getattr(macros, name)(*facts), box, place) for (name, facts, box), place in sheet]
        return str(macros.sheet(self.theme, SIGNS, size, drawn))

    def _empty_board(self, goal: tuple[str, ...], start: tuple[str, ...], waterholes: tuple[str, ...]) -> str:
        nothing: dict[str, Any] = {
            name: [] for name in ("seats", "to_act", "dice", "unplayed", "steps", "cards", "offers")
        }
        nobody: dict[str, Any] = {name: {} for name in ("stones", "hand", "coins", "holds", "held", "values")}
        facts = {"phase": "over", "turn": 1, "who": "blue", "goal": goal, "start": start, "waterholes": waterholes}
        return draw_svg(KEY, nothing | nobody | facts, DrawOptions(theme=self.theme, locale=self.locale))

    def place_tiles(self, scene: Scene) -> Iterator[Placement]:
        """All tiles of a picture, in the order in which they are pasted."""
        yield from self._place_land(scene)
        yield from self._place_caravans(scene)
        yield from self._place_words(scene)
        yield from self._place_panel(scene)

    def _place_land(self, scene: Scene) -> Iterator[Placement]:
        """Squares without their names where something hides them, cards, and landings."""
        sand, wet = self.tints["sand"], set(scene.view["waterholes"])
        for square in scene.occupied:
            yield self._bare(scene, square)
        for spot in scene.landed:
            yield _at(make_spec("landed", (), FIGURE, sand[0], DRAWN), centre(spot.name))
        for square in scene.occupied & wet:
            yield _at(make_spec("figure", ("n-water",), FIGURE, sand[0], DRAWN), centre(square))
        for spot in scene.face_down:
            if spot.name in wet:
                yield _at(make_spec("figure", ("n-back",), FIGURE, sand[0], DRAWN), centre(spot.name))
            else:
                yield _at(make_spec("card", (look_of(spot.name), spot.name), SQUARE, sand[0], WHOLE), centre(spot.name))

    def _bare(self, scene: Scene, square: str) -> Placement:
        x, y = centre(square)
        zone, middle = "", Point(0, 0)
        if square in scene.view["goal"]:
            zone, middle = "goal", scene.ground.goal_middle
        elif square in scene.view["start"]:
            zone, middle = "start", scene.ground.start_middle
        box = Box(x - INSIDE, y - INSIDE, SQUARE.width, SQUARE.height)
        facts = (look_of(square), squares([square]), zone, middle)
        return make_spec("square", facts, box, self.tints["sand"][0], WHOLE), box.left, box.top

    def _place_caravans(self, scene: Scene) -> Iterator[Placement]:
        """Ways below the stones, heads and dice above them."""
        sand, landed = self.tints["sand"][0], {spot.name for spot in scene.landed}
        for way in scene.ways:
            box = _around([centre(square) for square in (way.move.origin, way.move.bend, way.move.target) if square])
            yield make_spec("line", (way.line,), box, sand, DRAWN), box.left, box.top
        for caravan in scene.caravans:
            for spot in caravan.spots:
                backdrop = "#fffdf2" if spot.name in landed else sand
                yield _at(make_spec("figure", (f"n-{caravan.seat}",), FIGURE, backdrop, DRAWN), centre(spot.name))
        for way in scene.ways:
            box = _around([centre(way.move.target)])
            yield make_spec("head", (way.head,), box, sand, DRAWN), box.left, box.top
            if way.move.die:
                yield _at(make_spec("badge", (way.move.die,), BADGE, sand, DRAWN), way.badge)

    def _place_words(self, scene: Scene) -> Iterator[Placement]:
        right, height = scene.ground.width, HEADER - 2
        title, status = scene.title, str(self.macros("words.txt").status(scene.view))
        room = min(right, LETTER * (2 + len(title or "Nomadi")))
        yield self._label("title", (title,), Box(0, 0, room, height), Point(0, 0))
        room = min(right, LETTER * len(status))
        yield self._label("status", (status, right), Box(right - room, 0, room, height), Point(0, 0))

    def _place_panel(self, scene: Scene) -> Iterator[Placement]:
        words, width = self.macros("words.txt"), scene.panel_width
        if scene.dice:
            caption = (str(words.dice_of(scene.view)),)
            yield self._label("caption", caption, Box(0, 0, width, 20), Point(scene.panel, scene.ground.top))
        for value, played, middle in scene.dice:
            yield self._label("die", (value, played), DIE, middle)
        for player, corner in scene.cards:
            standing = str(words.standing(player, scene.view))
            facts = (player, standing, scene.purses[player.seat], scene.shows_points, width)
            yield self._label("player", facts, Box(0, 0, width, CARD), corner)
        for offer, corner in scene.shown_offers:
            yield self._label("offer", (str(words.offered(offer)),), Box(0, -14, width, 26), corner)
        for card, middle in scene.shown_cards:
            yield self._label("known", (card,), Box(-15, -18, 31, 48), middle, DRAWN)
        moved = (str(words.moved(scene.view)),)
        yield self._label("moved", moved, Box(-18, -12, width, 24), scene.legend._replace(y=scene.legend.y + MOVED))

    def _label(self, name: str, facts: tuple[Hashable, ...], box: Box, middle: Point, shape: str = WHOLE) -> Placement:
        return _at(make_spec(name, facts, box, self.tints["page"], shape), middle)


def _at(spec: TileSpec, middle: Point) -> Placement:
    """A tile with the middle of its drawing at a place."""
    left, top, _, _ = spec.drawings[0].box
    return spec, middle.x + left, middle.y + top


def _around(points: Sequence[Point]) -> Box:
    """A box around some squares, with room for what is drawn between their middles."""
    left, top = (min(point[at] for point in points) - ROOM for at in (0, 1))
    right, bottom = (max(point[at] for point in points) + ROOM for at in (0, 1))
    return Box(left, top, right - left, bottom - top)
