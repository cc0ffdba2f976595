"""Genuine letters: those of a player, to the player's own reply address, that our mail server did not doubt.

Those of a person to the post itself count too, if our server vouches for who wrote them.

What strangers send must not hold them up. They are handled before all others, and no seat is called late while one of
them has not been handled. Each letter is looked at once, and whose it is is noted beside it: so it does not matter how
many others lie there.
"""

from datetime import datetime
from hashlib import sha256
from typing import Final

from engine.game import Seat
from pbem.clock.alarms import Alarm
from pbem.mail.post_ticket import parse_post_ticket
from pbem.mail.reading import Authenticity, Letter, Unreadable, read_letter
from pbem.mail.reading.header_only import keep_header
from pbem.store.envelopes import find_sender
from pbem.store.inbox import GAME_LANE, STRANGERS_LANE
from pbem.store.rows import LetterRow, SeatRow
from pbem.store.store import Transaction
from pbem.workflow.context import PostContext
from pbem.workflow.sender_checks import KnownSender, identify_sender
from pbem.workflow.session import GameSession

AT_ONCE: Final = 20
"""How many letters are looked at in one transaction, so that new ones need not wait long to be stored."""


def find_writer(context: PostContext, transaction: Transaction, row: LetterRow) -> SeatRow | None:
    """The player who wrote a letter. None if it is not genuine.

    Its header alone is read: the body may be large, or what cannot be read, and is looked at when its turn comes.
    """
    letter = _read_header(context, row)
    return _find_player(context, transaction, letter) if letter is not None else None


def find_name(context: PostContext, transaction: Transaction, row: LetterRow) -> tuple[str, str]:
    """Whose letter it is, in words for a seat or a person, empty if it is nobody's; and its lane.

    Only genuine letters get into the lane of a game, so that no stranger stands there in a player's way.
    """
    letter = _read_header(context, row)
    player = None if letter is None else _find_player(context, transaction, letter)
    if player is not None:
        return _name(player.game, player.seat), f"{GAME_LANE}{player.game}"
    asker = "" if letter is None else _find_asker(context, transaction, letter)
    sender = sha256(find_sender(row.raw, row.env_from).encode()).hexdigest()
    return asker, asker or f"{STRANGERS_LANE}{sender[:24]}"


def _find_player(context: PostContext, transaction: Transaction, letter: Letter) -> SeatRow | None:
    known = identify_sender(letter, transaction, context.identity)
    return known.person if isinstance(known, KnownSender) else None


def _find_asker(context: PostContext, transaction: Transaction, letter: Letter) -> str:
    """The person who wrote a letter to the post itself, and for whom our mail server vouches."""
    if context.identity.authserv_id is None or letter.authentic is not Authenticity.PASS:
        return ""
    ticket = parse_post_ticket(context.identity, letter.recipients, letter.subject, letter.sender)
    person = transaction.person_at(letter.sender)
    is_theirs = person is not None and person.state == "confirmed" and (ticket is None or ticket.good)
    return f"person {person.id}" if person is not None and is_theirs else ""


def _read_header(context: PostContext, row: LetterRow) -> Letter | None:
    """A letter without its body; None if it cannot be read, or a program wrote it."""
    header = keep_header(row.raw)
    if header is None:
        return None
    try:
        letter = read_letter(header, post=context.identity, envelope_from=row.env_from, envelope_to=row.env_to)
    except Exception:
        return None  # a bug of ours: it shows again when the letter's turn comes, and the others need not wait for it
    return None if isinstance(letter, Unreadable) or letter.automatic is not None else letter


def look_at_new_letters(context: PostContext, *, beyond: int = 0) -> None:
    """Note of every new letter whose it is; nothing is done if there are no more new ones than `beyond`."""
    while True:
        with context.store.reading() as transaction:
            fresh = transaction.letters_not_looked_at(beyond + 1)
        if len(fresh) <= beyond:
            return
        with context.store.transaction() as transaction:
            _note_writers(context, transaction, transaction.letters_not_looked_at(AT_ONCE))


def choose_genuine(context: PostContext, transaction: Transaction) -> LetterRow | None:
    """The oldest genuine letter that has no outcome yet. None if none is known: then the oldest of all is next."""
    fresh = transaction.letters_not_looked_at(AT_ONCE)
    if (only := _find_only(transaction, fresh)) is not None:
        return only
    _note_writers(context, transaction, fresh)
    return transaction.next_genuine()


def _note_writers(context: PostContext, transaction: Transaction, letters: list[int]) -> None:
    for number in letters:
        row = transaction.find_letter(number)
        if row is not None:
            transaction.note_writer(number, *find_name(context, transaction, row))


def _name(game: str, seat: Seat) -> str:
    return f"{seat} of {game}"


def _find_only(transaction: Transaction, fresh: list[int]) -> LetterRow | None:
    """The only letter that there is to choose from, which is then read only once."""
    if len(fresh) != 1:
        return None
    oldest = transaction.next_received()
    return oldest if oldest is not None and [oldest.id] == fresh and transaction.next_genuine() is None else None


def awaits_letter(session: GameSession, alarm: Alarm) -> bool:
    """Whether a genuine letter for a seat came in time and must be handled before the seat can be called late.

    A letter that nobody has looked at may be one. Letters that wait for their answer have changed nothing so far. They
    are tried once more, now that time is up.
    """
    end = session.clock.end_of_grace(alarm.seat, session.clock.due[alarm.seat])
    writer = _name(session.row.id, alarm.seat)
    return session.transaction.may_have_written(writer, received_by=end) or _tries_again(session, alarm, end)


def has_unread_letters(session: GameSession, seat: Seat) -> bool:
    """Whether a letter for a seat lies here that was not handled: a new one, or one that waits for its answer."""
    transaction, now = session.transaction, session.now
    if transaction.may_have_written(_name(session.row.id, seat), received_by=now):
        return True
    return bool(transaction.waiting_letters(session.row.id, seat, received_by=now))


def _tries_again(session: GameSession, alarm: Alarm, end: datetime) -> bool:
    """Let the waiting letters for a seat be handled again, once for each deadline; whether there are any."""
    transaction, deadline = session.transaction, alarm.deadline.isoformat()
    key = f"letters tried again for {alarm.seat} of {session.row.id}"
    if transaction.load_setting(key) == deadline:
        return False
    waiting = transaction.waiting_letters(session.row.id, alarm.seat, received_by=end)
    for letter in waiting:
        transaction.retry_waiting(letter)
    if waiting:
        transaction.save_setting(key, deadline)
    return bool(waiting)
