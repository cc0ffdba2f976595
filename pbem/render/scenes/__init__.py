"""Views made ready for their templates.

A template should only place things on paper, so what it needs (middles of hexes, lines between neighbours,
signs of a text board) is worked out here. A game of ours that wants this has a module in this folder; every
other game gets the plain scene, in which a guest's templates find the view itself and the players.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from engine.game import View
from pbem.render.options import DrawOptions
from pbem.render.plain_scene import PlainScene

if TYPE_CHECKING:
    from collections.abc import Callable

STAGED: Final = {
    "through-the-desert": "pbem.render.scenes.through_the_desert",
    "nomadi": "pbem.render.scenes.nomadi",
    "brotherhood-base": "pbem.render.scenes.brotherhood",
    "brotherhood": "pbem.render.scenes.brotherhood",
}


def set_scene(key: str, view: View, options: DrawOptions) -> PlainScene:
    """The scene that the templates of a game draw."""
    if key not in STAGED:
        return PlainScene(view, options)
    scene: Callable[[View, DrawOptions], PlainScene] = import_module(STAGED[key]).Scene
    return scene(view, options)
