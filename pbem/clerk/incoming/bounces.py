"""Bounces: mail of ours that did not arrive.

A bounce is never answered. It counts against the seats with that address; after a few in a row their mails are
held and the referee is told, so that a dead mailbox costs neither the post its name nor the table its patience.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Final

from pbem.clerk.desk import Desk
from pbem.clerk.office import Office
from pbem.clerk.telling.sending import tell_referee
from pbem.intake import Letter
from pbem.letters.occasions import Notice
from pbem.store.rows import SeatRow
from pbem.store.transaction import Transaction
from pbem.tables.folding import BrokenHistoryError

MOST: Final = 3
"""Bounces in a row before mails are held."""


def take_note(office: Office, transaction: Transaction, letter: Letter) -> None:
    """Count a bounce against the seat whose mail failed."""
    person = _find_seat(transaction, letter) if letter.bounce_of else None
    if person is None:
        return
    counted = replace(person, bounces=person.bounces + 1)
    if counted.bounces >= MOST and not person.paused:
        counted = replace(counted, paused=True)
        transaction.hold_mails(person.game, person.seat)
    transaction.save_seat(counted)
    if counted.paused and not person.paused and (row := transaction.find_game(person.game)) is not None:
        with suppress(BrokenHistoryError):
            tell_referee(Desk(office, transaction, row), Notice("bounces", {"seat": person.seat}))


def _find_seat(transaction: Transaction, letter: Letter) -> SeatRow | None:
    """The seat whose mail came back.

    Anybody can write something that looks like a bounce. Only one that names a mail of ours, by what it holds or by the
    address it came to, or that came to an address with a ticket, is believed: nobody can make up any of these.
    """
    mail = next(filter(None, map(transaction.find_message, letter.returned)), None)
    if mail is None:
        ticket = letter.ticket
        return transaction.find_seat(ticket.game, ticket.seat) if ticket is not None and ticket.good else None
    if mail.game is None or mail.seat is None:
        return None
    person = transaction.find_seat(mail.game, mail.seat)
    # A mail to whoever sat there before says nothing about the address of who sits there now.
    return person if person is not None and person.address == mail.recipient else None
