"""What a reader of daily summaries has been told: all up to his last summary or turn mail.

An answer to a letter tells what came of the letter, not what others did meanwhile, so it takes nothing out of a
summary. This refuses to know how a summary reads.
"""

from typing import Final

from engine.game import Seat
from pbem.events.chain import Event
from pbem.mail.writing.occasions import Digest, GameOver, Occasion, Reminder, Turn
from pbem.workflow.session import Desk

DAILY: Final = "daily"
TELLING: Final = (Turn, Reminder, Digest, GameOver)
"""Occasions whose mails tell what has happened since the last of them."""


def note_told(desk: Desk, seat: Seat, occasion: Occasion) -> None:
    """Remember how far a mail has told the game to somebody who wants one a day."""
    if desk.people[seat].notices == DAILY and isinstance(occasion, TELLING):
        _save(desk, seat, desk.table.seq)


def begin_summaries(desk: Desk, seat: Seat) -> None:
    """Somebody wants one mail a day from now on: the first goes on from the last mail he got."""
    _save(desk, seat, desk.people[seat].last_seen_seq)


def untold(desk: Desk, seat: Seat) -> tuple[Event, ...]:
    """What the next summary has to tell."""
    kept = desk.transaction.load_setting(_name(desk, seat))
    last = desk.people[seat].last_seen_seq if kept is None else int(kept)
    return tuple(event for event in desk.events if event.seq > last)


def _save(desk: Desk, seat: Seat, seq: int) -> None:
    desk.transaction.save_setting(_name(desk, seat), str(seq))


def _name(desk: Desk, seat: Seat) -> str:
    return f"summed up for {seat} of {desk.row.id}"
