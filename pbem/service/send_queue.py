"""Sending the mails that are due, within the limits of the settings, and reporting those that could not be sent.

A mail is named by number, kind, game and seat, as everywhere in the journal. A mailer that cannot send is logged when
that begins, when its reason changes and when it ends, not every minute that it lasts.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pbem.mail.transport.factory import open_mailer
from pbem.mail.transport.protocols import Checked, Deferred, Mailer, SendResult
from pbem.mail.transport.retry import SendCounts, send_claimed
from pbem.service.journal import note, warn, without_addresses
from pbem.service.lock import take_lock
from pbem.service.post_folder import open_light
from pbem.service.referee_alerts import AlertContext, alert_once_a_day, alert_referee
from pbem.service.water_mark import refuse_rollback, say_lost_table
from pbem.settings.sections import Settings
from pbem.store.rows import MailRow
from pbem.store.store import Store

BATCH: Final = 10
"""Mails that are claimed together."""

_HOUR: Final = timedelta(hours=1)
_REPORTED_LETTERS: Final = "letters tried too often"
_REPORTED_TABLES: Final = "lost tables that were reported"
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SendProblem:
    """A mail that was deferred, or has `failed` for good."""

    mail: int
    kind: str
    game: str | None
    seat: str | None
    reason: str
    failed: bool

    def __str__(self) -> str:
        whose = f", {self.game} {self.seat}" if self.game and self.seat else ""
        result = "failed" if self.failed else "deferred"
        return f"mail {self.mail} ({self.kind}{whose}) {result}: {self.reason}"


ReportProblem = Callable[[SendProblem], None]


def log_problem(problem: SendProblem) -> None:
    """Log one mail that could not be sent."""
    warn(
        _LOG,
        "mail failed" if problem.failed else "mail deferred",
        mail=problem.mail,
        kind=problem.kind,
        game=problem.game,
        seat=problem.seat,
        reason=without_addresses(problem.reason),
    )


class ReportingQueue:
    """The outbox, which reports a mail that could not be sent once that is on the disk."""

    def __init__(self, store: Store, report: ReportProblem) -> None:
        self._store = store
        self._report = report
        self._claimed: dict[int, MailRow] = {}

    def claim_due(self, now: datetime, limit: int, /) -> Sequence[MailRow]:
        """Mails to send now."""
        mails = self._store.claim_due(now, limit)
        self._claimed = {mail.id: mail for mail in mails}
        return mails

    def mark_sent(self, mail: int, /) -> None:
        """The mail was sent."""
        self._store.mark_sent(mail)

    def mark_retry(self, mail: int, /, *, not_before: datetime, error: str) -> None:
        """The same bytes again later."""
        self._store.mark_retry(mail, not_before=not_before, error=error)
        self._report_mail(mail, error, failed=False)

    def mark_failed(self, mail: int, /, error: str) -> None:
        """The mail will never be sent."""
        self._store.mark_failed(mail, error)
        self._report_mail(mail, error, failed=True)

    def put_back(self, mails: Sequence[int], /, *, not_before: datetime, error: str) -> None:
        """These were not tried after all; that is reported for the mailer and not for each mail."""
        self._store.put_back(mails, not_before=not_before, error=error)

    def _report_mail(self, mail: int, reason: str, *, failed: bool) -> None:
        row = self._claimed[mail]
        self._report(SendProblem(mail, row.kind, row.game, row.seat, reason, failed))


class MailerState:
    """Remembers whether mails can be sent, and logs when that changes."""

    def __init__(self) -> None:
        self._trouble = ""

    def update(self, counts: SendCounts) -> None:
        """Mails were sent, or could not be; if nothing was due, nothing is known about the mailer."""
        if counts.trouble and counts.trouble != self._trouble:
            warn(_LOG, "no mail can be sent now", reason=without_addresses(counts.trouble))
            self._trouble = counts.trouble
        elif self._trouble and not counts.trouble and counts != SendCounts():
            note(_LOG, "mails can be sent again")
            self._trouble = ""


def send_due(
    context: AlertContext, mailer: Mailer, *, closed: Callable[[], bool] = bool, report: ReportProblem = log_problem
) -> SendCounts:
    """Send mails until none is due, the mailer cannot send, or `closed` says stop; `report` gets every problem.

    More mails in an hour than the settings allow are a fault of ours: they stay in the queue until a person has looked.
    """
    _report_letters(context, mailer)
    _report_lost_tables(context, mailer)
    closable, queue = _ClosableMailer(mailer, closed), ReportingQueue(context.store, report)
    sent = later = failed = 0
    while not closed():
        if (trouble := _over_limit(context)) is not None:
            alert_once_a_day(context, mailer, trouble)
            return SendCounts(sent, later, failed, trouble)
        counts = send_claimed(queue, closable, context.now, limit=BATCH)
        sent, later, failed = sent + counts.sent, later + counts.later, failed + counts.failed
        if counts.sent:
            note(_LOG, "mails sent", sent=counts.sent, later=counts.later, failed=counts.failed)
        if counts.trouble:
            return SendCounts(sent, later, failed, counts.trouble)
        if counts == SendCounts():
            break
    return SendCounts(sent, later, failed)


def send_all(settings: Settings, *, report: ReportProblem) -> SendCounts:
    """The same without a service. It takes the lock, because a service sends again what it finds claimed."""
    with take_lock(settings, "send"), open_light(settings) as context, closing(open_mailer(settings)) as mailer:
        refuse_rollback(settings, context.store)
        return send_due(context, mailer, report=report)


def _report_letters(context: AlertContext, mailer: Mailer) -> None:
    """Alert the referee about letters of players, or tried too often, that were put aside since the last such alert.

    The alerts are remembered, not what was just handled: a post that died with such a letter reports it later.
    """
    with context.store.reading() as transaction:
        aside, reported = transaction.letters_to_report(), transaction.load_setting(_REPORTED_LETTERS) or ""
    named = " ".join(map(str, aside))
    if named == reported:
        return
    fresh = [letter for letter in aside if str(letter) not in reported.split()]
    with context.store.transaction() as transaction:
        transaction.save_setting(_REPORTED_LETTERS, named)
    if fresh:
        letters = ", ".join(map(str, fresh))
        alert_referee(
            context,
            mailer,
            f"Could not be handled and is put aside: letter {letters}. See `pbem quarantine`.",
        )


def _report_lost_tables(context: AlertContext, mailer: Mailer) -> None:
    """Alert the referee about letters for tables that this database is too old to know, once for each table."""
    with context.store.reading() as transaction:
        lost, reported = transaction.lost_tables(), (transaction.load_setting(_REPORTED_TABLES) or "").split()
    if fresh := [table for table in lost if table not in reported]:
        with context.store.transaction() as transaction:
            transaction.save_setting(_REPORTED_TABLES, " ".join([*reported, *fresh]))
        alert_referee(context, mailer, "\n".join(map(say_lost_table, fresh)))


def _over_limit(context: AlertContext) -> str | None:
    most = context.settings.post.mails_per_hour
    with context.store.reading() as transaction:
        written = transaction.mails_since(context.now() - _HOUR)
    if written <= most:
        return None
    return f"{written} mails were written in an hour and {most} are allowed (post.mails_per_hour); none is sent"


class _ClosableMailer:
    """A mailer that defers everything once the post is stopping, so that claimed mails go back to the queue."""

    def __init__(self, mailer: Mailer, closed: Callable[[], bool]) -> None:
        self._mailer = mailer
        self._closed = closed

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        """Send one mail, unless the post is stopping."""
        if self._closed():
            return Deferred("the post is stopping", closed=True, tried=False)
        return self._mailer.deliver(raw, recipient)

    def check(self) -> Checked:
        """Whether the mailer could send now."""
        return self._mailer.check()

    def close(self) -> None:
        """Close connections."""
        self._mailer.close()
