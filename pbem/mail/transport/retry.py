"""How long to wait before trying again: longer each time, the same for everyone, and not for ever.

One round of sending: claim what is due, hand it over, write down what became of it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pbem.mail.transport.protocols import ClaimedMail, Deferred, Mailer, MailQueue, Rejected, Sent

MAIL_DELAYS: Final = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 6 * 60, 24 * 60, 24 * 60, 24 * 60, 24 * 60)
)
"""The waits between tries of one mail: within an hour at first, then daily, and given up in the sixth day."""

MAILER_DELAY: Final = timedelta(minutes=1)
"""The wait before a way out that was closed is tried again; that costs no mail a try."""

_KNOCK: Final = (1.0, 5.0, 15.0, 60.0, 300.0)


def mail_delay(attempts: int) -> timedelta | None:
    """The wait after so many tries of a mail, or None when it is time to give up."""
    return MAIL_DELAYS[attempts - 1] if attempts <= len(MAIL_DELAYS) else None


def reconnect_delay(failures: int) -> float:
    """The seconds to wait before knocking again at a server that did not open so many times."""
    return _KNOCK[min(failures, len(_KNOCK)) - 1]


@dataclass(frozen=True, slots=True)
class SendCounts:
    """How a round went; `trouble` is why the way out was found closed, if it was."""

    sent: int = 0
    later: int = 0
    failed: int = 0
    trouble: str = ""


def send_claimed(tray: MailQueue, way: Mailer, now: Callable[[], datetime], *, limit: int = 50) -> SendCounts:
    """Send up to `limit` mails that are due.

    A mail is marked only after it was taken. If we die in between, its claim runs out and the same bytes go again.
    """
    sent = later = failed = 0
    waiting = [*tray.claim_due(now(), limit)]
    while waiting:
        mail, *rest = waiting
        match way.deliver(mail.raw, mail.recipient):
            case Sent():
                tray.mark_sent(mail.id)
                sent += 1
            case Rejected(reason):
                tray.mark_failed(mail.id, reason)
                failed += 1
            case Deferred(reason, closed, tried):
                if not tried:
                    rest = waiting
                elif _try_later(tray, mail, reason, now()):
                    later += 1
                else:
                    failed += 1
                if closed:
                    tray.put_back([one.id for one in rest], not_before=now() + MAILER_DELAY, error=reason)
                    return SendCounts(sent, later + len(rest), failed, reason)
        waiting = rest
    return SendCounts(sent, later, failed)


def _try_later(tray: MailQueue, mail: ClaimedMail, reason: str, now: datetime) -> bool:
    """Whether there is still a later."""
    wait = mail_delay(mail.attempts)
    if wait is None:
        tray.mark_failed(mail.id, f"given up after {len(MAIL_DELAYS) + 1} tries; the last: {reason}")
        return False
    tray.mark_retry(mail.id, not_before=now + wait, error=reason)
    return True
