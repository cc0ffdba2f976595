"""Mails that were not delivered, because they bounced or no server took them.

They count against the seat. After a few in a row, mails to the seat are held back and the referee is told once, so that
a dead mailbox does not hurt the post's reputation or hold up the table. Bounces are never answered. Failed mails to the
referee and to observers are only logged: a mail about them would never end.
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
from pbem.workflow.front_desk import leave_alone
from pbem.workflow.queue_mail import queue_for_referee
from pbem.workflow.session import GameSession

MOST: Final = 3
"""Failures in a row before mails are held back."""


def count_undeliverable(context: PostContext, transaction: Transaction) -> list[tuple[str, str]]:
    """Count mails that could never be sent, each once. Returns the games and seats concerned."""
    failed = transaction.unreported_failures()
    for mail in failed:
        if (person := seat_of(transaction, mail)) is not None:
            count_failure(context, transaction, person)
    transaction.mark_reported([mail.id for mail in failed])
    return [(mail.game, mail.seat or "") for mail in failed if mail.game]


def count_failure(context: PostContext, transaction: Transaction, person: SeatRow) -> None:
    """Count one more mail that a seat did not get."""
    counted = replace(person, bounces=person.bounces + 1)
    if counted.bounces >= MOST and not person.paused:
        counted = replace(counted, paused=True)
        transaction.hold_mails(person.game, person.seat)
    transaction.save_seat(counted)
    if counted.paused and not person.paused and (row := transaction.find_game(person.game)) is not None:
        with suppress(BrokenHistoryError):
            queue_for_referee(GameSession(context, transaction, row), NoticeMail("bounces", person.seat))


def seat_of(transaction: Transaction, mail: MailRow) -> SeatRow | None:
    """The player that a mail was for. None if another player has the seat now."""
    if mail.game is None or mail.seat is None:
        return None
    person = transaction.find_seat(mail.game, mail.seat)
    return person if person is not None and person.address == mail.recipient else None


def count_bounce(context: PostContext, transaction: Transaction, letter: Letter) -> None:
    """Count a bounce against the seat whose mail it was."""
    person = _find_seat(transaction, letter) if letter.bounce_of else None
    if person is not None:
        count_failure(context, transaction, person)
    elif (address := _find_stranger(context, transaction, letter)) is not None:
        leave_alone(context, transaction, address)


def _find_seat(transaction: Transaction, letter: Letter) -> SeatRow | None:
    """The seat whose mail bounced.

    Anybody can fake a bounce. It is believed only if it contains a mail of ours, or came to an address with a valid
    ticket: neither can be made up.
    """
    mail = next(filter(None, map(transaction.find_message, letter.returned)), None)
    if mail is not None:
        return seat_of(transaction, mail)
    ticket = letter.ticket
    return transaction.find_seat(ticket.game, ticket.seat) if ticket is not None and ticket.good else None


def _find_stranger(context: PostContext, transaction: Transaction, letter: Letter) -> str | None:
    """The address that nobody is known at of a welcome or an invitation that bounced, by the same proof."""
    mail = next(filter(None, map(transaction.find_message, letter.returned)), None)
    if mail is None or mail.game is not None or not letter.bounce_of:
        return None
    return mail.recipient if transaction.person_at(mail.recipient) is None else None
