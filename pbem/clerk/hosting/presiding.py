"""The referee at the desk: a case opened, ruled on, looked into and closed, each in one transaction.

What is decided is for the table to say; here it happens, and everybody is told.
"""

from collections.abc import Callable
from typing import NamedTuple

from engine.game import Seat
from pbem.clerk.desk import Desk
from pbem.clerk.following import follow
from pbem.clerk.intentions import forget_intentions
from pbem.clerk.office import Office
from pbem.clerk.telling import announcing, sending
from pbem.letters import occasions
from pbem.tables.court import appealing, ruling
from pbem.tables.court.ruling import Wanted
from pbem.tables.decision import REFEREE, Decision
from pbem.tables.room import keep_within


class NewPlayer(NamedTuple):
    """Somebody who takes a seat."""

    seat: Seat
    name: str
    address: str


def open_case(office: Office, table: str, turn: int | None, words: str) -> Decision | None:
    """Open a case on the referee's own account; None if there is no such table."""
    return _preside(office, table, lambda desk: appealing.appeal(desk.table, REFEREE, words, turn))


def rule(office: Office, table: str, number: int, wanted: Wanted, newcomer: NewPlayer | None = None) -> Decision | None:
    """Rule in a case; None if there is no such table."""
    return _preside(
        office, table, lambda desk: ruling.rule(desk.table, number, wanted, desk.dealer()), newcomer=newcomer
    )


def warrant(office: Office, table: str, number: int, seat: Seat, reason: str) -> Decision | None:
    """Take leave to see what a seat sees; None if there is no such table."""
    return _preside(office, table, lambda desk: ruling.warrant(desk.table, number, seat, reason))


def close(office: Office, table: str, number: int) -> Decision | None:
    """Close a case; None if there is no such table."""
    return _preside(office, table, lambda desk: ruling.close(desk.table, number))


def _preside(
    office: Office, table: str, decide: Callable[[Desk], Decision], *, newcomer: NewPlayer | None = None
) -> Decision | None:
    with office.store.transaction() as transaction:
        row = transaction.find_game(table)
        if row is None:
            return None
        desk = Desk(office, transaction, row)
        decision = keep_within(desk.table, decide(desk))
        if not decision.drafts:
            return decision
        desk.happen(decision.drafts)
        if newcomer is not None:
            _change_seats(desk, newcomer)
        followed = follow(desk)
        # The referee knows what he has done, and hears only of what follows from it.
        announcing.tell_notices(desk, (notice for notice in decision.notices if notice.to != REFEREE))
        announcing.tell_news(desk, followed)
        desk.save()
    return decision


def _change_seats(desk: Desk, newcomer: NewPlayer) -> None:
    """Tell whoever leaves a seat why, then write to the newcomer there; plans leave with their owner."""
    seat = newcomer.seat
    sending.send(desk, seat, occasions.News(tuple(desk.news)))
    forget_intentions(desk, seat)
    desk.change_person(seat, name=newcomer.name, address=newcomer.address, bounces=0, paused=False, last_seen_seq=0)
