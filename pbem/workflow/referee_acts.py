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
from pbem.workflow.follow_up import follow, forget_intentions
from pbem.workflow.open_game import Guest
from pbem.workflow.session import GameSession


def open_case(office: PostContext, table: str, turn: int | None, words: str) -> Decision | None:
    """Open a case on the referee's own account; None if there is no such table."""
    return _preside(office, table, lambda desk: cases.appeal(desk.table, REFEREE, words, turn))


def rule(
    office: PostContext, table: str, number: int, wanted: WantedRuling, newcomer: Guest | None = None
) -> Decision | None:
    """Rule in a case; None if there is no such table."""
    return _preside(
        office, table, lambda desk: rulings.rule(desk.table, number, wanted, desk.dealer()), newcomer=newcomer
    )


def warrant(office: PostContext, table: str, number: int, seat: Seat, reason: str) -> Decision | None:
    """Take leave to see what a seat sees; None if there is no such table."""
    return _preside(office, table, lambda desk: rulings.warrant(desk.table, number, seat, reason))


def close(office: PostContext, table: str, number: int) -> Decision | None:
    """Close a case; None if there is no such table."""
    return _preside(office, table, lambda desk: rulings.close(desk.table, number))


def pause(office: PostContext, table: str, reason: str) -> Decision | None:
    """Let time stand still; None if there is no such table."""
    return _preside(office, table, lambda desk: host.pause(desk.table, reason))


def resume(office: PostContext, table: str, reason: str) -> Decision | None:
    """Take a reason to stand still away; None if there is no such table."""
    return _preside(office, table, lambda desk: host.resume(desk.table, reason))


def call_off(office: PostContext, table: str, reason: str) -> Decision | None:
    """Take an invitation back; None if there is no such table."""
    return _preside(office, table, lambda desk: host.call_off(desk.table, reason))


def _preside(
    office: PostContext, table: str, decide: Callable[[GameSession], Decision], *, newcomer: Guest | None = None
) -> Decision | None:
    with office.store.transaction() as transaction:
        row = transaction.find_game(table)
        if row is None:
            return None
        desk = GameSession(office, transaction, row)
        decision = keep_within(desk.table, decide(desk))
        if not decision.drafts:
            return decision
        if newcomer is not None:
            # Whoever takes a seat has its whole time, on the days of his own calendar.
            desk.clock = replace(desk.clock, zones={**desk.clock.zones, newcomer.seat: ZoneInfo(newcomer.zone)})
        desk.happen(decision.drafts)
        if newcomer is not None:
            _change_seats(desk, newcomer)
        followed = follow(desk)
        # The referee knows what he has done, and hears only of what follows from it.
        announce.tell_notices(desk, (notice for notice in decision.notices if notice.to != REFEREE))
        announce.tell_news(desk, followed, newcomer=None if newcomer is None else newcomer.seat)
        desk.save()
    return decision


def _change_seats(desk: GameSession, newcomer: Guest) -> None:
    """Tell whoever leaves a seat why, then write to the newcomer there.

    Plans and choices leave with their owner. Of the seat only the count of its mails goes on, which gives them names.
    """
    seat = newcomer.seat
    queue_mail.send(desk, seat, occasions.NewsMail(tuple(desk.news)))
    forget_intentions(desk, seat)
    person = SeatRow(desk.row.id, seat, newcomer.address, newcomer.name, newcomer.language, newcomer.zone)
    desk.people[seat] = replace(person, mails_sent=desk.people[seat].mails_sent)
