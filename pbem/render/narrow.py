"""The board for a telephone: alone, 362 CSS pixels wide, with every name that one must type large enough to read.

A game draws it as figures: those that all readers see, and above them an overlay with what concerns one reader. The
board that all see is put together once for each position and cached; an overlay is pasted on a copy of it. The
pictures are twice as large as they are shown, for the screens of telephones, in a few flat colours that the game's
template ``narrow.svg`` names. A game offers its scene as `NARROW`; this module knows no game.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from pbem.locale.catalogues import Locale
from pbem.render.environment import environment
from pbem.render.geometry import Point
from pbem.render.raster import draw_stamp, rasterise, stamp_places
from pbem.render.tiles import (
    DRAWN,
    Box,
    Figure,
    SheetPlace,
    TileCache,
    TilePalette,
    TileSpec,
    make_spec,
    paste_tiles,
    prepare_small_canvas,
    sheet_size,
    write_png,
)

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from engine.game import View
    from pbem.render.options import DrawOptions

TEMPLATE: Final = "narrow.svg"
SCALE: Final = 2
"""Pixels of the picture for each CSS pixel."""
WIDTH: Final = 362 * SCALE
"""The width of every picture: that of a telephone, less the margins of a mail."""
LETTERING: Final = 11 * SCALE
"""The size of the type in which names of places are set."""

RENDERERS: Final = 32
"""Renderers that are cached, one for each game and language."""
GROUNDS: Final = 32
"""Empty boards that a renderer caches, of up to 750 kB each."""
BOARDS: Final = 4
"""Boards with all that everybody sees, of the same size: as many as positions of which mails are written by turns."""

BACKDROP: Final = "#fff"
"""What tiles lie on; it never shows, because drawings have no soft edges."""

Placement = tuple[TileSpec, int, int]


class NarrowGround(Protocol):
    """The empty board. A ground is a key of caches, so equal boards should be one object."""

    @property
    def height(self) -> int:
        """How high the picture is, in its own pixels."""

    def __hash__(self) -> int:
        """By what the board looks like, or by identity."""


class NarrowScene(ABC):
    """A view made ready to be drawn narrow. All measures are pixels of the picture."""

    folder: ClassVar[str]
    """Where the game's templates lie: among them ``narrow.svg``."""

    def __init__(self, view: "View", options: "DrawOptions") -> None:
        self.view = view
        self.options = options

    @property
    @abstractmethod
    def ground(self) -> NarrowGround:
        """The empty board, for the macro `ground`, which may draw nothing on the colour `page`."""

    @abstractmethod
    def middle_of(self, mark: str) -> Point:
        """The middle of a space, for the mark of a place where something is wrong."""

    @abstractmethod
    def board(self) -> Iterable[Figure]:
        """What all readers see upon it, the lowest first."""

    @abstractmethod
    def overlay(self) -> Iterable[Figure]:
        """What only concerns the reader: the own pieces, and what is open."""


class NarrowRenderer:
    """Draws the narrow pictures of one game in one language."""

    def __init__(self, scene: type[NarrowScene], locale: Locale) -> None:
        self._scene = scene
        self._macros: Any = environment(locale).get_template(f"{scene.folder}/{TEMPLATE}").module
        self._frame: Any = environment(locale).get_template(f"any-game/{TEMPLATE}").module
        self._ground = lru_cache(maxsize=GROUNDS)(self._draw_ground)
        self._board = lru_cache(maxsize=BOARDS)(self._paste_board)

    def draw(self, view: "View", options: "DrawOptions") -> bytes:
        """A view as a PNG picture, from tiles."""
        scene = self._scene(view, options)
        board = self._board(scene.ground, tuple(self._place(scene.board())))
        overlay = list(self._place(scene.overlay()))
        whole = paste_tiles(board, overlay, self._cache) if overlay else board
        top, bottom = [row * SCALE for row in options.rows or (0, scene.ground.height // SCALE)]
        if options.rows is not None:
            whole = whole.crop((0, top, WIDTH, bottom))
        png = write_png(whole, self._cache.palette.colours)
        places = [Point(at.x, at.y - top) for at in map(scene.middle_of, options.wanted)]
        return stamp_places(png, draw_stamp(options.locale), places) if places else png

    def draw_svg(self, view: "View", options: "DrawOptions") -> str:
        """The same as an SVG picture."""
        scene = self._scene(view, options)
        figures = [
            (figure, self._mark_up(figure.drawing, figure.facts)) for figure in (*scene.board(), *scene.overlay())
        ]
        return self._frame_in(Box(0, 0, WIDTH, scene.ground.height), self._macros.ground(scene.ground), figures)

    @cached_property
    def _cache(self) -> TileCache:
        from PIL import Image

        return TileCache(TilePalette.of(self._macros.colours), self._draw_sheet, Image.new("1", (1, 1)))

    def _place(self, figures: Iterable[Figure]) -> Iterator[Placement]:
        for drawing, facts, box, at, _, _ in figures:
            yield make_spec(drawing, facts, box, BACKDROP, DRAWN), at.x + box.left, at.y + box.top

    def _paste_board(self, ground: NarrowGround, placed: tuple[Placement, ...]) -> "Picture":
        return paste_tiles(self._ground(ground), placed, self._cache)

    def _draw_ground(self, ground: NarrowGround) -> "Picture":
        box, drawn = Box(0, 0, WIDTH, ground.height), self._macros.ground(ground)
        if drawn.strip():
            whole = rasterise(self._frame_in(box, drawn, (), WIDTH)).convert("RGB")
            return prepare_small_canvas(self._cache.palette.quantise(whole))
        from PIL import Image

        page = self._macros.colours.index(self._macros.page)
        return prepare_small_canvas(Image.new("L", (WIDTH, ground.height), page))

    def _frame_in(
        self, box: Box, ground: object, figures: Iterable[tuple[Figure, object]], width: int = WIDTH // SCALE
    ) -> str:
        return str(self._frame.whole(self._macros.style, self._macros.page, box, width, ground, figures))

    def _draw_sheet(self, sheet: Sequence[SheetPlace]) -> str:
        drawn = [(self._mark_up(drawing.name, drawing.facts), drawing.box, place) for drawing, place in sheet]
        return str(self._frame.sheet(self._macros.style, sheet_size(sheet), drawn))

    def _mark_up(self, name: str, facts: Sequence[object]) -> Any:
        return getattr(self._macros, name)(*facts)


@lru_cache(maxsize=RENDERERS)
def narrow_renderer(scene: type[NarrowScene], locale: Locale) -> NarrowRenderer:
    """The renderer for a game's scene and a language, with all the tiles that it has made."""
    return NarrowRenderer(scene, locale)
