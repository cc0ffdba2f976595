"""Games that are held because their history is damaged: their players are told, once each time that it happens.

Nothing is read of such a game but who plays it. Whether it is damaged is for others to find out.

What of the news concerns a seat: whether it is asked now, and what its player wants to hear, and since when.

Nothing is said to anybody here.

Who is told what: the mails that follow from what happened on a desk, or from the hour.

People hear of what others do as they chose, and whoever has become due gets a turn mail whatever he chose. How a letter
is answered to its sender is no matter of this room.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.game import Ply, Seat
from pbem.events.chain import Event
from pbem.events.kinds import (
    AbsenceAnnounced,
    AbsenceCancelled,
    CaseAppealed,
    CaseClosed,
    CaseRuled,
    CaseWarranted,
    GameEnded,
    GamePaused,
    GameResumed,
    GameStarted,
    InvitationAccepted,
    InvitationDeclined,
    MovesMade,
    PressSent,
    RoundAwaited,
    SeatResigned,
    SeatSubstituted,
    TimeExtended,
    TurnPlayed,
    TurnUndone,
    VoteAsked,
    VoteObjected,
    author_of,
    seat_of,
)
from pbem.judging.submission import asks_others
from pbem.mail.writing import occasions
from pbem.mail.writing.compose import write_held
from pbem.mail.writing.occasions import Correspondent
from pbem.store.rows import NewMail
from pbem.store.store import Transaction
from pbem.tables.decision import ALL, REFEREE, Decision, Notice
from pbem.tables.standing_orders import STANDING
from pbem.tables.table import PLAYING, Table
from pbem.workflow.context import PostContext
from pbem.workflow.follow_up import FollowUp
from pbem.workflow.queue_mail import (
    DAILY,
    queue_for_observers,
    queue_for_referee,
    queue_for_seat,
    unseen_events,
)
from pbem.workflow.record_proof import record_text
from pbem.workflow.session import GameSession

_NOTIFIED: Final = "told that {game} is held"


def notify_held(context: PostContext, transaction: Transaction, game: str) -> None:
    """Tell the players of a damaged game that it is held, unless they know."""
    row = transaction.find_game(game)
    told = _NOTIFIED.format(game=game)
    # Mended and damaged again, a game has another history by then, and so another end.
    if row is None or transaction.load_setting(told) == row.head_hash:
        return
    transaction.save_setting(told, row.head_hash)
    people = transaction.find_seats(game)
    for person in people:
        reader = Correspondent(person.name, person.address, person.language, person.zone, plain=True)
        number = person.mails_sent + 1
        mail = write_held(context.composer.post, reader, game=game, seat=person.seat, number=number, date=context.now())
        transaction.enqueue(
            [NewMail(mail.message_id, mail.to, mail.kind, mail.raw, game, person.seat)], held=person.paused
        )
    transaction.save_seats([replace(person, mails_sent=person.mails_sent + 1) for person in people])


EACH: Final = "each"
PLAN: Final = "plan"
"""By whom a turn was made that its player had planned."""
ALWAYS: Final = (
    *(VoteAsked, VoteObjected, TurnUndone, GamePaused, GameResumed, SeatResigned, SeatSubstituted),
    *(InvitationDeclined, TimeExtended, CaseAppealed, CaseRuled, CaseWarranted, CaseClosed, RoundAwaited),
)
"""Events that everybody hears of at once, however few mails he wants, unless he wants one a day."""
VOTES: Final = (VoteAsked, VoteObjected)
"""Of these, what concerns only those who have not given up."""
MOVES: Final = (MovesMade, TurnUndone)
NOT_OBSERVED: Final = (PressSent, InvitationAccepted, AbsenceAnnounced, AbsenceCancelled)
"""Events of which observers get no mail."""


def gets_turn_mail(session: GameSession, seat: Seat, came_of: FollowUp, *, teller: Seat | None) -> bool:
    """Whether a seat is to be told that it is due. Who has taken back his own move was: the answer to it says so."""
    took_back = any(isinstance(event.payload, TurnUndone) and event.payload.by == teller for event in session.news)
    if seat == teller and took_back and seat in session.before.due and seat not in came_of.dropped:
        return False
    return _has_become_due(session, seat)


def _has_become_due(session: GameSession, seat: Seat) -> bool:
    """Whether a seat is asked something that it was not asked before."""
    table, before = session.table, session.before
    if table.stage != PLAYING or seat not in table.due or seat in table.resigned:
        return False
    if seat not in before.due or table.epoch != before.epoch:
        return True
    if any(seat_of(event.payload) == seat for event in session.news):
        return table.turn != before.turn
    if _is_asked_anew(session, seat):
        return True
    # An offer that waits for an answer while others play on is not asked again; another one is.
    return _choices(table, seat) != _choices(before, seat)


def _is_asked_anew(session: GameSession, seat: Seat) -> bool:
    """Whether somebody has put another question to a seat: the player on turn to any, or any to the player on turn."""
    table = session.table
    asking = [
        event.payload.seat
        for event in session.news
        if isinstance(event.payload, TurnPlayed) and asks_others(table.game, event.phrase)
    ]
    view = table.game.view(table.position, seat) if asking else {}
    return bool({seat, *asking} & {view.get("on_turn")}) and any(asker != seat for asker in asking)


def _choices(table: Table, seat: Seat) -> list[Ply]:
    return [ply for ply in table.game.legal(table.position) if ply.seat == seat]


def events_for(session: GameSession, seat: Seat) -> tuple[Event, ...]:
    """What a reader wants to hear of at once."""
    choice = session.people[seat].notices
    others = tuple(
        event for event in session.news if not is_own_act(event, seat) and not isinstance(event.payload, PressSent)
    )
    if choice == EACH:
        return others
    if choice == DAILY:
        return ()
    has_voice = seat in session.table.active
    at_once = tuple(
        event
        for event in others
        if isinstance(event.payload, ALWAYS) and (has_voice or not isinstance(event.payload, VOTES))
    )
    if not any(_is_planned(event, seat) for event in others):
        return at_once
    # This mail stands for the turn mail that a plan has spared its reader: it tells the same.
    moves = (event for event in events_since_turn(session, seat) if isinstance(event.payload, MOVES))
    return tuple(sorted({event.seq: event for event in (*moves, *at_once)}.values(), key=lambda event: event.seq))


def events_since_turn(session: GameSession, seat: Seat) -> tuple[Event, ...]:
    """What happened after a seat's last turn, or after the beginning if it has had none.

    A turn that was planned counts once its player has been told of it: at once, unless he wants one mail a day.
    """
    told = 0 if session.people[seat].notices == DAILY else session.before.seq
    last = 0
    for event in session.events:
        is_turn = is_own_act(event, seat) or (event.seq <= told and _is_planned(event, seat))
        if isinstance(event.payload, GameStarted) or (isinstance(event.payload, TurnPlayed) and is_turn):
            last = event.seq
    return tuple(session.events[last:])


def is_own_act(event: Event, seat: Seat) -> bool:
    """Whether a seat did something itself; what is done in its name is news to it."""
    return seat_of(event.payload) == seat and author_of(event.payload) not in (REFEREE, STANDING, PLAN)


def _is_planned(event: Event, seat: Seat) -> bool:
    """Whether a plan of a seat was played."""
    return seat_of(event.payload) == seat and author_of(event.payload) == PLAN


def send_invitations(session: GameSession) -> None:
    """Invite everybody at a new table."""
    for seat in session.table.seats:
        queue_for_seat(session, seat, occasions.InvitationMail())


def notify_events(
    session: GameSession, followed: FollowUp | None = None, *, teller: Seat | None = None, newcomer: Seat | None = None
) -> None:
    """Tell everybody what happened on a desk; `teller` has been answered already, and `newcomer` knows nothing yet."""
    came_of = followed or FollowUp()
    if not session.news:
        return
    if any(isinstance(event.payload, GameEnded) for event in session.news):
        record = record_text(session.context, session.row, tuple(session.events))
        for seat in session.table.seats:
            queue_for_seat(session, seat, occasions.GameOverMail(events_since_turn(session, seat), record))
        queue_for_observers(session, occasions.GameOverMail(tuple(session.news), record))
        return
    for seat in session.table.seats:
        if seat == newcomer:
            _welcome(session, seat)
        elif seat != teller and seat in came_of.resumed:
            _notify_resumed(session, seat, came_of.resumed[seat])
        elif gets_turn_mail(session, seat, came_of, teller=teller):
            queue_for_seat(
                session, seat, occasions.TurnMail(events_since_turn(session, seat), dropped=came_of.dropped.get(seat))
            )
        elif seat != teller and (news := events_for(session, seat)):
            queue_for_seat(session, seat, occasions.NewsMail(news))
    if news := tuple(event for event in session.news if not isinstance(event.payload, NOT_OBSERVED)):
        queue_for_observers(session, occasions.NewsMail(news))


def _welcome(session: GameSession, seat: Seat) -> None:
    """Tell whoever has taken a seat how things stand there, and what is asked of it, whoever was asked before."""
    if seat in session.table.due:
        queue_for_seat(session, seat, occasions.TurnMail(events_since_turn(session, seat)))
    else:
        queue_for_seat(session, seat, occasions.NewsMail(tuple(session.news)))


def _notify_resumed(session: GameSession, seat: Seat, resumed: Decision) -> None:
    """Tell a player that a letter has gone on: what happened since the last mail, and what is to be done now."""
    unseen = tuple(event for event in session.events if event.seq > session.people[seat].last_seen_seq)
    waits = resumed.ruling is not None and resumed.ruling.awaits
    if seat in session.table.due and not waits:
        queue_for_seat(session, seat, occasions.TurnMail(unseen, resumed=resumed))
    elif session.people[seat].notices != DAILY:
        queue_for_seat(session, seat, occasions.NewsMail(unseen))


def send_reminder(session: GameSession, seat: Seat) -> None:
    """Remind a player of the deadline."""
    queue_for_seat(session, seat, occasions.ReminderMail(events_since_turn(session, seat)))


def send_digests(session: GameSession) -> list[Seat]:
    """The day's words to those who want them so, if others did anything."""
    told = []
    for seat, person in tuple(session.people.items()):
        fresh = unseen_events(session, seat) if person.notices == DAILY else ()
        if any(not is_own_act(event, seat) and not isinstance(event.payload, PressSent) for event in fresh):
            queue_for_seat(session, seat, occasions.DigestMail(fresh))
            told.append(seat)
    return told


def send_notices(session: GameSession, notices: Iterable[Notice]) -> None:
    """Tell people what they have to hear besides the events."""
    for notice in notices:
        told = occasions.NoticeMail(notice.kind, notice.data)
        if notice.to == REFEREE:
            queue_for_referee(session, told)
        else:
            for seat in session.table.seats if notice.to == ALL else (notice.to,):
                queue_for_seat(session, seat, told)
