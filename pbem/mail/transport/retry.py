"""Sending what is due, and how long to wait before anything is tried again: longer each time, but not for ever.

Also how a failed connection is described to the operator, and which letters stay in a mailbox for now.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from socket import gaierror
from time import monotonic
from typing import Final

from pbem.mail.transport.protocols import ClaimedMail, Deferred, Mailer, MailQueue, Rejected, Sent, TransportError

MAIL_DELAYS: Final = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 6 * 60, 24 * 60, 24 * 60, 24 * 60, 24 * 60)
)
"""The waits between tries of one mail: within an hour at first, then daily; given up on the sixth day."""

MAILER_DELAY: Final = timedelta(minutes=1)
"""The wait before a mailer that could not send is tried again; that costs no mail a try."""

_RECONNECT_DELAYS: Final = (1.0, 5.0, 15.0, 60.0, 300.0)
_LEFT_FOR: Final = 3_600.0
_LOG: Final = logging.getLogger(__name__)


def mail_delay(attempts: int) -> timedelta | None:
    """The wait after so many tries of a mail; None when it is given up."""
    return MAIL_DELAYS[attempts - 1] if attempts <= len(MAIL_DELAYS) else None


def reconnect_delay(failures: int) -> float:
    """The seconds to wait before the next try after so many failures in a row."""
    return _RECONNECT_DELAYS[min(failures, len(_RECONNECT_DELAYS)) - 1]


class LeftLetters:
    """Letters that the post had no room for and that stay in their mailbox. Each is brought again after an hour."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._since: dict[object, float] = {}

    def leave(self, letter: object) -> None:
        """Leave a letter where it is for now."""
        if not self._since:
            _LOG.warning("letters stay in their mailbox: too much from their senders is here already")
        self._since[letter] = self._clock()

    def __contains__(self, letter: object) -> bool:
        if letter not in self._since:
            return False
        if self._clock() - self._since[letter] < _LEFT_FOR:
            return True
        del self._since[letter]
        return False


def describe_failure(reason: Exception) -> str:
    """What is wrong with a connection and what to look at, without anything secret."""
    match reason:
        case TransportError():
            return str(reason)
        case ConnectionRefusedError():
            return "the connection was refused; is the server running, and is the port right?"
        case gaierror():
            return "no such host; is its name right, and is there a network?"
        case TimeoutError():
            return "no answer in time; is the server running, and does a firewall let us through?"
        case OSError() if reason.strerror:
            return reason.strerror
    return f"{type(reason).__name__}: {reason}"


@dataclass(frozen=True, slots=True)
class SendCounts:
    """How many mails were sent, deferred or failed; `trouble` is why the mailer could not send, if it could not."""

    sent: int = 0
    later: int = 0
    failed: int = 0
    trouble: str = ""


def send_claimed(queue: MailQueue, mailer: Mailer, now: Callable[[], datetime], *, limit: int = 50) -> SendCounts:
    """Send up to `limit` mails that are due.

    A mail is marked only after it was handed over. If we die in between, its claim runs out and the same bytes are
    sent again.
    """
    sent = later = failed = 0
    waiting = [*queue.claim_due(now(), limit)]
    while waiting:
        mail, *rest = waiting
        match mailer.deliver(mail.raw, mail.recipient):
            case Sent():
                queue.mark_sent(mail.id)
                sent += 1
            case Rejected(reason):
                queue.mark_failed(mail.id, reason)
                failed += 1
            case Deferred(reason, closed, tried):
                if not tried:
                    rest = waiting
                elif _try_later(queue, mail, reason, now()):
                    later += 1
                else:
                    failed += 1
                if closed:
                    queue.put_back([one.id for one in rest], not_before=now() + MAILER_DELAY, error=reason)
                    return SendCounts(sent, later + len(rest), failed, reason)
        waiting = rest
    return SendCounts(sent, later, failed)


def _try_later(queue: MailQueue, mail: ClaimedMail, reason: str, now: datetime) -> bool:
    """Put a mail off; False if it was tried too often and has failed."""
    wait = mail_delay(mail.attempts)
    if wait is None:
        queue.mark_failed(mail.id, f"given up after {len(MAIL_DELAYS) + 1} tries; the last: {reason}")
        return False
    queue.mark_retry(mail.id, not_before=now + wait, error=reason)
    return True
