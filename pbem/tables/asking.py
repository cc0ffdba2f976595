"""Who was asked for a move, by which event and until when: in games of the second form, events that answer say so.

So the answers of a player, and those that never came, can be counted from records alone.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.game import Seat
from pbem.events.kinds import GameEnded, SeatResigned, TurnPlayed
from pbem.events.payload import Payload
from pbem.tables.table import Table

ON_TIME: Final = ("player", "clock")
"""The authors of turns that were asked for; others move for a seat without a player, or by a ruling."""
CLOCK: Final = "clock"
BY_TIME: Final = "time"
"""How a game ends in which somebody ran out of time."""


def asked_seat(payload: Payload) -> Seat | None:
    """The seat whose time an event must tell, because it answered or did not; None if there is none."""
    match payload:
        case TurnPlayed(seat=seat, by=by) if by in ON_TIME:
            return seat
        case SeatResigned(seat=seat, by=by) if by == CLOCK:
            return seat
        case GameEnded(ending=ending, seats=(*_, seat)) if ending == BY_TIME:
            return seat
    return None


def add_times(table: Table, payload: Payload, due: Callable[[Seat], str]) -> Payload:
    """What happens next at a table of the second form, with the event that asked for it and the end of its time.

    `due` gives the end of a seat's time as events write it. Events that are taken in happened elsewhere.
    """
    seat = asked_seat(payload) if table.seq >= table.taken_in else None
    if seat is not None and isinstance(payload, TurnPlayed | SeatResigned | GameEnded):
        return replace(payload, asked=table.asked_by.get(seat, 0), due=due(seat))
    return payload
