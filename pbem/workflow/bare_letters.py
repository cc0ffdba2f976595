"""Letters to our bare address, without the ticket that says which table and turn they are for.

Such a letter is acted on only if our mail server vouches for its sender. Then the mail that it answers decides which
table it is for, or a table named in its subject, or the only table that waits for its writer. The writer of any other
one is told, once a day at most, and only if it answers a mail of ours to that very person: so a stranger, who does not
know the names of our mails, gets no answer and causes none.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from email.parser import BytesHeaderParser
from typing import Final, NamedTuple

from pbem.events.history_mark import find_epoch
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.submit_moves import Play
from pbem.mail.reading import Authenticity, Letter
from pbem.mail.reply_address import PostIdentity, parse_ticket
from pbem.mail.writing import occasions
from pbem.store.rows import MailRow, SeatRow
from pbem.store.store import Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.table import INVITING, PLAYING, Table
from pbem.workflow.context import PostContext
from pbem.workflow.people import is_address_of
from pbem.workflow.queue_mail import queue_for_seat
from pbem.workflow.reply import DAY, reply_limit_reached
from pbem.workflow.sender_checks import NO_TICKET, KnownSender
from pbem.workflow.session import GameSession

_NAMES: Final = re.compile(r"[a-z0-9]++(?:-[a-z0-9]++)*+")
_TOLD: Final = "told {address} that a letter had no ticket"


_LIVE: Final = (INVITING, PLAYING)


class SeatTaken(NamedTuple):
    """A seat of the writer, and the table that it is at."""

    person: SeatRow
    table: Table
    deadline: datetime | None

    @property
    def waits(self) -> bool:
        """Whether the table waits for the writer."""
        table, seat = self.table, self.person.seat
        if table.stage == PLAYING:
            return seat in table.due and seat in table.active
        return table.stage == INVITING and seat not in table.accepted


def match_letter(context: PostContext, transaction: Transaction, letter: Letter) -> KnownSender | None:
    """The player, and the turn, of a letter that our mail server vouches for. None if nothing says which table."""
    if context.identity.authserv_id is None or letter.authentic is not Authenticity.PASS:
        return None
    if not is_to_bare_address(context.identity, letter):
        return None
    mail = _find_answered(transaction, letter)
    if mail is not None:
        return _match_mail(context, transaction, letter, mail)
    seats = find_seats(context, transaction, letter.sender)
    words = frozenset(_NAMES.findall(letter.subject.lower()))
    named = [each for each in seats if each.table.id in words]
    chosen = _choose(named) if named else _choose([each for each in seats if each.waits])
    return _known(chosen.person, chosen.table) if chosen is not None else None


def is_to_bare_address(post: PostIdentity, letter: Letter) -> bool:
    """Whether a letter came to our plain address alone.

    What follows our mailbox in an address may be a ticket that came to harm, and says that something else was meant.
    """
    return bool(letter.recipients) and all(_is_bare(address, post) for address in letter.recipients)


def _is_bare(address: str, post: PostIdentity) -> bool:
    """Whether an address is ours and has nothing in it but our mailbox."""
    return post.owns(address) and address.lower().rpartition("@")[0] == post.mailbox


def _choose(seats: Sequence[SeatTaken]) -> SeatTaken | None:
    """The only seat, or the only one whose table waits for it."""
    waiting = seats if len(seats) == 1 else [each for each in seats if each.waits]
    return waiting[0] if len(waiting) == 1 else None


def _match_mail(context: PostContext, transaction: Transaction, letter: Letter, mail: MailRow) -> KnownSender | None:
    """The seat that a mail went to. Moves count only while the turn is played that the mail asked about."""
    seats = [each for each in find_seats(context, transaction, letter.sender) if _is_to(mail, each.person)]
    if not seats:
        return None
    person, table, _ = seats[0]
    is_past = table.stage not in _LIVE or _turn_of(context, mail, table) != (table.turn, table.epoch)
    if is_past and _holds_moves(letter, table):
        return None
    return _known(person, table)


def _known(person: SeatRow, table: Table) -> KnownSender:
    """A writer whose letter is for a table as it stands now."""
    return KnownSender(person, table.turn, None, table.mark)


def _turn_of(context: PostContext, mail: MailRow, table: Table) -> tuple[int, int | None] | None:
    """The turn and epoch in the reply address of a mail. None if its text was deleted since."""
    header, identity = BytesHeaderParser().parsebytes(mail.raw), context.identity
    recipients, subject = [str(header.get("Reply-To", ""))], str(header.get("Subject", ""))
    ticket = parse_ticket(identity.ticket_key, identity.address, recipients, subject, older_keys=identity.older_keys)
    if ticket is None or not ticket.good:
        return None
    return ticket.turn, ticket.epoch if ticket.epoch is not None else find_epoch(table.marks, ticket.mark)


def _holds_moves(letter: Letter, table: Table) -> bool:
    """Whether a letter may hold moves for a turn; a question about one counts too."""
    parsed = parse_commands(letter.words, game=table.game, playing=table.stage == PLAYING)
    return parsed.question is not None or any(isinstance(command, Play) for command in parsed.commands)


def answer_letter(context: PostContext, transaction: Transaction, letter: Letter) -> SeatRow | None:
    """Tell the writer of a letter that nothing was done, with a fresh reply address; None if there is no answer."""
    mail = _find_answered(transaction, letter)
    if mail is None or letter.authentic is Authenticity.FAIL or _was_told(context, transaction, letter.sender):
        return None
    seats = find_seats(context, transaction, letter.sender)
    waiting = sorted((each for each in seats if each.waits), key=_urgency)
    answered = [each for each in seats if _is_to(mail, each.person)]
    # A mail about a table where nothing can be done any more would bring a reply address that is good for nothing.
    about = next(iter([*(each for each in answered if each.table.stage in _LIVE), *waiting, *answered]))
    row = transaction.find_game(about.table.id)
    if row is None:
        return None
    session = GameSession(context, transaction, row)
    tables = tuple((each.table.id, each.deadline) for each in waiting)
    queue_for_seat(session, about.person.seat, occasions.UnchangedMail(NO_TICKET, waiting=tables))
    session.save()
    transaction.save_setting(_TOLD.format(address=letter.sender.lower()), context.now().isoformat())
    return about.person


def _urgency(seat: SeatTaken) -> tuple[bool, str, str]:
    return seat.deadline is None, "" if seat.deadline is None else seat.deadline.isoformat(), seat.table.id


def _was_told(context: PostContext, transaction: Transaction, address: str) -> bool:
    last = transaction.load_setting(_TOLD.format(address=address.lower()))
    is_recent = last is not None and context.now() - datetime.fromisoformat(last) < DAY
    return is_recent or reply_limit_reached(context, transaction, address)


def _find_answered(transaction: Transaction, letter: Letter) -> MailRow | None:
    """Our mail that a letter answers, if its writer is the one whom it went to and still has the seat."""
    mail = transaction.find_text(letter.in_reply_to) if letter.in_reply_to else None
    if mail is None or mail.game is None or mail.seat is None:
        return None
    person = transaction.find_seat(mail.game, mail.seat)
    both = (mail.recipient, letter.sender)
    return mail if person is not None and all(is_address_of(transaction, person, each) for each in both) else None


def _is_to(mail: MailRow, person: SeatRow) -> bool:
    return (mail.game, mail.seat) == (person.game, person.seat)


def find_seats(context: PostContext, transaction: Transaction, address: str) -> list[SeatTaken]:
    """All seats of a person. A table whose history is damaged is left out."""
    found = []
    for person in transaction.find_player(address):
        row = transaction.find_game(person.game)
        with suppress(BrokenHistoryError):
            if row is not None:
                session = GameSession(context, transaction, row)
                found.append(SeatTaken(person, session.table, session.deadline(person.seat)))
    return found
