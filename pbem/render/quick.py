"""The board as PNG, quickly: for mails, of which every turn brings several.

A game of ours may lay its picture from tiles; what it cannot lay, and every other game, is drawn in full.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from engine.game import View
from pbem.render.draw import draw_png
from pbem.render.wishes import PLAIN, Wishes

if TYPE_CHECKING:
    from pbem.render.tiled_scene import Tiler

LAID: Final = {
    "through-the-desert": ("pbem.render.scenes.through_the_desert.tiles", "HexTiler"),
    "nomadi": ("pbem.render.scenes.nomadi.tiles", "SquareTiler"),
    "brotherhood-base": ("pbem.render.scenes.brotherhood.tiles", "WallTiler"),
    "brotherhood": ("pbem.render.scenes.brotherhood.tiles", "WallTiler"),
}
"""The games with a mosaic, and who lays it."""


def draw_quickly(key: str, view: View, wishes: Wishes = PLAIN) -> bytes:
    """The view of the game called `key` as a PNG picture of its own width."""
    if key not in LAID or wishes.legal:
        return draw_png(key, view, wishes)
    place, name = LAID[key]
    tiler: type[Tiler[Any]] = getattr(import_module(place), name)
    return tiler.of(wishes.theme, wishes.tongue).draw(view, wishes)
