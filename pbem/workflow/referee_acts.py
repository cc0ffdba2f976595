"""The referee at the desk: cases, pauses and invitations that are taken back, each act in one transaction.

What is decided is for the table to say; here it happens, and everybody is told.
"""

from collections.abc import Callable
from dataclasses import replace
from zoneinfo import ZoneInfo

from engine.game import Seat
from pbem.mail.writing import occasions
from pbem.store.rows import SeatRow
from pbem.tables import cases, host
from pbem.tables import cases as rulings
from pbem.tables.cases import WantedRuling
from pbem.tables.decision import REFEREE, Decision, keep_within
from pbem.workflow import announce, queue_mail
from pbem.workflow.context import PostContext
from pbem.workflow.follow_up import forget_intentions, run_follow_ups
from pbem.workflow.open_game import Guest
from pbem.workflow.session import GameSession


def open_case(context: PostContext, table: str, turn: int | None, words: str) -> Decision | None:
    """Open a case on the referee's own account; None if there is no such table."""
    return _act(context, table, lambda session: cases.appeal(session.table, REFEREE, words, turn))


def rule(
    context: PostContext, table: str, number: int, wanted: WantedRuling, newcomer: Guest | None = None
) -> Decision | None:
    """Rule in a case; None if there is no such table."""
    return _act(
        context, table, lambda session: rulings.rule(session.table, number, wanted, session.dealer()), newcomer=newcomer
    )


def warrant(context: PostContext, table: str, number: int, seat: Seat, reason: str) -> Decision | None:
    """Take leave to see what a seat sees; None if there is no such table."""
    return _act(context, table, lambda session: rulings.warrant(session.table, number, seat, reason))


def close(context: PostContext, table: str, number: int) -> Decision | None:
    """Close a case; None if there is no such table."""
    return _act(context, table, lambda session: rulings.close(session.table, number))


def pause(context: PostContext, table: str, reason: str) -> Decision | None:
    """Let time stand still; None if there is no such table."""
    return _act(context, table, lambda session: host.pause(session.table, reason))


def resume(context: PostContext, table: str, reason: str) -> Decision | None:
    """Take a reason to stand still away; None if there is no such table."""
    return _act(context, table, lambda session: host.resume(session.table, reason))


def call_off(context: PostContext, table: str, reason: str) -> Decision | None:
    """Take an invitation back; None if there is no such table."""
    return _act(context, table, lambda session: host.call_off(session.table, reason))


def _act(
    context: PostContext, table: str, decide: Callable[[GameSession], Decision], *, newcomer: Guest | None = None
) -> Decision | None:
    with context.store.transaction() as transaction:
        row = transaction.find_game(table)
        if row is None:
            return None
        session = GameSession(context, transaction, row)
        decision = keep_within(session.table, decide(session))
        if not decision.drafts:
            return decision
        if newcomer is not None:
            # Whoever takes a seat has its whole time, on the days of his own calendar.
            session.clock = replace(
                session.clock, zones={**session.clock.zones, newcomer.seat: ZoneInfo(newcomer.zone)}
            )
        session.apply_events(decision.drafts)
        if newcomer is not None:
            _change_seats(session, newcomer)
        followed = run_follow_ups(session)
        # The referee knows what he has done, and hears only of what follows from it.
        announce.send_notices(session, (notice for notice in decision.notices if notice.to != REFEREE))
        announce.notify_events(session, followed, newcomer=None if newcomer is None else newcomer.seat)
        session.save()
    return decision


def _change_seats(session: GameSession, newcomer: Guest) -> None:
    """Tell whoever leaves a seat why, then write to the newcomer there.

    Plans and choices leave with their owner. Of the seat only the count of its mails goes on, which gives them names.
    """
    seat = newcomer.seat
    queue_mail.queue_for_seat(session, seat, occasions.NewsMail(tuple(session.news)))
    forget_intentions(session, seat)
    person = SeatRow(session.row.id, seat, newcomer.address, newcomer.name, newcomer.language, newcomer.zone)
    session.people[seat] = replace(person, mails_sent=session.people[seat].mails_sent)
