"""A record as values: headers, entries, remarks, endings.

Reading gives them and writing takes them. They know what a record says, not whether it is a legal game (that is for
`pbem.judging`) nor how it looks (that is for the writer). Entries are made by the hundred thousand and are therefore
named tuples.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from engine import registry
from engine.game import GameRules, Seat, Setup

COMMENT: Final = "comment"
GLYPH: Final = "glyph"
ANNOTATION: Final = "annotation"
VARIATION: Final = "variation"

ABOVE: Final = -1
"""The place of a remark that stands before its entry, usually on a line of its own."""


SEAT: Final = "Seat."
"""What the headers that name players begin with: ``[Seat.red "Anna"]``."""


POSE: Final = "Pose"
"""The header that states a position, and what those of the seats begin with: ``[Pose.red "coins 7"]``."""


class Remark(NamedTuple):
    """Something said beside the game. Leaving out all remarks never changes a game.

    `at` counts the entry's moves that stand before it: 0 before the first move, ABOVE before the entry itself.
    `kind` is COMMENT (value: its text), GLYPH (``!``, ``?!``, ``$10``), ANNOTATION (``state 0f3a…``, the text between
    ``[%`` and ``]`` as it stands) or VARIATION (value: a tuple of entries).
    """

    at: int
    kind: str
    value: Any


class Entry(NamedTuple):
    """One line of history: a seat's turn, chance settled, or a word from the table such as ``end``.

    `line` is where it was read; two entries that say the same are equal wherever they stand.
    """

    number: int | None
    who: Seat
    moves: tuple[Any, ...]
    remarks: tuple[Remark, ...] = ()
    line: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and self[:4] == other[:4]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:4])


NORMAL: Final = "normal"
AGREED: Final = "agreed"
ADJUDICATED: Final = "adjudicated"
LOSING: Final = ("resigned", "time")
"""The kinds of ending whose named seats lose to the others."""


class Ending(NamedTuple):
    """How the table ended a game, the move of an ``end`` entry.

    `kind` is one of normal, resigned, agreed, time, abandoned, adjudicated; `seats` are those concerned.
    """

    kind: str
    seats: tuple[Seat, ...] = ()
    reason: str = ""


class Undone(NamedTuple):
    """The table went back to the beginning of a turn: the move of an ``undo`` entry.

    Of the entries of that turn the first `kept` stand: a throw that came before what was taken back.
    """

    turn: int
    kept: int = 0


class Paused(NamedTuple):
    """Time began to stand still for a reason: the move of a ``pause`` entry."""

    reason: str


class Resumed(NamedTuple):
    """A reason to stand still is gone: the move of a ``resume`` entry."""

    reason: str


class Seated(NamedTuple):
    """Somebody else took a seat: the move of a ``substitute`` entry."""

    seat: Seat
    name: str


class Left(NamedTuple):
    """Somebody gave up while others play on: the move of a ``resign`` entry."""

    seat: Seat


class Words(NamedTuple):
    """A move of a game that is not known here, kept as it was written."""

    text: str


class Standing(NamedTuple):
    """One seat in a Result header: its points, if they are given, and whether it won."""

    seat: Seat
    points: int | None = None
    won: bool = False


@dataclass(frozen=True)
class Record:
    """A game's record. `headers` stand in canonical order (`headers.arrange`); `afterword` follows the last entry."""

    headers: tuple[tuple[str, str], ...] = ()
    entries: tuple[Entry, ...] = ()
    afterword: tuple[Remark, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes: the rules are found again there, because functions cannot be sent."""
        return Record, (self.headers, self.entries, self.afterword)

    def header(self, name: str) -> str | None:
        """The value of one header, or None."""
        return next((value for each, value in self.headers if each == name), None)

    @cached_property
    def game(self) -> GameRules | None:
        """The game in the edition that the headers name, or None when there is no such thing here."""
        key = self.header("Game")
        return None if key is None else registry.find_game(key, self.header("Rules"))

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The seats at the table, in seat order."""
        return tuple(name.removeprefix(SEAT) for name, _ in self.headers if name.startswith(SEAT))

    @cached_property
    def setup(self) -> Setup:
        """Who sits where, the headers that the game itself understands, and the position that is stated, if one is."""
        options = {option.name for option in self.game.options} if self.game else set()
        pose = [(name[len(POSE) + 1 :], value) for name, value in self.headers if name.partition(".")[0] == POSE]
        return Setup(self.seats, tuple(header for header in self.headers if header[0] in options), tuple(pose))
