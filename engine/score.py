"""The score of a table, explained line by line.

A score says where every point comes from; how that looks is for templates.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.game import Seat


@dataclass(frozen=True, slots=True)
class Line:
    """Points from one source, under one rule.

    `says` is a pattern and `facts` fill it, as in a Verdict, so that it can be translated; facts hold plain
    data (names of spaces, counts) for whoever wants to draw them.
    """

    source: str
    rule: str
    points: int
    says: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def detail(self) -> str:
        """The explanation in English."""
        return self.says.format_map(self.facts)


@dataclass(frozen=True, slots=True)
class Tally:
    """What one seat has scored."""

    seat: Seat
    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """All points of the seat."""
        return sum(line.points for line in self.lines)


@dataclass(frozen=True, slots=True)
class Score:
    """The tallies of a table in seat order; `winners` is empty until the game is over."""

    tallies: tuple[Tally, ...]
    winners: tuple[Seat, ...] = ()

    def total(self, seat: Seat) -> int:
        """The points of one seat."""
        return next(tally.total for tally in self.tallies if tally.seat == seat)
