"""Both games of the Brotherhood of the Watch on paper: where everything lies, worked out once for all forms.

It reads views, which are plain data, and knows no rules. What a thing looks like is for the templates.
"""

from pbem.render.scenes.brotherhood.scene import Scene

__all__ = ["Scene"]
