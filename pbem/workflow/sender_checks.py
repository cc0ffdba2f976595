"""Who wrote a letter, and whether we may act on it.

Three layers: the ticket in the reply address, the registered address, and what our own mail server found out
about the sender. Whoever fails one is not a player for this letter. Strangers are never answered; the person
who sits in the seat is told when somebody else wrote for it, and whoever only watches that this is all he can do.

Whether a letter answers what stands: while it is on its way, another question may come, or the table go back.

Mail programs name the mail that a letter answers. What was asked after that mail was written, its reader cannot have
meant. Where no mail is named, as by programs that open a new letter for a tap, the ticket still tells the turn that it
was written in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.parser import BytesHeaderParser
from typing import Any, Final

from engine.game import Game, Seat
from notation import UNDO, Fault, read_moves
from notation.phrases import phrases
from pbem.events.chain import Event
from pbem.events.kinds import MovesMade, TurnPlayed, TurnUndone, VoteAsked
from pbem.judging.submission import asks_others
from pbem.mail.commands.commands import Agree, Command, Play
from pbem.mail.format import HEAD_HEADER
from pbem.mail.reading import Authenticity, Letter
from pbem.mail.reply_address import PostIdentity
from pbem.store.rows import MailRow, SeatRow
from pbem.store.store import Transaction
from pbem.tables import overtaken
from pbem.tables.decision import Refused
from pbem.tables.table import PLAYING, Table, Vote
from pbem.tables.votes import find_meant
from pbem.workflow.observers import Observer, find_observed
from pbem.workflow.session import GameSession

BAD_TICKET: Final = "bad-ticket"
NO_TICKET: Final = "no-ticket"
OTHER_SENDER: Final = "other-sender"
NOT_AUTHENTIC: Final = "not-authentic"
WATCHES: Final = "only-watches"
NO_GAME: Final = "no-such-game"
REJECTIONS: Final = (BAD_TICKET, NO_TICKET, OTHER_SENDER, NOT_AUTHENTIC, WATCHES, NO_GAME)
"""Why a letter is refused unread: nobody gets a receipt for it."""


@dataclass(frozen=True, slots=True)
class KnownSender:
    """A player whose letter may be acted on."""

    person: SeatRow
    turn: int
    epoch: int


@dataclass(frozen=True, slots=True)
class RejectedSender:
    """Why a letter is not acted on, and who is to be told; nobody, if that would be a stranger."""

    reason: str
    tell: SeatRow | None = None
    watched: Mapping[str, Observer] = field(default_factory=dict)
    """What the sender watches, if he plays nowhere."""


def identify_sender(letter: Letter, transaction: Transaction, identity: PostIdentity) -> KnownSender | RejectedSender:
    """The player behind a letter, or the doubt about it."""
    ticket = letter.ticket
    if ticket is None or not ticket.good:
        seats = transaction.find_player(letter.sender)
        trusted = _is_trusted(letter, identity)
        watched = find_observed(transaction, letter.sender) if trusted and not seats else {}
        if watched:
            return RejectedSender(WATCHES, watched=watched)
        return RejectedSender(NO_TICKET if ticket is None else BAD_TICKET, seats[-1] if seats and trusted else None)
    person = transaction.find_seat(ticket.game, ticket.seat)
    if person is None:
        return RejectedSender(NO_GAME)
    if person.address.lower() != letter.sender.lower():
        return RejectedSender(OTHER_SENDER, person)
    if not _is_trusted(letter, identity):
        return RejectedSender(NOT_AUTHENTIC, person)
    return KnownSender(person, ticket.turn, ticket.epoch)


def _is_trusted(letter: Letter, identity: PostIdentity) -> bool:
    """Whether the sender's address can be believed, as far as anybody checked it."""
    return identity.authserv_id is None or letter.authentic is Authenticity.PASS


_MOVING: Final = (MovesMade, TurnUndone)


def find_outdated(session: GameSession, letter: Letter, known: KnownSender, command: Command) -> Refused | None:
    """Why a command is not carried out that means what no longer stands, or may mean it; None if it may be."""
    seat = known.person.seat
    if not _is_playing(session.table, seat):
        return None
    if isinstance(command, Play):
        back = find_gone_back(session.table, seat, command, epoch=known.epoch)
        return back or _find_offered_anew(session, letter, seat, command)
    return _find_asked_since(session, letter, known, command) if isinstance(command, Agree) else None


def find_gone_back(table: Table, seat: Seat, play: Play, *, epoch: int) -> Refused | None:
    """Why moves are not made that were written in an earlier epoch; those that name their turn are for that turn."""
    if play.turn is not None or epoch == table.epoch or not _is_playing(table, seat):
        return None
    return overtaken.gone_back()


def _is_playing(table: Table, seat: Seat) -> bool:
    """Whether a seat can do anything at a table; if not, the table itself says why."""
    return table.stage == PLAYING and seat in table.active


def _find_offered_anew(session: GameSession, letter: Letter, seat: Seat, play: Play) -> Refused | None:
    """Why an offer is not taken that another has taken the place of since the mail was written."""
    makers = find_answered(session.table.game, play.text)
    mail = _find_mail(session, letter, seat) if makers else None
    if mail is None:
        return None
    table = session.table
    for event in session.events:
        played = event.payload
        if not isinstance(played, TurnPlayed) or played.seat == seat or played.turn != table.turn:
            continue
        if not _knows(mail, event) and {played.seat, None} & makers and asks_others(table.game, event.phrase):
            return overtaken.offered_anew(played.seat)
    return None


def find_answered(game: Game[Any], text: str) -> set[Seat | None]:
    """Whose questions some moves say yes to; None among them for whoever has asked."""
    reader = phrases(game.key)
    moves = read_moves(game, text) if reader is not None and reader.book.answers else ()
    if reader is None or isinstance(moves, Fault):
        return set()
    return {reader.book.answers[type(move)](move) for move in moves if type(move) in reader.book.answers}


def _find_asked_since(session: GameSession, letter: Letter, known: KnownSender, agree: Agree) -> Refused | None:
    """Why consent does not count: it was asked for after the mail was written that it answers, or that may be so."""
    vote = find_meant(session.table, agree.what)
    if isinstance(vote, Refused) or known.person.seat in vote.agreed:
        return None
    mail = _find_mail(session, letter, known.person.seat)
    if mail is None and not agree.what:
        return overtaken.answers_nothing(vote)
    asked = next(event for event in reversed(session.events) if _asks_for(event, vote.what))
    is_older = not _knows(mail, asked) if mail is not None else _may_be_older(session, known, vote, asked)
    return overtaken.asked_since(vote) if is_older else None


def _asks_for(event: Event, what: str) -> bool:
    return isinstance(event.payload, VoteAsked) and event.payload.what == what


def _may_be_older(session: GameSession, known: KnownSender, vote: Vote, asked: Event) -> bool:
    """Whether a letter that names no mail may answer one from before a vote, as far as its ticket tells."""
    later = [event for event in session.events if event.seq > asked.seq]
    epoch = session.table.epoch - sum(isinstance(event.payload, TurnUndone) for event in later)
    # No undo that is asked for outlives a move, so it was asked for in this very turn.
    turn = session.table.turn if vote.what == UNDO else vote.turn
    if (known.epoch, known.turn) != (epoch, turn):
        return (known.epoch, known.turn) < (epoch, turn)
    moved = max((event.seq for event in session.events if isinstance(event.payload, _MOVING)), default=0)
    others = (event.payload for event in session.events if event.seq > moved and _asks_for(event, UNDO))
    return vote.what == UNDO and any(isinstance(each, VoteAsked) and each.turn != vote.turn for each in others)


def _find_mail(session: GameSession, letter: Letter, seat: Seat) -> MailRow | None:
    """The mail of ours that a letter answers; None if it names none that we wrote to this seat."""
    mail = session.transaction.find_message(letter.in_reply_to) if letter.in_reply_to else None
    return mail if mail is not None and (mail.game, mail.seat) == (session.row.id, seat) else None


def _knows(mail: MailRow, event: Event) -> bool:
    """Whether an event had happened when a mail was written.

    Many letters are handled within a second, so the head of the chain that stands in a mail says it best; a post that
    does not sign writes none.
    """
    head = BytesHeaderParser().parsebytes(mail.raw).get(HEAD_HEADER)
    if head is not None:
        return event.seq <= int(str(head).split()[1])
    return datetime.fromisoformat(event.at) <= mail.created_at
