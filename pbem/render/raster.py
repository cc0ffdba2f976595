"""SVG to pixels, with the fonts that come with the templates and no others.

So the same view gives the same bytes wherever the same libraries are installed. A board has few colours; with a
palette of them a file is a quarter of the size.
"""

import math
from collections import Counter
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, TypeAlias

from pbem.render.environment import choose_template
from pbem.render.geometry import Point

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PIL.Image import Image

    from pbem.locale.catalogues import Locale

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


SIDE: Final = 80
"""The width and height of a stamp; its middle is the place that it marks."""
Colour: TypeAlias = tuple[int, int, int]
_WHITE: Final = (255, 255, 255)


def draw_stamp(locale: "Locale") -> str:
    """The mark of `DrawOptions.wanted` alone, as a picture of its own."""
    middle = SimpleNamespace(wanted=[("", Point(SIDE // 2, SIDE // 2))])
    mark = choose_template("any-game", "wanted.svg", locale).render(scene=middle)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}">{mark}</svg>'


def stamp_places(png: bytes, stamp: str, places: "Collection[Point]") -> bytes:
    """A picture of few colours with a stamp, drawn as SVG in white and one colour, on each of some places.

    Its two colours take the places of those that the picture uses least; what had these gets the most similar ones.
    """
    from PIL import Image

    drawn = Image.open(BytesIO(png))
    flat = drawn.getpalette() or []
    colours = [*zip(flat[::3], flat[1::3], flat[2::3], strict=True)]
    spare, others = _part(colours, drawn.histogram())
    picture = drawn.point([_most_similar(colours, at, others) if at in spare else at for at in range(256)])
    for at, (colour, mask) in zip(spare, _stamp(stamp), strict=True):
        colours[at] = colour
        for x, y in places:
            picture.paste(at, (x - SIDE // 2, y - SIDE // 2), mask)
    picture.putpalette([value for colour in colours for value in colour])
    stamped = BytesIO()
    picture.save(stamped, "PNG")
    return stamped.getvalue()


def _part(colours: "Collection[Colour]", used: "Sequence[int]") -> tuple[list[int], list[int]]:
    """The two colours that a picture uses least, and the others."""
    ranked = sorted(range(len(colours)), key=used.__getitem__)
    return ranked[:2], ranked[2:]


def _most_similar(colours: "Sequence[Colour]", at: int, others: "Collection[int]") -> int:
    return min(others, key=lambda other: math.dist(colours[at], colours[other]))


@lru_cache(maxsize=16)
def _stamp(svg: str) -> "tuple[tuple[Colour, Image], ...]":
    """The white of a stamp, then its colour, each with what it covers."""
    from PIL import Image

    drawn = rasterise(svg).convert("RGBA").tobytes()
    pixels = [*zip(drawn[::4], drawn[1::4], drawn[2::4], drawn[3::4], strict=True)]
    inks = Counter(pixel[:3] for pixel in pixels if pixel[3] == _OPAQUE and pixel[:3] != _WHITE)
    ink: Colour = inks.most_common(1)[0][0]
    found = []
    for colour, covers in ((_WHITE, _is_covered), (ink, _is_inked)):
        mask = Image.new("1", (SIDE, SIDE))
        mask.putdata([covers(pixel) for pixel in pixels])
        found.append((colour, mask))
    return tuple(found)


_OPAQUE: Final = 255


def _is_covered(pixel: tuple[int, int, int, int]) -> bool:
    return pixel[3] > _OPAQUE // 2


def _is_inked(pixel: tuple[int, int, int, int]) -> bool:
    return _is_covered(pixel) and min(pixel[:3]) < _OPAQUE // 2


@cache
def _font_files() -> tuple[str, ...]:
    folder = files("templates") / "fonts"
    return tuple(sorted(str(file) for file in folder.iterdir() if file.name.endswith(".ttf")))
