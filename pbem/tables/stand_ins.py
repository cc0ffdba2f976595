"""Seats that pass to somebody else: players who ask to be replaced, and seats that wait for a player.

A player who asks to be replaced answers for the seat until somebody has taken it. Whoever takes it sees what the seat
sees, from the first turn on; the former player is told that the seat is taken, and gets nothing more of it.
"""

from typing import NamedTuple

from engine.game import Seat
from pbem.events.kinds import GameEnded, SeatResigned, SeatSubstituted
from pbem.events.payload import Payload
from pbem.events.post_kinds import DelegationEnded, SeatDelegated, SeatKept, SeatOffered


class StandIns(NamedTuple):
    """Which seats of a table are to pass to somebody else."""

    offered: frozenset[Seat] = frozenset()
    """Seats whose players ask to be replaced."""
    delegated: frozenset[Seat] = frozenset()
    """Seats that somebody else plays for their player for some days."""

    def after(self, payload: Payload) -> "StandIns":
        """What holds after an event; the very same value if it changes nothing."""
        match payload:
            case SeatOffered(seat=seat):
                return self._replace(offered=self.offered | {seat})
            case SeatDelegated(seat=seat):
                return self._replace(delegated=self.delegated | {seat})
            case SeatKept(seat=seat) if seat in self.offered:
                return self._replace(offered=self.offered - {seat})
            case DelegationEnded(seat=seat) if seat in self.delegated:
                return self._replace(delegated=self.delegated - {seat})
            case SeatSubstituted(seat=seat) | SeatResigned(seat=seat) if seat in self.offered | self.delegated:
                return StandIns(self.offered - {seat}, self.delegated - {seat})
            case GameEnded() if self.offered or self.delegated:
                return NO_STAND_INS
        return self


NO_STAND_INS = StandIns()
"""A table at which everybody stays."""
