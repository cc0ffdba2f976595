"""Pencils at a running post: when a pencilled move is played, and playing it when its moment has come.

A pencil is played in a transaction of its own, like the letter that brought it: judged again, followed by what follows
by itself, and told to its player and to the others. Until then nothing of its seat may lie unread.
"""

from contextlib import suppress
from datetime import datetime

from engine.game import Seat
from pbem.clock.time_control import add_durations, pencil_moment
from pbem.mail.commands.submit_moves import Play
from pbem.store.rows import SeatRow
from pbem.store.store import Transaction
from pbem.tables import play
from pbem.tables.decision import Notice
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.pencils import draft_erasure, is_first_pencil, takes_pencils
from pbem.workflow.announce import send_notices
from pbem.workflow.context import PostContext
from pbem.workflow.follow_up import FollowUp, keep_rest, run_follow_ups
from pbem.workflow.genuine_letters import has_unread_letters
from pbem.workflow.reply import tell_outcome
from pbem.workflow.session import GameSession


def find_pencil_moment(session: GameSession, seat: Seat, turn: int | None) -> datetime | None:
    """When a move that a seat pencils now would be played; None if the table asks instead.

    Only the first pencil of a turn keeps its seat from being called late, so a later one is played by the deadline.
    """
    table, now, deadline = session.table, session.now, session.deadline(seat)
    moment = pencil_moment(session.clock.control, now, deadline) if takes_pencils(table) else None
    if moment is None or deadline is None or is_first_pencil(table, seat, table.turn if turn is None else turn):
        return moment
    return min(moment, deadline) if deadline > now else None


def is_protected(session: GameSession, seat: Seat) -> bool:
    """Whether a seat is not to be called late, because a move of it waits and is the first that did in this turn."""
    pencil = session.table.pencil(seat)
    return pencil is not None and pencil.is_first


def next_due_pencil(session: GameSession) -> Seat | None:
    """A seat whose pencilled move is to be played now; None if there is none."""
    for seat in session.table.seats:
        pencil = session.table.pencil(seat)
        if pencil is None or add_durations(pencil.until, pencil.extended) > session.now:
            continue
        if not has_unread_letters(session, seat):
            return seat
    return None


def play_pencil(session: GameSession, seat: Seat) -> bool:
    """Play the pencilled move of a seat, or refuse it if it is no longer legal; and tell everybody. Whether it stands.

    It goes the same way as a move in a letter, and stands because of the letter that brought it.
    """
    pencil = session.table.pencil(seat)
    if pencil is None:
        return False
    command = Play(pencil.text, pencil.turn)
    decision = play.play(session.table, seat, pencil.text, session.dealer(), turn=pencil.turn, letter=pencil.letter)
    drafts = decision.drafts or (draft_erasure(seat, pencil),)
    session.apply_events(drafts)
    if decision.drafts:
        keep_rest(session, seat, decision)
    followed = run_follow_ups(session) if decision.drafts else FollowUp()
    tell_outcome(session, seat, command, decision, followed)
    return bool(decision.drafts)


def erase_unheard(context: PostContext, transaction: Transaction, person: SeatRow) -> None:
    """Rub out the pencilled move of a player whose letter could not be read: it may have been a stop."""
    row = transaction.find_game(person.game)
    if row is None:
        return
    with suppress(BrokenHistoryError):
        session = GameSession(context, transaction, row)
        pencil = session.table.pencil(person.seat)
        if pencil is not None:
            session.apply_events([draft_erasure(person.seat, pencil)])
            send_notices(session, (Notice(person.seat, "pencil dropped", about=pencil.text),))
            session.save()
