"""The board as PNG: the SVG picture in dots.

Only the fonts that come with the templates are used, so the same view gives the same bytes wherever the same
libraries are installed. A board has few colours; with a palette of them the file is a quarter of the size.
"""

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Final

from engine.game import View
from pbem.render.svg import draw_svg
from pbem.render.wishes import PLAIN, Wishes

if TYPE_CHECKING:
    from PIL.Image import Image

FAMILY: Final = "DejaVu Sans Condensed"
COLOURS: Final = 256


def draw_png(key: str, view: View, wishes: Wishes = PLAIN, *, width: int | None = None) -> bytes:
    """The view of the game called `key` as a PNG picture; `width` in dots, else the picture's own."""
    small = BytesIO()
    few_colours(rasterise(draw_svg(key, view, wishes), width=width)).save(small, "PNG")
    return small.getvalue()


def rasterise(svg: str, *, width: int | None = None) -> "Image":
    """An SVG picture in dots: red, green, blue and how opaque."""
    # Both are loaded when something is drawn, so that commands without pictures start quickly.
    from PIL import Image
    from resvg_py import svg_to_bytes

    full = svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=list(_font_files()),
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    picture = Image.open(BytesIO(full))
    picture.load()
    return picture


def few_colours(picture: "Image") -> "Image":
    """A picture in the colours that suit it best."""
    from PIL import Image

    return picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)


@cache
def _font_files() -> tuple[str, ...]:
    folder = files("templates") / "fonts"
    return tuple(sorted(str(file) for file in folder.iterdir() if file.name.endswith(".ttf")))
