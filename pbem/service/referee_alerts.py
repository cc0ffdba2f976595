"""Alerts: mails to the referee that a person has to look at the post itself.

They do not go through the outbox, because they may be about the outbox. If one does not arrive, the journal has said
the same.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, Protocol

from pbem.mail.transport.protocols import Mailer
from pbem.service.journal import note, warn
from pbem.settings.sections import Settings
from pbem.store.store import Store

_LAST_ALARM: Final = "last alarm"
_MORE: Final = "`pbem status` and `pbem doctor` say more."
_DAY: Final = timedelta(days=1)
_LOG: Final = logging.getLogger(__name__)


class AlertContext(Protocol):
    """What sending mails takes. A `PostContext` has it too, but takes much longer to load."""

    @property
    def store(self) -> Store:
        """The store with the outbox."""

    @property
    def settings(self) -> Settings:
        """The settings of the post."""

    @property
    def now(self) -> Callable[[], datetime]:
        """The clock."""


def alert_once_a_day(context: AlertContext, mailer: Mailer, words: str) -> None:
    """Log trouble that lasts, and mail the referee about it once a day at most."""
    warn(_LOG, words)
    if _is_due(context):
        _send(context, mailer, f"{words}\n\n{_MORE} This is said once a day at most.\n")


def alert_referee(context: AlertContext, mailer: Mailer, words: str) -> None:
    """Log something that happened once, and mail the referee about it."""
    warn(_LOG, words)
    _send(context, mailer, f"{words}\n\n{_MORE}\n")


def _send(context: AlertContext, mailer: Mailer, words: str) -> None:
    referee = context.settings.post.referee
    if referee is None:
        return
    outcome = mailer.deliver(_write(context, referee, words), referee)
    note(_LOG, "the referee was alerted", outcome=type(outcome).__name__.lower())


def _is_due(context: AlertContext) -> bool:
    now = context.now()
    with context.store.transaction() as transaction:
        last = transaction.load_setting(_LAST_ALARM)
        if last is not None and now - datetime.fromisoformat(last) < _DAY:
            return False
        transaction.save_setting(_LAST_ALARM, now.isoformat())
    return True


def _write(context: AlertContext, referee: str, words: str) -> bytes:
    # Loaded only here: `pbem send` is run every few minutes, and there is seldom an alert.
    from email.message import EmailMessage
    from email.policy import SMTP
    from email.utils import format_datetime, make_msgid

    from pbem.mail.format import LOOP_HEADER

    mail = EmailMessage()
    mail["From"] = context.settings.post.address
    mail["To"] = referee
    mail["Subject"] = "The post wants to be looked at"
    mail["Date"] = format_datetime(context.now())
    mail["Message-ID"] = make_msgid(domain=context.settings.post.address.rpartition("@")[2])
    mail["Auto-Submitted"] = "auto-generated"
    mail[LOOP_HEADER] = context.settings.post.address
    mail.set_content(words)
    return mail.as_bytes(policy=SMTP)
