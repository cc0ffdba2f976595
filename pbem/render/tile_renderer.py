"""How a picture is put together from tiles, for any game: in one theme and one language, with boards that are cached.

A game's renderer says what its empty board is and which tiles go where. It is found as the game's `TILE_RENDERER`;
this module knows no game.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Self, TypeVar

from PIL import Image

from pbem.locale.catalogues import Locale
from pbem.render.environment import environment
from pbem.render.options import DrawOptions, Theme
from pbem.render.tiles import (
    SheetPlace,
    TileCache,
    TilePalette,
    TileSpec,
    paste_tiles,
    prepare_canvas,
    sheet_size,
    write_png,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

    from PIL.Image import Image as Picture

    from engine.game import View

Placement = tuple[TileSpec, int, int]
"""A tile, and where it goes: pixels from the left, and from the top."""
SceneT = TypeVar("SceneT")

RENDERERS: Final = 16
"""Renderers that are cached, of all games together: each is for one game, theme and language."""
GROUNDS: Final = 64
"""Empty boards that a renderer caches."""


class TileRenderer(ABC, Generic[SceneT]):
    """Draws the pictures of one game in one theme and one language."""

    folder: ClassVar[str]
    """Where the game's templates lie: among them ``palette.svg`` and ``tiles.svg``."""

    def __init__(self, theme: Theme, locale: Locale) -> None:
        self.theme = theme
        self.locale = locale
        self._ground = lru_cache(maxsize=GROUNDS)(self._draw_canvas)

    @classmethod
    @lru_cache(maxsize=RENDERERS)
    def of(cls, theme: Theme, locale: Locale) -> Self:
        """The renderer for a theme and a language, with all the tiles that it has made."""
        return cls(theme, locale)

    @abstractmethod
    def make_scene(self, view: "View", options: DrawOptions) -> SceneT:
        """A view made ready to be drawn."""

    @abstractmethod
    def ground_of(self, scene: SceneT) -> "tuple[Hashable, ...]":
        """The facts on which the empty board depends."""

    @abstractmethod
    def draw_ground(self, *facts: Any) -> "Picture":
        """The empty board in full colours."""

    @abstractmethod
    def draw_specimen(self) -> "Picture":
        """Everything that may be in a picture; the 256 colours are chosen to suit it."""

    @abstractmethod
    def draw_sheet(self, sheet: Sequence[SheetPlace], size: tuple[int, int]) -> str:
        """The SVG of one sheet with several drawings, each at its place."""

    @abstractmethod
    def place_tiles(self, scene: SceneT) -> Iterable[Placement]:
        """All tiles of a picture, in the order in which they are pasted."""

    def draw(self, view: "View", options: DrawOptions) -> bytes:
        """A view as a PNG picture that looks like the SVG one."""
        scene = self.make_scene(view, options)
        ground = self._ground(*self.ground_of(scene))
        laid = paste_tiles(ground, list(self.place_tiles(scene)), self.tile_cache)
        return write_png(laid, self.tile_cache.palette.colours)

    @cached_property
    def tints(self) -> Mapping[str, Any]:
        """The colours that the templates give to the backgrounds of tiles."""
        palette = self.macros("palette.svg")
        tints: Mapping[str, Any] = palette.night if self.theme == "dark" else palette.day
        return tints

    @cached_property
    def tile_cache(self) -> TileCache:
        """The tiles made so far, all in the colours of the specimen."""
        return TileCache(
            TilePalette.suiting(self.draw_specimen()),
            lambda sheet: self.draw_sheet(sheet, sheet_size(sheet)),
            self.wiper,
        )

    @property
    def wiper(self) -> "Picture":
        """The mask that a WIPING tile covers besides its drawing."""
        return Image.new("1", (1, 1))

    def macros(self, name: str) -> Any:
        """The macros of one of the game's templates."""
        return environment(self.locale).get_template(f"{self.folder}/{name}").module

    def recall(self, macro: Any, *facts: "Hashable") -> str:
        """What a macro says of some facts; cached, because mails say much of it too."""
        recall: Any = environment(self.locale).globals["recall"]
        return str(recall(macro, *facts))

    def _draw_canvas(self, *facts: Any) -> "Picture":
        return prepare_canvas(self.tile_cache.palette.quantise(self.draw_ground(*facts)))
