"""The score of a table, explained line by line.

A score says where every point comes from; how that looks is for templates.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.game import Seat


class Line(NamedTuple):
    """Points from one source, under one rule.

    `says` is a pattern and `facts` fill it, as in a Verdict, so that it can be translated; facts hold plain
    data (names of spaces, counts) for pictures.
    """

    source: str
    rule: str
    points: int
    says: str = ""
    facts: Mapping[str, object] = MappingProxyType({})

    @property
    def detail(self) -> str:
        """The explanation in English."""
        return self.says.format_map(self.facts)


class Earning(NamedTuple):
    """What one move pays a seat at once, and for what: a stone that is the first over the ravine."""

    seat: Seat
    source: str
    """The source of the points, as lines of the score name it."""
    reason: str
    """A word for what brought them, which templates can say."""
    points: int


class Tally(NamedTuple):
    """What one seat has scored."""

    seat: Seat
    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """All points of the seat."""
        return sum(line.points for line in self.lines)


class Score(NamedTuple):
    """The tallies of a table in seat order; `winners` is empty until the game is over."""

    tallies: tuple[Tally, ...]
    winners: tuple[Seat, ...] = ()
    untold: tuple[Seat, ...] = ()
    """Seats whose points cannot be told, because this copy of the game hides what they rest on."""
    hidden: tuple[Seat, ...] = ()
    """Seats whose points the rules keep hidden until the end: what is counted here is not what they have."""

    def total(self, seat: Seat) -> int:
        """The points of one seat."""
        return next(tally.total for tally in self.tallies if tally.seat == seat)

    def shown(self, seat: Seat) -> int | None:
        """The points of one seat as they can be shown; None while they are hidden."""
        return None if seat in self.hidden else self.total(seat)


def tens(turn: int) -> str:
    """The ten turns to which one belongs, as a trait of a game: ``turns 21 to 30``."""
    first = (turn - 1) // 10 * 10 + 1
    return f"turns {first} to {first + 9}"
