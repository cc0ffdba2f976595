"""Setbacks: mails that did not leave, and a way out that is closed, each told with its reason.

A mail is told by number, kind, game and seat, as everything in the journal is. A way out is told when it closes, when
it is closed for another reason, and when it is open again, not each minute that it stays as it is.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pbem.mail.transport.retry import Drained
from pbem.service.journal import note, warn, without_addresses
from pbem.store.rows import MailRow
from pbem.store.store import Store

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Setback:
    """A mail that was put off, or has `failed` for good."""

    mail: int
    kind: str
    game: str | None
    seat: str | None
    reason: str
    failed: bool

    def __str__(self) -> str:
        whose = f", {self.game} {self.seat}" if self.game and self.seat else ""
        fate = "failed" if self.failed else "put off"
        return f"mail {self.mail} ({self.kind}{whose}) {fate}: {self.reason}"


Tell = Callable[[Setback], None]


def tell_journal(setback: Setback) -> None:
    """One line for one mail."""
    warn(
        _LOG,
        "mail failed" if setback.failed else "mail put off",
        mail=setback.mail,
        kind=setback.kind,
        game=setback.game,
        seat=setback.seat,
        reason=without_addresses(setback.reason),
    )


class ToldTray:
    """The outbox, whose setbacks are told once they are on the disk."""

    def __init__(self, store: Store, tell: Tell) -> None:
        self._store = store
        self._tell = tell
        self._claimed: dict[int, MailRow] = {}

    def claim_due(self, now: datetime, limit: int, /) -> Sequence[MailRow]:
        """Mails to send now."""
        mails = self._store.claim_due(now, limit)
        self._claimed = {mail.id: mail for mail in mails}
        return mails

    def mark_sent(self, mail: int, /) -> None:
        """It has left the house."""
        self._store.mark_sent(mail)

    def mark_retry(self, mail: int, /, *, not_before: datetime, error: str) -> None:
        """The same bytes again later."""
        self._store.mark_retry(mail, not_before=not_before, error=error)
        self._tell_of(mail, error, failed=False)

    def mark_failed(self, mail: int, /, error: str) -> None:
        """It will never be sent."""
        self._store.mark_failed(mail, error)
        self._tell_of(mail, error, failed=True)

    def put_back(self, mails: Sequence[int], /, *, not_before: datetime, error: str) -> None:
        """They were not tried after all, which is told of the way and not of each mail."""
        self._store.put_back(mails, not_before=not_before, error=error)

    def _tell_of(self, mail: int, reason: str, *, failed: bool) -> None:
        row = self._claimed[mail]
        self._tell(Setback(mail, row.kind, row.game, row.seat, reason, failed))


class WayWatch:
    """Remembers how the way out was found, and tells the journal when that changes."""

    def __init__(self) -> None:
        self._trouble = ""

    def see(self, drained: Drained) -> None:
        """A round of sending is over; one in which nothing was due tells nothing of the way."""
        if drained.trouble and drained.trouble != self._trouble:
            warn(_LOG, "no mail leaves now", reason=without_addresses(drained.trouble))
            self._trouble = drained.trouble
        elif self._trouble and not drained.trouble and drained != Drained():
            note(_LOG, "mails leave again")
            self._trouble = ""
