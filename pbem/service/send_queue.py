"""Setbacks: mails that did not leave, and a way out that is closed, each told with its reason.

A mail is told by number, kind, game and seat, as everything in the journal is. A way out is told when it closes, when
it is closed for another reason, and when it is open again, not each minute that it stays as it is.

Sending what is queued, within the measure that the settings set.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pbem.mail.transport.factory import open_mailer
from pbem.mail.transport.protocols import Deferred, Mailer, SendResult
from pbem.mail.transport.retry import SendCounts, send_claimed
from pbem.service.journal import note, warn, without_addresses
from pbem.service.lock import take_lock
from pbem.service.post_folder import open_post
from pbem.service.referee_alerts import alert_once_a_day, alert_referee
from pbem.settings.sections import Settings
from pbem.store.rows import TRIES, MailRow
from pbem.store.store import Store
from pbem.workflow.context import PostContext

_LOG_SETBACKS: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SendProblem:
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


ReportProblem = Callable[[SendProblem], None]


def log_problem(setback: SendProblem) -> None:
    """One line for one mail."""
    warn(
        _LOG_SETBACKS,
        "mail failed" if setback.failed else "mail put off",
        mail=setback.mail,
        kind=setback.kind,
        game=setback.game,
        seat=setback.seat,
        reason=without_addresses(setback.reason),
    )


class ReportingQueue:
    """The outbox, whose setbacks are told once they are on the disk."""

    def __init__(self, store: Store, tell: ReportProblem) -> None:
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
        self._tell(SendProblem(mail, row.kind, row.game, row.seat, reason, failed))


class MailerState:
    """Remembers how the way out was found, and tells the journal when that changes."""

    def __init__(self) -> None:
        self._trouble = ""

    def see(self, drained: SendCounts) -> None:
        """A round of sending is over; one in which nothing was due tells nothing of the way."""
        if drained.trouble and drained.trouble != self._trouble:
            warn(_LOG_SETBACKS, "no mail leaves now", reason=without_addresses(drained.trouble))
            self._trouble = drained.trouble
        elif self._trouble and not drained.trouble and drained != SendCounts():
            note(_LOG_SETBACKS, "mails leave again")
            self._trouble = ""


AT_ONCE: Final = 10
"""Mails that are claimed together."""

_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_LAST_SWEEP: Final = "last sweep of the outbox"
_TOLD_POISON: Final = "letters tried too often"
_LOG: Final = logging.getLogger(__name__)


def send_due(
    context: PostContext, way: Mailer, *, closed: Callable[[], bool] = bool, tell: ReportProblem = log_problem
) -> SendCounts:
    """Send mails until none is due, the way out is found closed, or we are to close; `tell` hears of every setback.

    More mails in an hour than the settings allow are a storm of our own making: they stay where they are, and a person
    has to look.
    """
    _tell_of_poison(context, way)
    gate, tray = _ClosableMailer(way, closed), ReportingQueue(context.store, tell)
    sent = later = failed = 0
    while not closed():
        if (trouble := _storm(context)) is not None:
            alert_once_a_day(context, way, trouble)
            return SendCounts(sent, later, failed, trouble)
        drained = send_claimed(tray, gate, context.now, limit=AT_ONCE)
        sent, later, failed = sent + drained.sent, later + drained.later, failed + drained.failed
        if drained.sent:
            note(_LOG, "mails sent", sent=drained.sent, later=drained.later, failed=drained.failed)
        if drained.trouble:
            return SendCounts(sent, later, failed, drained.trouble)
        if drained == SendCounts():
            break
    return SendCounts(sent, later, failed)


def send_all(settings: Settings, *, tell: ReportProblem) -> SendCounts:
    """The same without a service; it needs the key, for the service sends what it finds claimed."""
    with take_lock(settings, "send"), open_post(settings) as context, closing(open_mailer(settings)) as way:
        return send_due(context, way, tell=tell)


def forget_old_mails(context: PostContext) -> None:
    """Drop the text of mails that were sent long ago; looked at once a day."""
    now, keep = context.now(), context.settings.store.keep_sent
    with context.store.transaction() as transaction:
        last = transaction.load_setting(_LAST_SWEEP)
        if last is not None and now - datetime.fromisoformat(last) < _DAY:
            return
        transaction.save_setting(_LAST_SWEEP, now.isoformat())
        if dropped := transaction.forget_sent(now - keep):
            note(_LOG, "texts of old mails dropped", mails=dropped)


def _tell_of_poison(context: PostContext, way: Mailer) -> None:
    """Wake the referee for letters that were tried too often since he was told last.

    What he was told of is kept, not what was just handled: a post that dies with such a letter tells of it later.
    """
    with context.store.reading() as transaction:
        aside, told = transaction.exhausted_letters(), transaction.load_setting(_TOLD_POISON) or ""
    named = " ".join(map(str, aside))
    if named == told:
        return
    fresh = [letter for letter in aside if str(letter) not in told.split()]
    with context.store.transaction() as transaction:
        transaction.save_setting(_TOLD_POISON, named)
    if fresh:
        letters = ", ".join(map(str, fresh))
        alert_referee(
            context, way, f"Tried {TRIES} times without an end and put aside: letter {letters}. See `pbem quarantine`."
        )


def _storm(context: PostContext) -> str | None:
    most = context.settings.post.mails_per_hour
    with context.store.reading() as transaction:
        written = transaction.mails_since(context.now() - _HOUR)
    if written <= most:
        return None
    return f"{written} mails were written in an hour and {most} are allowed (post.mails_per_hour); none is sent"


class _ClosableMailer:
    """A way out that closes with the post: mails that were claimed and not tried go back."""

    def __init__(self, way: Mailer, closed: Callable[[], bool]) -> None:
        self._way = way
        self._closed = closed

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        """Send one mail, unless it is too late."""
        if self._closed():
            return Deferred("the post is closing", closed=True, tried=False)
        return self._way.deliver(raw, recipient)

    def close(self) -> None:
        """Let go of connections."""
        self._way.close()
