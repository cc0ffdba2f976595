"""Through the Desert from tiles: which of them show a view, and where they go.

The order is that of the SVG picture: enclosed spaces, spaces of the last turn, water and oases, camels, and around
the board the words and cards. Tiles are kept by what they show, so a game soon finds most of them ready, made for
an earlier turn or another game.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PIL import Image, ImageDraw

from pbem.locale.catalogues import Locale
from pbem.render.draw import draw_svg
from pbem.render.geometry import CORNERS, neighbours, read_space, rim
from pbem.render.options import DrawOptions, Theme
from pbem.render.raster import rasterise
from pbem.render.scenes.through_the_desert.ground import LAYOUT, look_of, survey
from pbem.render.scenes.through_the_desert.pieces import (
    CHIP,
    HALF,
    HEX,
    Hatching,
    hatch,
    make_camel,
    make_chip,
    make_enclosed,
    make_rim,
)
from pbem.render.scenes.through_the_desert.scene import Scene
from pbem.render.tile_renderer import Placement, TileRenderer
from pbem.render.tiles import DRAWN, WHOLE, Box, SheetPlace, TileSpec, make_spec, stack

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from engine.game import View

KEY: Final = "through-the-desert"
CARD: Final = 56
"""The height of a player's card."""
LETTER: Final = 14
"""Room for a letter of a title or a status, amply."""
INSIDE: Final = 0.94
"""How much of a hex a camel's tile wipes: the space's name, but not the lines around the hex."""
POINTS: Final = 54
"""From the right side of a card to the left one of the room for points."""
COUNT: Final = Box(0, 26, 44, 24)
"""That room."""
CARAVANS: Final = 4096
"""Caravans and areas whose tiles are cached: in a turn one or two of a table change."""
SPECIMEN: Final = ("red", "blue")
"""With two players a board shows spaces out of play too, so all colours of the land."""


class Colours(NamedTuple):
    """What tiles lie on, in one theme."""

    page: str
    card: str
    due: str
    sand: tuple[str, ...]
    marked: str


class HexTileRenderer(TileRenderer[Scene]):
    """Lays the desert of hexes."""

    folder = KEY

    def __init__(self, theme: Theme, locale: Locale) -> None:
        super().__init__(theme, locale)
        self._caravan = lru_cache(maxsize=CARAVANS)(self._place_caravan)
        self._rim = lru_cache(maxsize=CARAVANS)(self._place_rim)

    def make_scene(self, view: "View", options: DrawOptions) -> Scene:
        """A view made ready to be drawn."""
        return Scene(view, options)

    def ground_of(self, scene: Scene) -> tuple[str, tuple[str, ...]]:
        """The board, and who plays: with two, some of it is out of play."""
        return scene.view["board"], tuple(scene.view["seats"])

    def draw_ground(self, board: str, seats: tuple[str, ...]) -> "Picture":
        """The board without camels, tokens and words."""
        picture = rasterise(self._empty_board(board, seats)).convert("RGB")
        ground = survey(board, len(seats))
        for top, bottom in ((0, ground.top), (ground.bottom, ground.bottom + CARD + 8)):
            picture.paste(self.colours.page, (0, top, ground.width, bottom))  # where words and cards come
        return picture

    def draw_specimen(self) -> "Picture":
        """Everything that may be in a picture, for its colours."""
        specs = rasterise(self.macros("tiles.svg").specimen(self.theme))
        return stack(specs, rasterise(self._empty_board("standard", SPECIMEN), width=specs.width))

    def draw_sheet(self, sheet: Sequence[SheetPlace], size: tuple[int, int]) -> str:
        """The SVG of a sheet of drawings."""
        macros = self.macros("tiles.svg")
        drawn = [(getattr(macros, name)(*facts), box, place) for (name, facts, box), place in sheet]
        return str(macros.sheet(self.theme, size, drawn))

    @property
    def wiper(self) -> "Picture":
        """The inside of a hex: a camel hides the name of its space."""
        mask = Image.new("1", (HEX.width, HEX.height))
        ImageDraw.Draw(mask).polygon([(HALF + x * INSIDE, HALF + y * INSIDE) for x, y in CORNERS], fill=1)
        return mask

    @cached_property
    def colours(self) -> Colours:
        """The colours of what tiles lie on."""
        tints, marked = self.tints, self.macros("tiles.svg").marked_fill
        return Colours(tints["page"], tints["card"], tints["due"], tuple(tints["sand"]), marked)

    @cached_property
    def _hatchings(self) -> dict[str, Hatching]:
        """Each owner's hatching."""
        figures = self.macros("figures.svg")
        return {seat: Hatching(seat, angle, figures.stripe) for seat, angle in figures.hatches.items()}

    def _empty_board(self, board: str, seats: tuple[str, ...]) -> str:
        nothing: dict[str, Any] = {"oases": [], "water": {}, "areas": [], "herds": {}, "removed": {}, "to_act": []}
        nobody: dict[str, Any] = {name: {seat: {} for seat in seats} for name in ("hand", "leaders", "camels")}
        facts = {"board": board, "seats": seats, "phase": "over", "turn": 1, "left": 0}
        return draw_svg(KEY, facts | nothing | nobody, DrawOptions(theme=self.theme, locale=self.locale))

    def place_tiles(self, scene: Scene) -> list[Placement]:
        """All tiles of a picture, in the order in which they are pasted."""
        return [
            *self._place_areas(scene),
            *self._place_land(scene),
            *self._place_camels(scene),
            *self._place_words(scene),
            *self._place_cards(scene),
        ]

    def _place_areas(self, scene: Scene) -> Iterator[Placement]:
        board, players, oases = scene.view["board"], len(scene.view["seats"]), set(scene.view["oases"])
        areas = scene.view["areas"]
        for area in areas:
            hatched = hatch(self._hatchings[area["seat"]], board, players)
            for space in area["spaces"]:
                look, is_oasis = look_of(space), space in oases
                yield make_enclosed(area["seat"], look, hatched[space], is_oasis, self._sand(space)), *_corner(space)
        for area in areas:
            yield from self._rim(area["seat"], tuple(area["spaces"]))

    def _place_rim(self, seat: str, spaces: tuple[str, ...]) -> tuple[Placement, ...]:
        sides = {space: tuple(rim(space, spaces)) for space in spaces}
        return tuple((make_rim(seat, out, self._sand(space)), *_corner(space)) for space, out in sides.items() if out)

    def _place_land(self, scene: Scene) -> Iterator[Placement]:
        for space in scene.options.marked:
            yield make_spec("marked", (), HEX, self._sand(space), DRAWN), *_corner(space)
        enclosed = {space for area in scene.view["areas"] for space in area["spaces"]}
        figures = {space: f"water{value}" for space, value in scene.view["water"].items()}
        figures |= {space: "oasis" for space in scene.view["oases"] if space not in enclosed}
        for space, name in figures.items():
            yield make_spec("figure", (name,), HEX, self._sand(space), DRAWN), *_corner(space)

    def _place_camels(self, scene: Scene) -> Iterator[Placement]:
        marked, leaders = frozenset(scene.options.marked), scene.view["leaders"]
        for seat in scene.view["seats"]:
            for colour, spaces in scene.view["camels"][seat].items():
                yield from self._caravan(
                    seat, colour, leaders[seat][colour], tuple(spaces), marked.intersection(spaces)
                )

    def _place_caravan(
        self, seat: str, colour: str, leader: str, spaces: tuple[str, ...], marked: frozenset[str]
    ) -> tuple[Placement, ...]:
        held = {read_space(space) for space in spaces}
        placed: list[Placement] = []
        for space in spaces:
            links = tuple([there in held for there in neighbours(*read_space(space))])
            # One sand for all: under a camel its tints look the same, and tiles are found in the cache more often.
            backdrop = self.colours.marked if space in marked else self.colours.sand[0]
            placed.append((make_camel(seat, colour, links, space == leader, backdrop), *_corner(space)))
        return tuple(placed)

    def _place_words(self, scene: Scene) -> Iterator[Placement]:
        right, height = scene.ground.width, scene.ground.top - 2
        title, status = scene.title, str(self.macros("words.txt").status(scene.view))
        room = min(right, LETTER * (2 + len(title or "Through the Desert")))
        yield self._label("title", (title,), Box(0, 0, room, height)), 0, 0
        room = min(right, LETTER * len(status))
        yield self._label("status", (status, right), Box(right - room, 0, room, height)), right - room, 0

    def _place_cards(self, scene: Scene) -> Iterator[Placement]:
        width, words = scene.card_width, self.macros("words.txt")
        whole, name, line = Box(0, 0, width, CARD), Box(54, 5, width - 58, 23), Box(54, 28, width - 56, 22)
        for player, (left, top) in scene.cards:
            yield self._label("card", (player.seat, player.due, player.won, width), whole), left, top
            backdrop = self.colours.due if player.due else self.colours.card
            shown = make_spec("name", (player.seat, player.name, width), name, backdrop, WHOLE)
            yield shown, left + name.left, top + name.top
            standing = self.recall(words.standing, player.won, player.due, scene.hands[player.seat])
            yield (
                make_spec("standing", (str(words.seats[player.seat] + standing),), line, backdrop, DRAWN),
                left + line.left,
                top + line.top,
            )
            if scene.shows_points:
                points = make_spec("points", (player.points, POINTS), COUNT, backdrop, WHOLE)
                yield points, left + width - POINTS, top + COUNT.top
        for herd, (x, y) in scene.chips:
            yield make_chip(herd, self.colours.page), x + CHIP.left, y + CHIP.top

    def _label(self, name: str, facts: tuple[Hashable, ...], box: Box) -> TileSpec:
        return make_spec(name, facts, box, self.colours.page, WHOLE)

    def _sand(self, space: str) -> str:
        return self.colours.sand[look_of(space)]


@cache
def _corner(space: str) -> tuple[int, int]:
    """The upper left corner of a space's tile."""
    x, y = LAYOUT.centre(space)
    return x - HALF, y - HALF
