"""SVG to pixels, with the fonts that come with the templates and no others.

So the same view gives the same bytes wherever the same libraries are installed. A board has few colours; with a
palette of them a file is a quarter of the size.
"""

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

FAMILY: Final = "DejaVu Sans Condensed"
COLOURS: Final = 256


def rasterise(svg: str, *, width: int | None = None) -> "Image":
    """An SVG picture in pixels: red, green, blue and alpha."""
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
