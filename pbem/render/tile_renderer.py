"""What all mosaics have in common: a theme and a language, the templates' colours, a workshop, grounds that are kept.

A game's tiler says what its ground is and which pieces go where. Nothing here knows a game.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Self, TypeVar

from PIL import Image

from pbem.render.environment import environment
from pbem.render.options import DrawOptions, Locale, Theme
from pbem.render.tiles import Ink, Piece, PlacedTile, Workshop, lay_out, lay_tiles, sheet_size

if TYPE_CHECKING:
    from collections.abc import Hashable

    from PIL.Image import Image as Picture

    from engine.game import View

Placement = tuple[Piece, int, int]
"""A piece, and where it lies: from the left, and from the top."""
SceneT = TypeVar("SceneT")

TILERS: Final = 16
"""Tilers that are kept, of all games together: each is for one game, theme and language."""
GROUNDS: Final = 64
"""Empty boards that a tiler keeps."""


class TileRenderer(ABC, Generic[SceneT]):
    """Lays the pictures of one game in one theme and one language."""

    folder: ClassVar[str]
    """Where the game's templates lie: among them ``palette.svg`` and ``tiles.svg``."""

    def __init__(self, theme: Theme, locale: Locale) -> None:
        self.theme = theme
        self.locale = locale
        self._ground = lru_cache(maxsize=GROUNDS)(self._lay_ground)

    @classmethod
    @lru_cache(maxsize=TILERS)
    def of(cls, theme: Theme, locale: Locale) -> Self:
        """The tiler for a theme and a language, with all the tiles that it has made."""
        return cls(theme, locale)

    @abstractmethod
    def set_scene(self, view: "View", options: DrawOptions) -> SceneT:
        """A view made ready to be drawn."""

    @abstractmethod
    def ground_of(self, scene: SceneT) -> "tuple[Hashable, ...]":
        """The facts on which the empty board depends."""

    @abstractmethod
    def draw_ground(self, *facts: Any) -> "Picture":
        """The empty board in full colours."""

    @abstractmethod
    def draw_specimen(self) -> "Picture":
        """Everything that may be in a picture, for its colours."""

    @abstractmethod
    def draw_sheet(self, sheet: Sequence[PlacedTile], size: tuple[int, int]) -> str:
        """The SVG of a sheet of drawings."""

    @abstractmethod
    def lay(self, scene: SceneT) -> Iterable[Placement]:
        """All pieces of a picture, in the order in which they are laid."""

    def draw(self, view: "View", options: DrawOptions) -> bytes:
        """A view as a PNG picture that looks like the SVG one."""
        scene = self.set_scene(view, options)
        return lay_tiles(self._ground(*self.ground_of(scene)), list(self.lay(scene)), self.workshop)

    @cached_property
    def tints(self) -> Mapping[str, Any]:
        """The colours that the templates give to what tiles lie on."""
        palette = self.macros("palette.svg")
        tints: Mapping[str, Any] = palette.night if self.theme == "dark" else palette.day
        return tints

    @cached_property
    def workshop(self) -> Workshop:
        """Where the tiles are made, all in the colours of a specimen."""
        return Workshop(Ink(self.draw_specimen()), lambda sheet: self.draw_sheet(sheet, sheet_size(sheet)), self.wiper)

    @property
    def wiper(self) -> "Picture":
        """What a tile that wipes covers besides its drawing."""
        return Image.new("1", (1, 1))

    def macros(self, name: str) -> Any:
        """The macros of one of the game's templates."""
        return environment(self.locale).get_template(f"{self.folder}/{name}").module

    def recall(self, macro: Any, *facts: "Hashable") -> str:
        """What a macro says of some facts; the words of a mail say much of it too."""
        recall: Any = environment(self.locale).globals["recall"]
        return str(recall(macro, *facts))

    def _lay_ground(self, *facts: Any) -> "Picture":
        return lay_out(self.workshop.ink.dip(self.draw_ground(*facts)))
