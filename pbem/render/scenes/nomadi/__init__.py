"""Nomadi, made ready to draw: the view and the board, turned into places on paper.

It works from the view, which is plain data, and knows no rules. What a thing looks like is for the templates.
"""

from typing import Final

from pbem.render.scenes.nomadi.scene import Scene

SCENE: Final = Scene
TILE_RENDERER: Final = "pbem.render.scenes.nomadi.tiles:SquareTileRenderer"
NARROW: Final = "pbem.render.scenes.nomadi.narrow:CaravanScene"
"""Named and not imported: the drawing libraries are loaded when a picture is drawn."""
