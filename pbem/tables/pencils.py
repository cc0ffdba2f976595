"""Pencils: moves that were read beside words which are not known, and that are played later unless the player objects.

A letter that holds exactly one legal turn and such words is pencilled: nothing is played, the player is told, and the
moves are played at the moment that the mail says. Another letter of the seat, a pause, going back or the end of the
game overtakes them. A pencil is an event that changes nothing else; what it says is its player's secret.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from engine.game import Seat
from pbem.events.chain import Draft
from pbem.events.kinds import (
    GameEnded,
    GamePaused,
    SeatResigned,
    SeatSubstituted,
    TimeExtended,
    TurnPlayed,
    TurnUndone,
)
from pbem.events.payload import Payload
from pbem.events.post_kinds import GameRestored, MovePencilled, PencilErased
from pbem.tables.table import POST_WAS_DOWN, Pencil, Table

_CLEARING: Final = (TurnUndone, GameRestored, GameEnded)
"""After these no turn is what it was when something was pencilled."""


def pencils_after(pencils: Mapping[Seat, Pencil], payload: Payload) -> Mapping[Seat, Pencil]:
    """The pencils of a table after an event; the very same ones if it changes none."""
    match payload:
        case MovePencilled(seat=seat, turn=turn):
            earlier = pencils.get(seat)
            until = datetime.fromisoformat(payload.until)
            is_first = earlier is None or earlier.turn != turn
            return {**pencils, seat: Pencil(payload.move, turn, payload.letter, until, is_first=is_first)}
        case TurnPlayed(seat=seat) | PencilErased(seat=seat) | SeatResigned(seat=seat) if seat in pencils:
            return {**pencils, seat: replace(pencils[seat], is_live=False)}
        case SeatSubstituted(seat=seat) if seat in pencils:
            return {other: kept for other, kept in pencils.items() if other != seat}
        case GamePaused() if pencils:
            return {seat: replace(kept, is_live=False) for seat, kept in pencils.items()}
        case TimeExtended(reason=reason, length=length) if pencils and reason == POST_WAS_DOWN:
            # As deadlines do, so that a player has the time to object that the mail said.
            return {seat: replace(kept, extended=(*kept.extended, length)) for seat, kept in pencils.items()}
    return {} if pencils and isinstance(payload, _CLEARING) else pencils


def takes_pencils(table: Table) -> bool:
    """Whether moves can be pencilled now: in games whose chain can say so, while time runs and no draw is awaited."""
    return table.is_second_form and not table.pauses and not table.rounds.round


def is_first_pencil(table: Table, seat: Seat, turn: int) -> bool:
    """Whether a pencil of a seat would be its first in a turn, which keeps the seat from being called late."""
    earlier = table.pencils.get(seat)
    return earlier is None or earlier.turn != turn


def draft_erasure(seat: Seat, pencil: Pencil) -> Draft:
    """The event that a pencil is gone and will not be played."""
    return Draft(PencilErased(seat, pencil.letter))
