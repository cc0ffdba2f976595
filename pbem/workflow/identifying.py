"""Who wrote a letter, and whether we may act on it.

Three layers: the ticket in the reply address, the registered address, and what our own mail server found out
about the sender. Whoever fails one is not a player for this letter. Strangers are never answered; the person
who sits in the seat is told when somebody else wrote for it, and whoever only watches that this is all he can do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pbem.mail.reading import Authenticity, Letter, PostIdentity
from pbem.store.rows import SeatRow
from pbem.store.transaction import Transaction
from pbem.workflow.observers import Observer, find_watched

BAD_TICKET: Final = "bad-ticket"
NO_TICKET: Final = "no-ticket"
OTHER_SENDER: Final = "other-sender"
NOT_AUTHENTIC: Final = "not-authentic"
WATCHES: Final = "only-watches"
NO_GAME: Final = "no-such-game"
DOUBTS: Final = (BAD_TICKET, NO_TICKET, OTHER_SENDER, NOT_AUTHENTIC, WATCHES, NO_GAME)
"""Why a letter is refused unread: nobody gets a receipt for it."""


@dataclass(frozen=True, slots=True)
class Known:
    """A player whose letter may be acted on."""

    person: SeatRow
    turn: int
    epoch: int


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a letter is not acted on, and who is to be told; nobody, if that would be a stranger."""

    reason: str
    tell: SeatRow | None = None
    watched: Mapping[str, Observer] = field(default_factory=dict)
    """What the sender watches, if he plays nowhere."""


def identify(letter: Letter, transaction: Transaction, identity: PostIdentity) -> Known | Doubt:
    """The player behind a letter, or the doubt about it."""
    ticket = letter.ticket
    if ticket is None or not ticket.good:
        seats = transaction.find_player(letter.sender)
        trusted = _is_trusted(letter, identity)
        watched = find_watched(transaction, letter.sender) if trusted and not seats else {}
        if watched:
            return Doubt(WATCHES, watched=watched)
        return Doubt(NO_TICKET if ticket is None else BAD_TICKET, seats[-1] if seats and trusted else None)
    person = transaction.find_seat(ticket.game, ticket.seat)
    if person is None:
        return Doubt(NO_GAME)
    if person.address.lower() != letter.sender.lower():
        return Doubt(OTHER_SENDER, person)
    if not _is_trusted(letter, identity):
        return Doubt(NOT_AUTHENTIC, person)
    return Known(person, ticket.turn, ticket.epoch)


def _is_trusted(letter: Letter, identity: PostIdentity) -> bool:
    """Whether the sender's address can be believed, as far as anybody checked it."""
    return identity.authserv_id is None or letter.authentic is Authenticity.PASS
