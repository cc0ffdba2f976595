"""What a picture should show besides the view: names, marks, points, light or dark, and in which language.

Options add no knowledge of the game: the caller passes the view of the player who will see the picture, and a score
only if it may be shown.

A mark is what a move of the last turn leaves on a picture: a space (``K7``, a hex ``H``, an intersection ``17``, a
``section 2``), or a way from one space to another (``F12-I15``, with a bend ``F12-I12-I15``, a path ``17-18``). It is
taken from what games call such things in their moves; moves that name none leave no mark.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from pbem.locale.catalogues import ENGLISH, Locale

if TYPE_CHECKING:
    from engine.game import Seat
    from engine.score import Score


Theme: TypeAlias = Literal["light", "dark", "auto"]
"""``auto`` follows the reader's screen, where the picture is shown by a browser."""


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """The options of one picture; by default the bare board in English, light.

    `names` are players' own words and may hold anything. `marked` are the marks of the last turn (see
    `marks_of`), `legal` those of what a player may do now, and `wanted` those of the places where something would have
    to change for a refused move to be legal. `score` adds points, and the winners of a finished game. `narrow` asks for
    the board alone, legible on a telephone, where a game can draw it; upon that board `reader` finds the own pieces
    marked, and what the moves of `open` lead to. A `steady` narrow board is the same part of the whole at every moment,
    for those who step through a game. Of a narrow board `rows` cuts out what lies between two heights, in pixels of
    CSS.
    """

    title: str = ""
    names: Mapping["Seat", str] = field(default_factory=dict)
    marked: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    score: "Score | None" = None
    theme: Theme = "light"
    locale: Locale = ENGLISH
    narrow: bool = False
    steady: bool = False
    reader: "Seat" = ""
    open: tuple[object, ...] = ()
    rows: tuple[int, int] | None = None


PLAIN: Final = DrawOptions()


SPACES: Final = {"space": "{}", "spot": "{}", "hex": "{}", "section": "section {}"}
"""What moves call a space, and how its mark is written."""


def marks_of(moves: Iterable[object]) -> tuple[str, ...]:
    """The marks of some moves, each once, in order."""
    return tuple(dict.fromkeys(mark for move in moves for mark in _marks_of(move)))


def _marks_of(move: Any) -> Iterator[str]:
    spaces = [(written, getattr(move, name, None)) for name, written in SPACES.items()]
    yield from (written.format(space) for written, space in spaces if space is not None)
    for way in _ways_of(move):
        yield "-".join(str(point) for point in way if point)


def _ways_of(move: Any) -> Iterator[tuple[Any, ...]]:
    """From point to point; two numbers that a move calls `one` and `two` are the ends of a path."""
    if hasattr(move, "origin") and hasattr(move, "target"):
        yield move.origin, getattr(move, "bend", None), move.target
    if isinstance(getattr(move, "one", None), int):
        yield move.one, move.two
    if hasattr(move, "rebuilt"):
        yield move.rebuilt
    yield from getattr(move, "paths", ())
