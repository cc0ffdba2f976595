"""The board as PNG, for mails: the SVG picture in dots.

Only the fonts that come with the templates are used, so the same view gives the same bytes wherever the same
libraries are installed. A board has few colours; with a palette of them the file, which every mail of a turn
carries, is a quarter of the size.
"""

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final

from engine.game import View
from pbem.render.svg import draw_svg
from pbem.render.wishes import PLAIN, Wishes

FAMILY: Final = "DejaVu Sans Condensed"
COLOURS: Final = 256


def draw_png(key: str, view: View, wishes: Wishes = PLAIN, *, width: int | None = None) -> bytes:
    """The view of the game called `key` as a PNG picture; `width` in dots, else the picture's own."""
    # Both are loaded when something is drawn, so that commands without pictures start quickly.
    from PIL import Image
    from resvg_py import svg_to_bytes

    full = svg_to_bytes(
        svg_string=draw_svg(key, view, wishes),
        width=width,
        skip_system_fonts=True,
        font_files=list(_font_files()),
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    small = BytesIO()
    with Image.open(BytesIO(full)) as picture:
        picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(small, "PNG")
    return small.getvalue()


@cache
def _font_files() -> tuple[str, ...]:
    folder = files("templates") / "fonts"
    return tuple(sorted(str(file) for file in folder.iterdir() if file.name.endswith(".ttf")))
