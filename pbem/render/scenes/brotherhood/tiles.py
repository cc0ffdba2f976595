"""Both games of the Brotherhood as a mosaic: a ground for each map, and a tile for each figure of the scene.

Figures come from the scene in the order in which they are drawn; tiles are kept by what they show, so a game soon
finds nearly all of them ready.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pbem.render.draw import rasterise
from pbem.render.options import DrawOptions
from pbem.render.scenes.brotherhood.figures import LAND, PAGE, SNOW, STONE
from pbem.render.scenes.brotherhood.ground import MapDrawing
from pbem.render.scenes.brotherhood.scene import Scene
from pbem.render.scenes.brotherhood.text import SIGNS
from pbem.render.tile_renderer import Placement, TileRenderer
from pbem.render.tiles import DRAWN, WHOLE, PlacedTile, make_piece

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from engine.game import View

BACKDROPS: Final = {PAGE: "page", LAND: "seam", SNOW: "snow", STONE: "wall"}
"""The tint that shows through the edges of a figure, by what it lies on."""


class WallTileRenderer(TileRenderer[Scene]):
    """Lays the land and the Wall."""

    folder = "brotherhood"

    def set_scene(self, view: "View", options: DrawOptions) -> Scene:
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

    def draw_sheet(self, sheet: Sequence[PlacedTile], size: tuple[int, int]) -> str:
        """The SVG of a sheet of figures."""
        return str(self.macros("tiles.svg").sheet(self.theme, SIGNS, size, sheet))

    def lay(self, scene: Scene) -> Iterator[Placement]:
        """All pieces of a picture, in the order in which they are laid."""
        for figure in scene.figures:
            shape = WHOLE if figure.on == PAGE else DRAWN
            piece = make_piece(figure.drawing, figure.facts, figure.box, self.tints[BACKDROPS[figure.on]], shape)
            yield piece, figure.at.x + figure.box.left, figure.at.y + figure.box.top
