"""Days away at all tables of a person: announced at each, or taken back, and the others there are told."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from zoneinfo import ZoneInfo

from pbem.store.rows import SeatRow
from pbem.store.store import Transaction
from pbem.tables.absences import announce_most, cancel_absence
from pbem.tables.decision import DaysAway, Decision, refuse_overlong
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.table import Table
from pbem.workflow.announce import notify_events
from pbem.workflow.context import PostContext
from pbem.workflow.follow_up import run_follow_ups
from pbem.workflow.people import live_seats
from pbem.workflow.session import GameSession


def go_away(
    context: PostContext, transaction: Transaction, person: str, first: date, last: date, *, but: str = ""
) -> list[DaysAway]:
    """Announce days away at all tables of a person, `but` one; each with the day from which on there are too few.

    Days that are past, or in the wrong order, are announced nowhere.
    """

    def decide(table: Table, seat: SeatRow) -> Decision:
        today = context.now().astimezone(ZoneInfo(seat.zone)).date()
        return announce_most(table, seat.seat, first, last, today)

    return [away for done in _at_each(context, transaction, person, decide, but=but) for away in done.away]


def come_back(context: PostContext, transaction: Transaction, person: str) -> int:
    """Take back all days away that have not begun; at how many tables there were some."""

    def decide(table: Table, seat: SeatRow) -> Decision:
        return cancel_absence(table, seat.seat, context.now().astimezone(ZoneInfo(seat.zone)).date())

    return sum(bool(done.drafts) for done in _at_each(context, transaction, person, decide))


def _at_each(
    context: PostContext,
    transaction: Transaction,
    person: str,
    decide: Callable[[Table, SeatRow], Decision],
    *,
    but: str = "",
) -> Iterator[Decision]:
    for seat in live_seats(transaction, person):
        row = transaction.find_game(seat.game)
        if row is None or seat.game == but:
            continue
        with suppress(BrokenHistoryError):  # nothing can be announced at a table that is held
            session = GameSession(context, transaction, row)
            decision = refuse_overlong(session.table, decide(session.table, seat))
            session.apply_events(decision.drafts)
            if decision.drafts:
                notify_events(session, run_follow_ups(session), teller=seat.seat)
                session.save()
            yield decision
