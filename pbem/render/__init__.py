"""Pictures of a table: SVG, PNG, text, a list by owner, and a page; all from a view, never from a position.

Each takes the game's key, a view of it, and `DrawOptions`. What a game looks like stands in its templates; no other
package knows how templates are filled. Jinja and the drawing libraries are loaded when something is drawn. The names
below are the public ones (docs/library.md).
"""

from pbem.locale.catalogues import ENGLISH, Locale
from pbem.render.draw import can_draw_narrow, draw_page, draw_png, draw_quickly, draw_svg, draw_text, list_by_owner
from pbem.render.environment import choose_template
from pbem.render.options import PLAIN, DrawOptions, Theme, marks_of

__all__ = [
    "ENGLISH",
    "PLAIN",
    "DrawOptions",
    "Locale",
    "Theme",
    "can_draw_narrow",
    "choose_template",
    "draw_page",
    "draw_png",
    "draw_quickly",
    "draw_svg",
    "draw_text",
    "list_by_owner",
    "marks_of",
]
