"""Who sits at the table, as a legend or a score table shows them, for any game."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import Seat, View
from pbem.render.names import show_name
from pbem.render.wishes import Wishes

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Player:
    """A seat with its player's name, its points (None: not shown) and its standing.

    The name is empty when it is unknown, or when it only repeats the seat.
    """

    seat: Seat
    name: str
    points: int | None
    due: bool
    won: bool


@dataclass(frozen=True, slots=True)
class Source:
    """Where points came from, and how many each seat has from there, in seat order."""

    name: str
    points: tuple[int, ...]


def list_players(view: View, wishes: Wishes) -> list[Player]:
    """All seats in seat order; a view that does not name them leaves it to the score, or to the names."""
    score = wishes.score
    scored = {tally.seat: score.shown(tally.seat) for tally in score.tallies} if score else {}
    seats: Sequence[Seat] = view.get("seats") or tuple(scored) or tuple(wishes.names)
    due = view.get("to_act", ())
    return [
        Player(
            seat,
            name=_name(seat, wishes),
            points=scored.get(seat),
            due=seat in due,
            won=score is not None and seat in score.winners,
        )
        for seat in seats
    ]


def _name(seat: Seat, wishes: Wishes) -> str:
    name = show_name(wishes.names.get(seat, ""))
    return "" if name.casefold() == seat else name


def list_sources(wishes: Wishes) -> list[Source]:
    """The rows of a score table; empty when no score may be shown."""
    tallies = wishes.score.tallies if wishes.score else ()
    names = dict.fromkeys(line.source for tally in tallies for line in tally.lines)
    return [
        Source(
            name,
            tuple(sum(line.points for line in tally.lines if line.source == name) for tally in tallies),
        )
        for name in names
    ]
