"""Which history a reply address was written in, and what that means for the commands of a letter that came to it."""

from enum import Enum, auto
from typing import NamedTuple

from engine.game import Seat
from pbem.events.history_mark import find_epoch, was_given_up
from pbem.tables.decision import Refused
from pbem.tables.play import refuse_given_up, refuse_gone_back
from pbem.tables.table import PLAYING, ROLLBACK, Table


class History(Enum):
    """The history that a ticket belongs to."""

    OURS = auto()
    GIVEN_UP = auto()
    """One that a restore has given up, and everybody was told."""
    LOST = auto()
    """One that we do not have and nobody gave up: the database is older than it was."""


class TicketPlace(NamedTuple):
    """The turn that a ticket names, and its mark; or, in a ticket of the old form, its epoch."""

    turn: int
    mark: str = ""
    epoch: int | None = None

    def epoch_at(self, table: Table) -> int | None:
        """The epoch that the ticket was written in; None if the table does not know its mark."""
        return self.epoch if self.epoch is not None else find_epoch(table.marks, self.mark)

    def history(self, table: Table) -> History:
        """The history that the ticket was written in."""
        if self.epoch is not None:
            # The old form cannot tell one history from another, so after a restore its writer is asked.
            return History.GIVEN_UP if table.restores else History.OURS
        if find_epoch(table.marks, self.mark) is not None:
            return History.OURS
        return History.GIVEN_UP if was_given_up(self.mark, table.restores) else History.LOST

    def is_sent_again(self, table: Table) -> bool:
        """Whether a letter from before a hold is for the very turn that the held table has come back to.

        An address of the old form does not tell its history, so what came to one is asked about.
        """
        is_earlier = self.epoch is None and self.history(table) is not History.LOST
        return ROLLBACK in table.pauses and self.turn == table.turn and is_earlier


def is_playing(table: Table, seat: Seat) -> bool:
    """Whether a seat can act at a table. If not, the table itself says why."""
    return table.stage == PLAYING and seat in table.active


def refuse_by_history(table: Table, seat: Seat, place: TicketPlace) -> Refused | None:
    """Why something that binds its writer is not done: it was written in another history."""
    if not is_playing(table, seat) or place.history(table) is History.OURS or place.is_sent_again(table):
        return None
    return refuse_given_up()


def find_gone_back(table: Table, seat: Seat, named: int | None, place: TicketPlace) -> Refused | None:
    """Why moves are refused that were written before turns were taken back, unless they name their turn."""
    if named is not None or not is_playing(table, seat) or place.is_sent_again(table):
        return None
    return None if place.epoch_at(table) == table.epoch else refuse_gone_back()
