"""Mails that did not arrive, because they came back or because no server took them: counted against their seat.

After a few in a row the mails to a seat are held and the referee is told, once, so that a dead mailbox costs neither
the post its name nor the table its patience. Of mails to the referee and to those who watch the journal tells; to write
to somebody that mails to him fail would never end.

Bounces: mail of ours that came back. A bounce is never answered; it counts against the seat whose mail it was.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Final

from pbem.mail.reading import Letter
from pbem.mail.writing.occasions import NoticeMail
from pbem.store.rows import MailRow, SeatRow
from pbem.store.store import Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.workflow.context import PostContext
from pbem.workflow.queue_mail import queue_for_referee
from pbem.workflow.session import GameSession

MOST: Final = 3
"""Mails in a row that do not arrive before mails are held."""


def count_undeliverable(context: PostContext, transaction: Transaction) -> list[tuple[str, str]]:
    """Count the mails that could never be sent, each once; the games and seats concerned."""
    failed = transaction.unreported_failures()
    for mail in failed:
        if (person := seat_of(transaction, mail)) is not None:
            count_failure(context, transaction, person)
    transaction.mark_reported([mail.id for mail in failed])
    return [(mail.game, mail.seat or "") for mail in failed if mail.game]


def count_failure(context: PostContext, transaction: Transaction, person: SeatRow) -> None:
    """One more mail to a seat has not arrived."""
    counted = replace(person, bounces=person.bounces + 1)
    if counted.bounces >= MOST and not person.paused:
        counted = replace(counted, paused=True)
        transaction.hold_mails(person.game, person.seat)
    transaction.save_seat(counted)
    if counted.paused and not person.paused and (row := transaction.find_game(person.game)) is not None:
        with suppress(BrokenHistoryError):
            queue_for_referee(GameSession(context, transaction, row), NoticeMail("bounces", {"seat": person.seat}))


def seat_of(transaction: Transaction, mail: MailRow) -> SeatRow | None:
    """The seat that a mail was for; nobody, if somebody else sits there now, whose address it says nothing about."""
    if mail.game is None or mail.seat is None:
        return None
    person = transaction.find_seat(mail.game, mail.seat)
    return person if person is not None and person.address == mail.recipient else None


def count_bounce(context: PostContext, transaction: Transaction, letter: Letter) -> None:
    """Count a bounce against the seat whose mail failed."""
    person = _find_seat(transaction, letter) if letter.bounce_of else None
    if person is not None:
        count_failure(context, transaction, person)


def _find_seat(transaction: Transaction, letter: Letter) -> SeatRow | None:
    """The seat whose mail came back.

    Anybody can write something that looks like a bounce. Only one that names a mail of ours, by what it holds or by the
    address it came to, or that came to an address with a ticket, is believed: nobody can make up any of these.
    """
    mail = next(filter(None, map(transaction.find_message, letter.returned)), None)
    if mail is not None:
        return seat_of(transaction, mail)
    ticket = letter.ticket
    return transaction.find_seat(ticket.game, ticket.seat) if ticket is not None and ticket.good else None
