"""What a picture should show besides the view: names, marks, points, light or dark, and in which language.

Wishes add no knowledge of the game: whoever draws for a player passes that player's view, and a score only if it
may be shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from engine.game import Seat
    from engine.score import Score

Theme: TypeAlias = Literal["light", "dark", "auto"]
"""``auto`` follows the reader's screen, where the picture is shown by a browser."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language to write in: its code, its catalogue, and whether it runs from right to left."""

    code: str = "en"
    translations: NullTranslations = field(default_factory=NullTranslations)
    leftward: bool = False


ENGLISH: Final = Tongue()


@dataclass(frozen=True, slots=True)
class Wishes:
    """The wishes for one picture; by default the bare board in English, light.

    `names` are players' own words and may hold anything. `marked` are the marks of the last turn (see
    `marks_of`), `legal` those of what a player may do now. `score` adds points, and the winners of a finished game.
    """

    title: str = ""
    names: Mapping["Seat", str] = field(default_factory=dict)
    marked: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()
    score: "Score | None" = None
    theme: Theme = "light"
    tongue: Tongue = ENGLISH


PLAIN: Final = Wishes()
