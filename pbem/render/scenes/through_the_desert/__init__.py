"""Through the Desert, made ready to draw: the view and the map, turned into places on paper.

It works from the view, which is plain data, and knows no rules. What a thing looks like is for the templates.
"""

from pbem.render.scenes.through_the_desert.scene import Scene

__all__ = ["Scene"]
