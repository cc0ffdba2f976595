"""Bounces: mail of ours that came back. A bounce is never answered; it counts against the seat whose mail it was."""

from pbem.mail.reading import Letter
from pbem.store.rows import SeatRow
from pbem.store.transaction import Transaction
from pbem.workflow.context import Office
from pbem.workflow.undelivered import count_against, seat_of


def take_note(office: Office, transaction: Transaction, letter: Letter) -> None:
    """Count a bounce against the seat whose mail failed."""
    person = _find_seat(transaction, letter) if letter.bounce_of else None
    if person is not None:
        count_against(office, transaction, person)


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
