"""Both games of the Brotherhood as a mosaic: a ground for each map, and a tile for each figure of the scene.

Figures come from the scene in the order in which they are drawn; tiles are kept by what they show, so a game soon
finds nearly all of them ready.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from PIL import Image

from pbem.render.environment import environment
from pbem.render.mosaic import (
    DRAWN,
    WHOLE,
    Ink,
    Piece,
    Placed,
    Workshop,
    lay_out,
    lay_tiles,
    make_piece,
    sheet_size,
)
from pbem.render.png import rasterise
from pbem.render.scenes.brotherhood.figures import LAND, PAGE, SNOW, STONE
from pbem.render.scenes.brotherhood.ground import Ground
from pbem.render.scenes.brotherhood.scene import Scene
from pbem.render.scenes.brotherhood.signs import SIGNS
from pbem.render.wishes import Theme, Tongue, Wishes

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from engine.game import View

FOLDER: Final = "brotherhood"
BACKDROPS: Final = {PAGE: "page", LAND: "seam", SNOW: "snow", STONE: "wall"}
"""The tint that shows through the edges of a figure, by what it lies on."""


def draw_mosaic(view: "View", wishes: Wishes) -> bytes:
    """A view as a PNG picture that looks like the SVG one."""
    tiler = _tiler(wishes.theme, wishes.tongue)
    scene = Scene(view, wishes)
    return lay_tiles(tiler.ground(scene.ground, view["seats"][0]), list(tiler.lay(scene)), tiler.workshop)


@lru_cache(maxsize=16)
def _tiler(theme: Theme, tongue: Tongue) -> "Tiler":
    return Tiler(theme, tongue)


class Tiler:
    """Finds the pieces of pictures in one theme and one language."""

    def __init__(self, theme: Theme, tongue: Tongue) -> None:
        self.theme = theme
        self.tongue = tongue
        self.ground = lru_cache(maxsize=16)(self._ground)

    @cached_property
    def tints(self) -> Mapping[str, str]:
        """The colours that the templates give to what tiles lie on."""
        palette = self._macros("palette.svg")
        tints: Mapping[str, str] = palette.night if self.theme == "dark" else palette.day
        return tints

    @cached_property
    def workshop(self) -> Workshop:
        """Where the tiles are made, all in the colours of a specimen."""
        specimen = rasterise(self._macros("tiles.svg").specimen(self.theme, SIGNS)).convert("RGB")
        return Workshop(Ink(specimen), self._draw_sheet, Image.new("L", (1, 1)))

    def _draw_sheet(self, sheet: Sequence[Placed]) -> str:
        svg: str = self._macros("tiles.svg").sheet(self.theme, SIGNS, sheet_size(sheet), sheet)
        return svg

    def _ground(self, ground: Ground, seat: str) -> "Picture":
        drawn = rasterise(self._macros("tiles.svg").empty(self.theme, SIGNS, ground, seat))
        return lay_out(self.workshop.ink.dip(drawn.convert("RGB")))

    def _macros(self, name: str) -> Any:
        return environment(self.tongue).get_template(f"{FOLDER}/{name}").module

    def lay(self, scene: Scene) -> Iterator[tuple[Piece, int, int]]:
        """All pieces of a picture, in the order in which they are laid."""
        for figure in scene.figures:
            shape = WHOLE if figure.on == PAGE else DRAWN
            piece = make_piece(figure.drawing, figure.facts, figure.box, self.tints[BACKDROPS[figure.on]], shape)
            yield piece, figure.at.x + figure.box.left, figure.at.y + figure.box.top
