"""What a player hears whose letter was put aside: that it came, that it is kept, and what to do.

Only a letter to a good reply address, in the name of its player and not doubted by our mail server, is answered, at
most once an hour for each seat. Strangers and programs hear nothing.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from pbem.mail.writing.composer import write_aside
from pbem.mail.writing.occasions import AsideReason, Correspondent, Envelope
from pbem.store.envelopes import split_by_seat
from pbem.store.errors import StoreBusyError, StoreFailedError
from pbem.store.rows import LetterRow, NewMail, SeatRow
from pbem.store.store import Transaction
from pbem.workflow.context import PostContext
from pbem.workflow.genuine_letters import find_writer

UNREAD: Final[AsideReason] = "unread"
TOO_LARGE: Final[AsideReason] = "too-large"
FAILED: Final[AsideReason] = "failed"
HELD: Final[AsideReason] = "held"

_HOUR: Final = timedelta(hours=1)
_LOG: Final = logging.getLogger(__name__)


def apologize(
    context: PostContext, transaction: Transaction, row: LetterRow, person: SeatRow, why: AsideReason, cause: str = ""
) -> None:
    """Tell a player that a letter was put aside, unless another one was within the last hour.

    `cause` is the code of what made it unreadable, so that nobody looks for it in the wrong place.
    """
    key, now = f"letter put aside, told to {person.seat} of {person.game}", context.now()
    last = transaction.load_setting(key)
    if last is not None and timedelta() <= now - datetime.fromisoformat(last) < _HOUR:
        return
    transaction.save_setting(key, now.isoformat())
    reader = Correspondent(person.name, person.address, person.language, person.zone, plain=True)
    number = person.mails_sent + 1
    envelope = Envelope(person.seat, reader, number, "" if why == HELD else _reply_address(context, row), now)
    mail = write_aside(context.composer.post, person.game, envelope, received=row.received_at, why=why, cause=cause)
    new = NewMail(mail.message_id, mail.to, mail.kind, mail.raw, person.game, person.seat)
    transaction.enqueue([new], held=person.paused)
    transaction.save_seat(replace(person, mails_sent=number))


def _reply_address(context: PostContext, row: LetterRow) -> str:
    """The reply address that a letter came to, so that it can be sent there again; empty if its subject said it."""
    tickets = split_by_seat(row.raw, row.env_to)[0].recipient.split()
    mailbox, _, home = context.identity.address.rpartition("@")
    return f"{mailbox}+{tickets[0]}@{home}" if len(tickets) == 1 else ""


def put_aside_exhausted(context: PostContext, row: LetterRow) -> SeatRow | None:
    """Put a letter in quarantine that was tried too often; its writer, if known, is told.

    It is put aside first: looking for its writer may be what fails or kills us, and must not happen twice.
    """
    with context.store.transaction() as transaction:
        transaction.put_aside(row)
    try:
        with context.store.transaction() as transaction:
            person = find_writer(context, transaction, row)
            if person is not None:
                transaction.assign(row.id, game=person.game, seat=person.seat)
                apologize(context, transaction, row, person, FAILED)
            return person
    except (StoreBusyError, StoreFailedError):
        raise
    except Exception:
        _LOG.exception("the writer of letter %d, which was put aside, could not be told", row.id)
        return None
