"""The board as PNG, quickly: for mails, of which every turn brings several.

A game of ours may lay its picture from tiles; what it cannot lay, and every other game, is drawn in full.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from engine.game import View
from pbem.render.png import draw_png
from pbem.render.wishes import PLAIN, Wishes

if TYPE_CHECKING:
    from collections.abc import Callable

LAID: Final = {
    "through-the-desert": "pbem.render.scenes.desert.tiling",
    "nomadi": "pbem.render.scenes.nomadi.tiling",
    "brotherhood-base": "pbem.render.scenes.brotherhood.tiling",
    "brotherhood": "pbem.render.scenes.brotherhood.tiling",
}
"""The games with a mosaic, and where it is."""


def draw_quickly(key: str, view: View, wishes: Wishes = PLAIN) -> bytes:
    """The view of the game called `key` as a PNG picture of its own width."""
    if key not in LAID or wishes.legal:
        return draw_png(key, view, wishes)
    draw_mosaic: Callable[[View, Wishes], bytes] = import_module(LAID[key]).draw_mosaic
    return draw_mosaic(view, wishes)
