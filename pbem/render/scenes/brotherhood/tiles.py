"""Both games of the Brotherhood from tiles: a ground for each map, and a tile for each figure of the scene.

Figures come from the scene in the order in which they are drawn; tiles are kept by what they show, so a game soon
finds nearly all of them ready.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pbem.render.options import DrawOptions
from pbem.render.raster import rasterise
from pbem.render.scenes.brotherhood.figures import LAND, PAGE, SNOW, STONE
from pbem.render.scenes.brotherhood.ground import MapDrawing
from pbem.render.scenes.brotherhood.scene import Scene
from pbem.render.scenes.brotherhood.text import SIGNS
from pbem.render.tile_renderer import Placement, TileRenderer
from pbem.render.tiles import DRAWN, WHOLE, SheetPlace, make_spec

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from engine.game import View

BACKDROPS: Final = {PAGE: "page", LAND: "seam", SNOW: "snow", STONE: "wall"}
"""The tint that shows through the edges of a figure, by what it lies on."""


class WallTileRenderer(TileRenderer[Scene]):
    """Draws the land and the Wall."""

    folder = "brotherhood"

    def make_scene(self, view: "View", options: DrawOptions) -> Scene:
        """A view made ready to be drawn."""
        return Scene(view, options)

    def ground_of(self, scene: Scene) -> tuple[MapDrawing, str]:
        """The map, and who has the first panel."""
        return scene.ground, scene.view["seats"][0]

    def draw_ground(self, ground: MapDrawing, seat: str) -> "Picture":
        """The map without a figure."""
        return rasterise(self.macros("tiles.svg").empty(self.theme, SIGNS, ground, seat)).convert("RGB")

    def draw_specimen(self) -> "Picture":
        """Everything that may be in a picture, for its colours."""
        return rasterise(self.macros("tiles.svg").specimen(self.theme, SIGNS)).convert("RGB")

    def draw_sheet(self, sheet: Sequence[SheetPlace], size: tuple[int, int]) -> str:
        """The SVG of a sheet of figures."""
        return str(self.macros("tiles.svg").sheet(self.theme, SIGNS, size, sheet))

    def place_tiles(self, scene: Scene) -> Iterator[Placement]:
        """All tiles of a picture, in the order in which they are pasted."""
        for figure in scene.figures:
            shape = WHOLE if figure.on == PAGE else DRAWN
            spec = make_spec(figure.drawing, figure.facts, figure.box, self.tints[BACKDROPS[figure.on]], shape)
            yield spec, figure.at.x + figure.box.left, figure.at.y + figure.box.top
