"""Both games of the Brotherhood of the Watch on paper: where everything lies, worked out once for all forms.

It reads views, which are plain data, and knows no rules. What a thing looks like is for the templates.
"""

from typing import Final

from pbem.render.scenes.brotherhood.scene import Scene

SCENE: Final = Scene
TILE_RENDERER: Final = "pbem.render.scenes.brotherhood.tiles:WallTileRenderer"
NARROW: Final = "pbem.render.scenes.brotherhood.narrow:GiftScene"
"""Named and not imported: the drawing libraries are loaded when a picture is drawn."""
