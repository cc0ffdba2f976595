"""Who gets a mail after something happened, and which kind.

A player who becomes due always gets a turn mail. Other news goes out as each player has chosen: every event, only what
matters, or once a day. The reply to the sender of a letter is made in `reply`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from engine.game import Ply, Seat
from pbem.events.chain import Event, author_of_event
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
from pbem.events.post_kinds import (
    QUIET_NOTES,
    TOLD_NOTES,
    GameCalledOff,
    GameRestored,
    KeyReplaced,
    MissExcused,
    PlayerInvited,
)
from pbem.judging.submission import asks_others, can_accept
from pbem.mail.writing import occasions
from pbem.mail.writing.composer import write_held
from pbem.mail.writing.occasions import Correspondent
from pbem.store.rows import NewMail
from pbem.store.store import Transaction
from pbem.tables.decision import ALL, REFEREE, Decision, Notice
from pbem.tables.silence import is_offered_briefly
from pbem.tables.standing_orders import STANDING
from pbem.tables.table import FORCED, INVITING, PLAYING, Table
from pbem.workflow.context import PostContext
from pbem.workflow.follow_up import FollowUp
from pbem.workflow.open_seats import offer_on
from pbem.workflow.people import find_answers, gets_digests
from pbem.workflow.queue_mail import (
    queue_for_observers,
    queue_for_referee,
    queue_for_seat,
    unseen_events,
)
from pbem.workflow.record_proof import record_text
from pbem.workflow.session import GameSession

_NOTIFIED: Final = "told that {game} is held"


def notify_held(context: PostContext, transaction: Transaction, game: str) -> bool:
    """Tell the players of a game with a damaged history that it is on hold, once for each time this happens.

    Returns whether they are told now.
    """
    row = transaction.find_game(game)
    transaction.drop_standing(game)
    told = _NOTIFIED.format(game=game)
    # Mended and damaged again, a game has another history by then, and so another end.
    if row is None or transaction.load_setting(told) == row.head_hash:
        return False
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
    return True


EACH: Final = "each"
PLAYED_FOR: Final = "played for"
"""The notice to somebody for whom we made a move."""
NOBODY: Final[Mapping[Seat, str]] = {}
PLAN: Final = "plan"
"""The author of a turn that was planned."""
ALWAYS: Final = (
    *(VoteAsked, VoteObjected, TurnUndone, GamePaused, GameResumed, SeatResigned, SeatSubstituted),
    *(InvitationDeclined, TimeExtended, CaseAppealed, CaseRuled, CaseWarranted, CaseClosed, RoundAwaited),
    *(PlayerInvited, GameCalledOff, GameRestored, KeyReplaced, *TOLD_NOTES),
)
"""Events that every player hears of at once, except those who want one mail a day."""
VOTES: Final = (VoteAsked, VoteObjected)
"""Of these, what concerns only players who have not resigned."""
MOVES: Final = (MovesMade, TurnUndone)
SILENT: Final = (PressSent, *QUIET_NOTES)
"""Events that are no reason for a mail: words have one of their own, and most notes are for nobody."""
NOT_OBSERVED: Final = (PressSent, InvitationAccepted, AbsenceAnnounced, AbsenceCancelled, *QUIET_NOTES)
"""Events that observers get no mail about."""


def gets_turn_mail(session: GameSession, seat: Seat, came_of: FollowUp, *, teller: Seat | None) -> bool:
    """Whether a seat gets a turn mail. Not if the player just took back a move: the reply to that says so."""
    took_back = [author_of(event.payload) for event in session.news if _is_take_back(session, event)]
    if seat == teller and seat in took_back and seat not in came_of.dropped:
        return False
    return _has_become_due(session, seat)


def _is_take_back(session: GameSession, event: Event) -> bool:
    """Whether a player took back a turn without asking."""
    back = event.payload
    return isinstance(back, TurnUndone) and session.table.taken_back.get((back.by, back.turn)) == event.seq


def _knows_moves(session: GameSession, seat: Seat, back: Event) -> bool:
    """Whether a seat has had a mail since the first of the moves was made that somebody took back without asking."""
    first = back.seq
    for event in reversed(session.events[: back.seq - 1]):
        if isinstance(event.payload, MOVES):
            if author_of(event.payload) == FORCED:
                continue  # it followed from the moves before it
            if seat_of(event.payload) != author_of(back.payload):
                break
            first = event.seq
    return session.people[seat].last_seen_seq >= first


def _has_become_due(session: GameSession, seat: Seat) -> bool:
    """Whether a seat is asked something that it was not asked before."""
    table, before = session.table, session.before
    if table.stage != PLAYING or seat not in table.due or seat in table.resigned or _is_spared(table, seat):
        return False
    if seat not in before.due or table.epoch != before.epoch or _is_spared(before, seat):
        return True
    if any(seat_of(event.payload) == seat for event in session.news):
        return table.turn != before.turn
    if _is_asked_anew(session, seat):
        return True
    # An offer that waits for an answer while others play on is not asked again; another one is.
    return _choices(table, seat) != _choices(before, seat)


def _is_spared(table: Table, seat: Seat) -> bool:
    """Whether a seat is only offered what it cannot pay for. It stays asked, as all can see, but gets no mail."""
    return is_offered_briefly(table, seat) and not can_accept(table.game, table.position, seat)


def _is_asked_anew(session: GameSession, seat: Seat) -> bool:
    """Whether there is a new offer: from the player on turn to this seat, or from anybody to the player on turn."""
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
    """The events that a player wants to hear of at once."""
    choice = session.people[seat].notices
    others = tuple(event for event in session.news if not is_own_act(event, seat) and not _is_silent(session, event))
    if choice == EACH:
        return others
    if gets_digests(session.people[seat]):
        # Who was asked to play on, by a mail of its own, must know that there is nothing to answer.
        return tuple(event for event in others if _is_take_back(session, event) and seat in session.before.due)
    has_voice = seat in session.table.active
    at_once = tuple(
        event
        for event in others
        if isinstance(event.payload, ALWAYS)
        and (has_voice or not isinstance(event.payload, VOTES))
        and (not _is_take_back(session, event) or _knows_moves(session, seat, event))
    )
    if not any(_is_planned(event, seat) for event in others):
        return at_once
    # This mail stands for the turn mail that a plan has spared its reader: it tells the same.
    moves = (event for event in events_since_turn(session, seat) if isinstance(event.payload, MOVES))
    return tuple(sorted({event.seq: event for event in (*moves, *at_once)}.values(), key=lambda event: event.seq))


def _is_silent(session: GameSession, event: Event) -> bool:
    """Whether an event is no news; words that a player said in a move have no mail of their own, and are."""
    payload = event.payload
    if isinstance(payload, PressSent) and payload.to == ALL and payload.words:
        return (payload.sender, payload.words) in session.forwarded
    return isinstance(payload, SILENT)


def events_since_turn(session: GameSession, seat: Seat) -> tuple[Event, ...]:
    """The events since a seat's last turn, or since the start.

    A planned turn counts once its player has been told of it: at once, or with the next daily mail.
    """
    told = 0 if gets_digests(session.people[seat]) else session.before.seq
    for event in reversed(session.events):
        if isinstance(event.payload, TurnPlayed):
            if is_own_act(event, seat) or (event.seq <= told and _is_planned(event, seat)):
                return session.events[event.seq :]
        elif isinstance(event.payload, GameStarted):
            return session.events[event.seq :]
    return tuple(session.events)


def is_own_act(event: Event, seat: Seat) -> bool:
    """Whether the player of a seat did this. What was done in the player's name is news for the player."""
    is_about = seat_of(event.payload) == seat and not isinstance(event.payload, MissExcused)
    return is_about and author_of_event(event) not in (REFEREE, STANDING, PLAN, FORCED)


def _is_planned(event: Event, seat: Seat) -> bool:
    """Whether this event is a planned turn of the seat."""
    return seat_of(event.payload) == seat and author_of_event(event) == PLAN


def send_invitations(session: GameSession) -> None:
    """Invite everybody at a new table."""
    for seat in session.table.seats:
        queue_for_seat(session, seat, _invitation(session, seat))


def _invitation(session: GameSession, seat: Seat) -> occasions.InvitationMail:
    """What somebody is told who is invited: how reliably the others answer, as far as we know them."""
    others = {other: person.person for other, person in session.people.items() if other != seat and person.person}
    known = {other: find_answers(session.transaction, person) for other, person in others.items()}
    return occasions.InvitationMail(answers={other: counts for other, counts in known.items() if not counts.is_new})


def notify_timeouts(session: GameSession, decisions: Iterable[Decision], followed: FollowUp | None = None) -> None:
    """Tell what came of silence. Whoever we played for hears it together with everything else, in one mail."""
    notices = [notice for decision in decisions for notice in decision.notices]
    send_notices(session, (notice for notice in notices if notice.kind != PLAYED_FOR))
    notify_events(session, followed, played={each.to: each.about for each in notices if each.kind == PLAYED_FOR})


def notify_events(
    session: GameSession,
    followed: FollowUp | None = None,
    *,
    teller: Seat | None = None,
    reply: occasions.ReplyMail | None = None,
    newcomer: Seat | None = None,
    played: Mapping[Seat, str] = NOBODY,
) -> None:
    """Tell everybody what happened. `newcomer` has just taken a seat; `played` is what we played for whom.

    `teller` already has a reply, unless `reply` is to be part of the mail about the turn.
    """
    came_of = followed or FollowUp()
    if not session.news:
        return
    _tell_of_lapsed_pencils(session)
    offer_on(session)
    if any(isinstance(event.payload, GameEnded) for event in session.news):
        record = record_text(session.context, session.row, tuple(session.events))
        for seat in session.table.seats:
            queue_for_seat(session, seat, occasions.GameOverMail(events_since_turn(session, seat), record))
        queue_for_observers(session, occasions.GameOverMail(tuple(session.news), record))
        return
    for seat in session.table.present:
        if seat == newcomer:
            _welcome(session, seat)
        elif seat != teller and seat in came_of.resumed:
            _notify_resumed(session, seat, came_of.resumed[seat])
        elif gets_turn_mail(session, seat, came_of, teller=teller):
            dropped, own = came_of.dropped.get(seat), reply if seat == teller else None
            told = played.get(seat, "")
            queue_for_seat(
                session, seat, occasions.TurnMail(events_since_turn(session, seat), dropped, reply=own, played=told)
            )
        elif seat in played:
            fresh = tuple(event for event in _untold(session, seat) if not _is_turn_of(event, seat, played[seat]))
            queue_for_seat(session, seat, occasions.NoticeMail(PLAYED_FOR, seat, played[seat], fresh))
        elif seat != teller and (news := events_for(session, seat)):
            queue_for_seat(session, seat, occasions.NewsMail(news))
    if news := tuple(event for event in session.news if not isinstance(event.payload, NOT_OBSERVED)):
        queue_for_observers(session, occasions.NewsMail(news))


def _is_turn_of(event: Event, seat: Seat, phrase: str) -> bool:
    """Whether an event is the very turn of a seat that its player reads about above."""
    return isinstance(event.payload, TurnPlayed) and event.payload.seat == seat and event.phrase == phrase


def _tell_of_lapsed_pencils(session: GameSession) -> None:
    """Tell players whose pencilled move will not be played, though they did nothing: after a pause, or going back."""
    if session.table.stage != PLAYING:
        return
    for seat in session.table.seats:
        pencil = session.before.pencil(seat)
        did_something = any(seat_of(event.payload) == seat for event in session.news)
        if pencil is not None and session.table.pencil(seat) is None and not did_something:
            send_notices(session, (Notice(seat, "pencil dropped", about=pencil.text),))


def _welcome(session: GameSession, seat: Seat) -> None:
    """Tell a new player how the table stands, and what is to be done."""
    if session.table.stage == INVITING:
        queue_for_seat(session, seat, _invitation(session, seat))
    elif seat in session.table.due:
        queue_for_seat(session, seat, occasions.TurnMail(events_since_turn(session, seat)))
    else:
        queue_for_seat(session, seat, occasions.NewsMail(tuple(session.news)))


def _notify_resumed(session: GameSession, seat: Seat, resumed: Decision) -> None:
    """Tell a player that the waiting moves of a letter were resumed, and what is to be done now."""
    unseen = session.events[session.people[seat].last_seen_seq :]
    waits = resumed.ruling is not None and resumed.ruling.awaits
    if seat in session.table.due and not waits:
        queue_for_seat(session, seat, occasions.TurnMail(unseen, resumed=resumed))
    elif not gets_digests(session.people[seat]):
        queue_for_seat(session, seat, occasions.NewsMail(unseen))


def send_reminder(session: GameSession, seat: Seat) -> None:
    """Remind a player of the deadline; not of an offer that the player cannot take."""
    if not _is_spared(session.table, seat):
        queue_for_seat(session, seat, occasions.ReminderMail(_untold(session, seat)))


def _untold(session: GameSession, seat: Seat) -> tuple[Event, ...]:
    """The events that a player has had no mail about, but for words, which come at once."""
    last = session.people[seat].last_seen_seq
    fresh = unseen_events(session, seat) if gets_digests(session.people[seat]) else session.events[last:]
    return tuple(event for event in fresh if not _is_silent(session, event))


def send_digests(session: GameSession, seats: Iterable[Seat]) -> list[Seat]:
    """Send the daily mail to some players, if others did something. Returns the seats of those who get one."""
    told = []
    for seat in seats:
        fresh = unseen_events(session, seat)
        if any(not is_own_act(event, seat) and not isinstance(event.payload, SILENT) for event in fresh):
            queue_for_seat(session, seat, occasions.DigestMail(fresh))
            told.append(seat)
    return told


def send_notices(session: GameSession, notices: Iterable[Notice]) -> None:
    """Send notices that are not events."""
    for notice in notices:
        told = occasions.NoticeMail(notice.kind, notice.seat, notice.about)
        if notice.to == REFEREE:
            queue_for_referee(session, told)
        else:
            for seat in session.table.present if notice.to == ALL else (notice.to,):
                queue_for_seat(session, seat, told)
