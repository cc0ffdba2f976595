"""Sending what is queued, within the measure that the settings set."""

import logging
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from typing import Final

from pbem.mail.transport.outcome import Later, Outcome
from pbem.mail.transport.ports import WayOut
from pbem.mail.transport.retry import Drained, drain
from pbem.mail.transport.way_out import open_way_out
from pbem.service.alarm import raise_alarm, report
from pbem.service.entering import enter
from pbem.service.journal import note
from pbem.service.lock import take_key
from pbem.service.setbacks import Tell, ToldTray, tell_journal
from pbem.settings.sections import Settings
from pbem.store.rows import TRIES
from pbem.workflow.context import Office

AT_ONCE: Final = 10
"""Mails that are claimed together."""

_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_LAST_SWEEP: Final = "last sweep of the outbox"
_TOLD_POISON: Final = "letters tried too often"
_LOG: Final = logging.getLogger(__name__)


def send_due(office: Office, way: WayOut, *, closed: Callable[[], bool] = bool, tell: Tell = tell_journal) -> Drained:
    """Send mails until none is due, the way out is found closed, or we are to close; `tell` hears of every setback.

    More mails in an hour than the settings allow are a storm of our own making: they stay where they are, and a person
    has to look.
    """
    _tell_of_poison(office, way)
    gate, tray = _Gate(way, closed), ToldTray(office.store, tell)
    sent = later = failed = 0
    while not closed():
        if (trouble := _storm(office)) is not None:
            raise_alarm(office, way, trouble)
            return Drained(sent, later, failed, trouble)
        drained = drain(tray, gate, office.now, limit=AT_ONCE)
        sent, later, failed = sent + drained.sent, later + drained.later, failed + drained.failed
        if drained.sent:
            note(_LOG, "mails sent", sent=drained.sent, later=drained.later, failed=drained.failed)
        if drained.trouble:
            return Drained(sent, later, failed, drained.trouble)
        if drained == Drained():
            break
    return Drained(sent, later, failed)


def send_all(settings: Settings, *, tell: Tell) -> Drained:
    """The same without a service; it needs the key, for the service sends what it finds claimed."""
    with take_key(settings, "send"), enter(settings) as office, closing(open_way_out(settings)) as way:
        return send_due(office, way, tell=tell)


def forget_old_mails(office: Office) -> None:
    """Drop the text of mails that were sent long ago; looked at once a day."""
    now, keep = office.now(), office.settings.store.keep_sent
    with office.store.transaction() as transaction:
        last = transaction.load_setting(_LAST_SWEEP)
        if last is not None and now - datetime.fromisoformat(last) < _DAY:
            return
        transaction.save_setting(_LAST_SWEEP, now.isoformat())
        if dropped := transaction.forget_sent(now - keep):
            note(_LOG, "texts of old mails dropped", mails=dropped)


def _tell_of_poison(office: Office, way: WayOut) -> None:
    """Wake the referee for letters that were tried too often since he was told last.

    What he was told of is kept, not what was just handled: a post that dies with such a letter tells of it later.
    """
    with office.store.reading() as transaction:
        aside, told = transaction.poison(), transaction.load_setting(_TOLD_POISON) or ""
    named = " ".join(map(str, aside))
    if named == told:
        return
    fresh = [letter for letter in aside if str(letter) not in told.split()]
    with office.store.transaction() as transaction:
        transaction.save_setting(_TOLD_POISON, named)
    if fresh:
        letters = ", ".join(map(str, fresh))
        report(
            office, way, f"Tried {TRIES} times without an end and put aside: letter {letters}. See `pbem quarantine`."
        )


def _storm(office: Office) -> str | None:
    most = office.settings.post.mails_per_hour
    with office.store.reading() as transaction:
        written = transaction.mails_since(office.now() - _HOUR)
    if written <= most:
        return None
    return f"{written} mails were written in an hour and {most} are allowed (post.mails_per_hour); none is sent"


class _Gate:
    """A way out that closes with the post: mails that were claimed and not tried go back."""

    def __init__(self, way: WayOut, closed: Callable[[], bool]) -> None:
        self._way = way
        self._closed = closed

    def deliver(self, raw: bytes, recipient: str) -> Outcome:
        """Send one mail, unless it is too late."""
        if self._closed():
            return Later("the post is closing", closed=True, tried=False)
        return self._way.deliver(raw, recipient)

    def close(self) -> None:
        """Let go of connections."""
        self._way.close()
