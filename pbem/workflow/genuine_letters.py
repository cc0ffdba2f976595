"""Genuine letters: those of a player, to the player's own reply address, that our mail server did not doubt.

What strangers send must not hold them up. They are handled before all others, and no seat is called late while one of
them has not been looked at.
"""

from collections import deque
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from engine.game import Seat
from pbem.clock.alarms import Alarm
from pbem.clock.clock import end_of_grace
from pbem.mail.reading import Unreadable, read_letter
from pbem.store.rows import LetterRow, SeatRow
from pbem.store.store import Transaction
from pbem.workflow.context import PostContext
from pbem.workflow.sender_checks import KnownSender, identify_sender
from pbem.workflow.session import GameSession

AT_ONCE: Final = 20
"""How many letters are looked at together."""
MOST: Final = 500
"""How many letters are looked at before one is handled, or before somebody is called late."""


def find_writer(context: PostContext, transaction: Transaction, row: LetterRow) -> SeatRow | None:
    """The player who wrote a letter. None if it is not genuine."""
    letter = read_letter(
        row.raw,
        post=context.identity,
        envelope_from=row.env_from,
        envelope_to=row.env_to,
        largest=context.settings.post.largest_letter,
    )
    if isinstance(letter, Unreadable) or letter.automatic is not None:
        return None
    known = identify_sender(letter, transaction, context.identity)
    return known.person if isinstance(known, KnownSender) else None


class GenuineFirst:
    """The order in which letters are handled: genuine ones as they came, then all others."""

    def __init__(self, context: PostContext) -> None:
        self._context = context
        self._last = 0
        """The newest letter that was looked at."""
        self._genuine: deque[int] = deque()

    def choose(self, transaction: Transaction) -> LetterRow | None:
        """The oldest genuine letter that has no outcome yet. None if none is known: then the oldest of all is next."""
        self._look_ahead(transaction)
        while self._genuine:
            found = transaction.find_letter(self._genuine.popleft())
            if found is not None and found.state == "received":
                return found
        return None

    def _look_ahead(self, transaction: Transaction) -> None:
        """Look at letters that were not looked at before, until a genuine one is among them."""
        looked_at = 0
        while not self._genuine and looked_at < MOST and (fresh := transaction.received_after(self._last, AT_ONCE)):
            self._last, looked_at = fresh[-1].id, looked_at + len(fresh)
            if not _is_only(transaction, fresh):
                self._genuine += [row.id for row in fresh if find_writer(self._context, transaction, row) is not None]


def _is_only(transaction: Transaction, fresh: Sequence[LetterRow]) -> bool:
    """Whether there is at most one letter to choose from, which is then read only once."""
    if len(fresh) > 1:
        return False
    oldest = transaction.next_received()
    return oldest is not None and oldest.id == fresh[0].id


def awaits_letter(session: GameSession, alarm: Alarm) -> bool:
    """Whether a genuine letter for a seat came in time and must be handled before the seat can be called late.

    Letters that wait for their answer have changed nothing so far. They are tried once more, now that time is up.
    """
    end = end_of_grace(alarm.deadline, session.clock.control, session.clock.calendar(alarm.seat))
    return _lies_unread(session, alarm.seat, end) or _tries_again(session, alarm, end)


def _lies_unread(session: GameSession, seat: Seat, end: datetime) -> bool:
    """Whether a genuine letter for a seat may lie unread. If too many lie there to look at them all, one may."""
    last, looked_at = 0, 0
    while rows := session.transaction.received_after(last, AT_ONCE):
        last, looked_at = rows[-1].id, looked_at + len(rows)
        for row in rows:
            writer = find_writer(session.context, session.transaction, row) if row.received_at <= end else None
            if writer is not None and (writer.game, writer.seat) == (session.row.id, seat):
                return True
        if looked_at >= MOST:
            return True
    return False


def _tries_again(session: GameSession, alarm: Alarm, end: datetime) -> bool:
    """Let the waiting letters for a seat be handled again, once for each deadline; whether there are any."""
    transaction, deadline = session.transaction, alarm.deadline.isoformat()
    key = f"letters tried again for {alarm.seat} of {session.row.id}"
    if transaction.load_setting(key) == deadline:
        return False
    waiting = transaction.waiting_letters(session.row.id, alarm.seat, received_by=end)
    for letter in waiting:
        transaction.retry_waiting(letter)
    if waiting:
        transaction.save_setting(key, deadline)
    return bool(waiting)
