"""The board as SVG: text that scales, needs no font file and refers to nothing outside itself.

The board as PNG: the SVG picture in dots.

Only the fonts that come with the templates are used, so the same view gives the same bytes wherever the same
libraries are installed. A board has few colours; with a palette of them the file is a quarter of the size.

The board as PNG, quickly: for mails, of which every turn brings several.

A game of ours may lay its picture from tiles; what it cannot lay, and every other game, is drawn in full.

The board as text: drawn for the eye, and as a list by owner for the ear.

The board as one HTML page that can be kept, sent or opened without a network.
"""

from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from engine.game import View
from engine.registry import find_game
from pbem.render.environment import choose_template
from pbem.render.options import PLAIN, DrawOptions
from pbem.render.players import show_name
from pbem.render.scenes import set_scene

if TYPE_CHECKING:
    from PIL.Image import Image

    from pbem.render.tile_renderer import TileRenderer


def draw_svg(key: str, view: View, options: DrawOptions = PLAIN) -> str:
    """The view of the game called `key` as one SVG picture."""
    template = choose_template(key, "board.svg", options.locale)
    return template.render(scene=set_scene(key, view, options))


FAMILY: Final = "DejaVu Sans Condensed"
COLOURS: Final = 256


def draw_png(key: str, view: View, options: DrawOptions = PLAIN, *, width: int | None = None) -> bytes:
    """The view of the game called `key` as a PNG picture; `width` in dots, else the picture's own."""
    small = BytesIO()
    few_colours(rasterise(draw_svg(key, view, options), width=width)).save(small, "PNG")
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


LAID: Final = {
    "through-the-desert": ("pbem.render.scenes.through_the_desert.tiles", "HexTiler"),
    "nomadi": ("pbem.render.scenes.nomadi.tiles", "SquareTiler"),
    "brotherhood-base": ("pbem.render.scenes.brotherhood.tiles", "WallTiler"),
    "brotherhood": ("pbem.render.scenes.brotherhood.tiles", "WallTiler"),
}
"""The games with a mosaic, and who lays it."""


def draw_quickly(key: str, view: View, options: DrawOptions = PLAIN) -> bytes:
    """The view of the game called `key` as a PNG picture of its own width."""
    if key not in LAID or options.legal:
        return draw_png(key, view, options)
    place, name = LAID[key]
    tiler: type[TileRenderer[Any]] = getattr(import_module(place), name)
    return tiler.of(options.theme, options.locale).draw(view, options)


def draw_text(key: str, view: View, options: DrawOptions = PLAIN) -> str:
    """The board in characters of fixed width, less than 80 to the line, with its signs explained."""
    return _fill("board.txt", key, view, options)


def list_by_owner(key: str, view: View, options: DrawOptions = PLAIN) -> str:
    """The same table in sentences, owner by owner, in an order that a screen reader can follow."""
    return _fill("owners.txt", key, view, options)


def _fill(name: str, key: str, view: View, options: DrawOptions) -> str:
    template = choose_template(key, name, options.locale)
    return template.render(scene=set_scene(key, view, options))


def draw_page(key: str, view: View, options: DrawOptions = PLAIN) -> str:
    """The picture, the scores and the list by owner; light or dark as the reader's screen is."""
    game = find_game(key)
    template = choose_template(key, "page.html", options.locale)
    return template.render(
        key=key,
        heading=show_name(options.title) or (options.locale.translations.gettext(game.title) if game else key),
        # The title stands above the picture, which need not repeat it.
        scene=set_scene(key, view, replace(options, title="", theme="auto")),
        locale=options.locale,
    )
