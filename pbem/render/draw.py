"""The board in every form: SVG, PNG, text, a list by owner, and one HTML page.

SVG needs no font file and refers to nothing outside itself. PNG is the same picture in pixels; the quick PNG, which
every mail carries, is put together from ready-made tiles where a game has a tile renderer. The text comes twice, as a
drawing and as sentences for a screen reader. The page can be kept, sent or opened without a network.
"""

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

from engine.game import View
from engine.registry import find_game, find_part
from pbem.render.environment import choose_template
from pbem.render.options import PLAIN, DrawOptions
from pbem.render.plain_scene import SCENES, make_scene
from pbem.render.players import show_name
from pbem.render.raster import draw_stamp, few_colours, rasterise, stamp_places

if TYPE_CHECKING:
    from pbem.render.narrow import NarrowRenderer


def draw_svg(key: str, view: View, options: DrawOptions = PLAIN) -> str:
    """The view of the game called `key` as one SVG picture."""
    narrow = _find_narrow(key, options)
    if narrow is not None:
        return narrow.draw_svg(view, options)
    return _fill("board.svg", key, view, options)


def draw_png(key: str, view: View, options: DrawOptions = PLAIN, *, width: int | None = None) -> bytes:
    """The view of the game called `key` as a PNG picture; `width` in pixels, else the picture's own."""
    narrow = _find_narrow(key, options)
    if narrow is not None:
        return narrow.draw(view, options)
    small = BytesIO()
    few_colours(rasterise(draw_svg(key, view, options), width=width)).save(small, "PNG")
    return small.getvalue()


def draw_quickly(key: str, view: View, options: DrawOptions = PLAIN) -> bytes:
    """The view of the game called `key` as a PNG picture of its own width, from tiles where the game has them."""
    narrow = _find_narrow(key, options)
    if narrow is not None:
        return narrow.draw(view, options)
    renderer = None if options.legal else find_part(key, "TILE_RENDERER", within=SCENES)
    if renderer is None:
        return draw_png(key, view, options)
    from pbem.render.tile_renderer import TileRenderer  # it needs the drawing libraries

    if not (isinstance(renderer, type) and issubclass(renderer, TileRenderer)):
        raise TypeError(f"TILE_RENDERER of {key} is not a class of pbem.render.tile_renderer.TileRenderer")
    drawn = renderer.of(options.theme, options.locale).draw(view, options)
    places = [at for _, at in make_scene(key, view, options).wanted] if options.wanted else []
    return stamp_places(drawn, draw_stamp(options.locale), places) if places else drawn


def can_draw_narrow(key: str) -> bool:
    """Whether the game called `key` has a board for telephones."""
    return find_part(key, "NARROW", within=SCENES) is not None


def _find_narrow(key: str, options: DrawOptions) -> "NarrowRenderer | None":
    """What draws the board for a telephone, where that is asked for and the game can."""
    scene = find_part(key, "NARROW", within=SCENES) if options.narrow else None
    if scene is None:
        return None
    from pbem.render.narrow import NarrowScene, narrow_renderer  # it needs the drawing libraries

    if not (isinstance(scene, type) and issubclass(scene, NarrowScene)):
        raise TypeError(f"NARROW of {key} is not a class of pbem.render.narrow.NarrowScene")
    return narrow_renderer(scene, options.locale)


def draw_text(key: str, view: View, options: DrawOptions = PLAIN) -> str:
    """The board in characters of fixed width, less than 80 to the line, with its signs explained."""
    return _fill("board.txt", key, view, options)


def list_by_owner(key: str, view: View, options: DrawOptions = PLAIN) -> str:
    """The same table in sentences, owner by owner, in an order that a screen reader can follow."""
    return _fill("owners.txt", key, view, options)


def _fill(name: str, key: str, view: View, options: DrawOptions) -> str:
    template = choose_template(key, name, options.locale)
    return template.render(scene=make_scene(key, view, options))


def draw_page(key: str, view: View, options: DrawOptions = PLAIN) -> str:
    """The picture, the scores and the list by owner; light or dark as the reader's screen is."""
    game = find_game(key)
    template = choose_template(key, "page.html", options.locale)
    return template.render(
        key=key,
        heading=show_name(options.title) or (options.locale.translations.gettext(game.title) if game else key),
        # The title stands above the picture, which need not repeat it.
        scene=make_scene(key, view, replace(options, title="", theme="auto")),
        locale=options.locale,
    )
