"""Who sent a letter, whether we may act on it, and whether its commands are out of date.

Three things are checked: the ticket in the reply address, the registered address, and what our own mail server found
out about the sender (Authentication-Results). Strangers get no reply. The player of the seat is warned if somebody
else wrote to its reply address.

A letter can also come too late. Its In-Reply-To header names the mail that it answers, and the player cannot have
meant a question that was asked after that mail. If no mail is named, the ticket still tells the turn.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.parser import BytesHeaderParser
from typing import Final

from engine.game import GameRules, Seat
from notation import UNDO, Fault, read_moves
from notation.phrases import phrases
from pbem.events.chain import Event
from pbem.events.kinds import MovesMade, TurnPlayed, TurnUndone, VoteAsked
from pbem.judging.submission import asks_others
from pbem.mail.commands.command import Command
from pbem.mail.commands.consent import Agree
from pbem.mail.commands.submit_moves import Play
from pbem.mail.format import HEAD_HEADER
from pbem.mail.reading import Authenticity, Letter
from pbem.mail.reply_address import PostIdentity
from pbem.store.rows import MailRow, SeatRow
from pbem.store.store import Transaction
from pbem.tables.decision import Refused
from pbem.tables.play import refuse_newer_request, refuse_replaced_offer, refuse_unclear_consent
from pbem.tables.table import Vote
from pbem.tables.ticket_history import TicketPlace, find_gone_back, is_playing, refuse_by_history
from pbem.tables.votes import find_vote
from pbem.workflow.observers import Observer, find_observed
from pbem.workflow.people import is_address_of
from pbem.workflow.session import GameSession

BAD_TICKET: Final = "bad-ticket"
NO_TICKET: Final = "no-ticket"
OTHER_SENDER: Final = "other-sender"
NOT_AUTHENTIC: Final = "not-authentic"
WATCHES: Final = "only-watches"
NO_GAME: Final = "no-such-game"
REJECTIONS: Final = (BAD_TICKET, NO_TICKET, OTHER_SENDER, NOT_AUTHENTIC, WATCHES, NO_GAME)
"""Why a letter is rejected unread. There is no receipt for these."""


@dataclass(frozen=True, slots=True)
class KnownSender:
    """A player whose letter may be acted on, and the turn and mark of the ticket, or the epoch of an old one."""

    person: SeatRow
    turn: int
    epoch: int | None
    mark: str = ""

    @property
    def place(self) -> TicketPlace:
        """The turn and the history that the letter was written for."""
        return TicketPlace(self.turn, self.mark, self.epoch)


@dataclass(frozen=True, slots=True)
class RejectedSender:
    """Why a letter is not acted on, and which player to warn, if any."""

    reason: str
    tell: SeatRow | None = None
    watched: Mapping[str, Observer] = field(default_factory=dict)
    """The tables that the sender observes, if the sender plays nowhere."""


def identify_sender(letter: Letter, transaction: Transaction, identity: PostIdentity) -> KnownSender | RejectedSender:
    """The player who sent a letter, or the reason why it is rejected."""
    ticket = letter.ticket
    if ticket is None or not ticket.good:
        seats = transaction.find_player(letter.sender)
        watched = find_observed(transaction, letter.sender) if _is_trusted(letter, identity) and not seats else {}
        if watched:
            return RejectedSender(WATCHES, watched=watched)
        return RejectedSender(NO_TICKET if ticket is None else BAD_TICKET)
    person = transaction.find_seat(ticket.game, ticket.seat)
    if person is None:
        return RejectedSender(NO_GAME)
    if not is_address_of(transaction, person, letter.sender):
        return RejectedSender(OTHER_SENDER, person)
    if not _is_trusted(letter, identity):
        return RejectedSender(NOT_AUTHENTIC, person)
    return KnownSender(person, ticket.turn, ticket.epoch, ticket.mark)


def _is_trusted(letter: Letter, identity: PostIdentity) -> bool:
    """Whether our mail server vouches for the sender's address, where it is set up to check that."""
    return identity.authserv_id is None or letter.authentic is Authenticity.PASS


_MOVING: Final = (MovesMade, TurnUndone)


def find_outdated(session: GameSession, letter: Letter, known: KnownSender, command: Command) -> Refused | None:
    """Why a command is refused as out of date. None if it is not."""
    table, seat = session.table, known.person.seat
    if not is_playing(table, seat):
        return None
    if command.is_binding and (refused := refuse_by_history(table, seat, known.place)) is not None:
        return refused
    if isinstance(command, Play):
        back = find_gone_back(table, seat, command.turn, known.place)
        return back or _find_offered_anew(session, letter, seat, command)
    return _find_asked_since(session, letter, known, command) if isinstance(command, Agree) else None


def _find_offered_anew(session: GameSession, letter: Letter, seat: Seat, play: Play) -> Refused | None:
    """Why an offer is not accepted: a newer one has replaced it since the mail was written."""
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
            return refuse_replaced_offer(played.seat)
    return None


def find_answered(game: GameRules, text: str) -> set[Seat | None]:
    """Whose offers some moves accept; None stands for the only open one."""
    reader = phrases(game.key)
    moves = read_moves(game, text) if reader is not None and reader.book.answers else ()
    if reader is None or isinstance(moves, Fault):
        return set()
    return {reader.book.answers[type(move)](move) for move in moves if type(move) in reader.book.answers}


def _find_asked_since(session: GameSession, letter: Letter, known: KnownSender, agree: Agree) -> Refused | None:
    """Why consent does not count: the request is, or may be, newer than the mail that the letter answers."""
    vote = find_vote(session.table, agree.what)
    if isinstance(vote, Refused) or known.person.seat in vote.agreed:
        return None
    mail = _find_mail(session, letter, known.person.seat)
    if mail is None and not agree.what:
        return refuse_unclear_consent(vote)
    asked = next(event for event in reversed(session.events) if _asks_for(event, vote.what))
    is_older = not _knows(mail, asked) if mail is not None else _may_be_older(session, known, vote, asked)
    return refuse_newer_request(vote) if is_older else None


def _asks_for(event: Event, what: str) -> bool:
    return isinstance(event.payload, VoteAsked) and event.payload.what == what


def _may_be_older(session: GameSession, known: KnownSender, vote: Vote, asked: Event) -> bool:
    """Whether a letter without In-Reply-To may answer a mail from before a vote, judging by its ticket."""
    later = session.events[asked.seq :]
    epoch = session.table.epoch - sum(isinstance(event.payload, TurnUndone) for event in later)
    # No undo that is asked for outlives a move, so it was asked for in this very turn.
    turn = session.table.turn if vote.what == UNDO else vote.turn
    written_in = known.place.epoch_at(session.table)
    if written_in is None:
        return True
    if (written_in, known.turn) != (epoch, turn):
        return (written_in, known.turn) < (epoch, turn)
    moved = max((event.seq for event in session.events if isinstance(event.payload, _MOVING)), default=0)
    others = (event.payload for event in session.events if event.seq > moved and _asks_for(event, UNDO))
    return vote.what == UNDO and any(isinstance(each, VoteAsked) and each.turn != vote.turn for each in others)


def _find_mail(session: GameSession, letter: Letter, seat: Seat) -> MailRow | None:
    """Our mail that a letter answers. None if it names none that we sent to this seat."""
    mail = session.transaction.find_text(letter.in_reply_to) if letter.in_reply_to else None
    return mail if mail is not None and (mail.game, mail.seat) == (session.row.id, seat) else None


def _knows(mail: MailRow, event: Event) -> bool:
    """Whether an event had happened when a mail was written.

    The head of the chain in the mail's header is exact. Posts that do not sign write no such header; then the times are
    compared, to the second.
    """
    head = BytesHeaderParser().parsebytes(mail.raw).get(HEAD_HEADER)
    if head is not None:
        return event.seq <= int(str(head).split()[1])
    return datetime.fromisoformat(event.at) <= mail.created_at
