"""What the referee does: cases, pauses, invitations called off; each in one transaction.

The table decides whether it is allowed. Here it is carried out, and everybody is told.
"""

from collections.abc import Callable, Iterable, Sequence

from engine.game import Seat
from pbem.tables import cases, referee_decisions
from pbem.tables.cases import WantedRuling
from pbem.tables.decision import REFEREE, Decision, refuse_overlong
from pbem.tables.holidays import settle_holidays
from pbem.workflow import announce
from pbem.workflow.context import PostContext
from pbem.workflow.follow_up import run_follow_ups
from pbem.workflow.open_game import Guest
from pbem.workflow.session import GameSession
from pbem.workflow.successors import seat_successor


def open_case(context: PostContext, table: str, turn: int | None, words: str) -> Decision | None:
    """Open a case on the referee's own initiative. None if there is no such table."""
    return _act(context, table, lambda session: cases.appeal(session.table, REFEREE, words, turn))


def rule(
    context: PostContext, table: str, number: int, wanted: WantedRuling, newcomer: Guest | None = None
) -> Decision | None:
    """Rule on a case. None if there is no such table."""
    return _act(
        context, table, lambda session: cases.rule(session.table, number, wanted, session.dealer()), newcomer=newcomer
    )


def warrant(context: PostContext, table: str, number: int, seat: Seat, reason: str) -> Decision | None:
    """Allow the referee to see what a seat sees. None if there is no such table."""
    return _act(context, table, lambda session: cases.warrant(session.table, number, seat, reason))


def close(context: PostContext, table: str, number: int) -> Decision | None:
    """Close a case. None if there is no such table."""
    return _act(context, table, lambda session: cases.close(session.table, number))


def pause(context: PostContext, table: str, reason: str) -> Decision | None:
    """Stop the clock. None if there is no such table."""
    return _act(context, table, lambda session: referee_decisions.pause(session.table, reason))


def resume(context: PostContext, table: str, reason: str) -> Decision | None:
    """End a pause. None if there is no such table."""
    return _act(context, table, lambda session: referee_decisions.resume(session.table, reason))


def excuse(context: PostContext, table: str, seat: Seat, event: int | None, reason: str) -> Decision | None:
    """Excuse an answer that a player missed. None if there is no such table."""
    return _act(context, table, lambda session: referee_decisions.excuse(session.table, seat, event, reason))


def extend(context: PostContext, table: str, length: str, reason: str) -> Decision | None:
    """Give everybody more time who is to move. None if there is no such table."""
    return _act(context, table, lambda session: referee_decisions.extend(session.table, length, reason))


def change_terms(context: PostContext, table: str, changes: Sequence[str], reason: str) -> Decision | None:
    """Change terms of a table, such as `pace 2d`. None if there is no such table."""
    settled = [settle_holidays(each, context.now().date()) for each in changes]
    return _act(context, table, lambda session: referee_decisions.change_terms(session.table, settled, reason))


def call_off(context: PostContext, table: str, reason: str) -> Decision | None:
    """Call an invitation off. None if there is no such table."""
    return _act(context, table, lambda session: referee_decisions.call_off(session.table, reason))


def invite(context: PostContext, table: str, guest: Guest) -> Decision | None:
    """Ask another person to take a seat that was declined. None if there is no such table."""
    return _act(
        context, table, lambda session: referee_decisions.invite(session.table, guest.seat, guest.name), newcomer=guest
    )


def _act(
    context: PostContext, table: str, decide: Callable[[GameSession], Decision], *, newcomer: Guest | None = None
) -> Decision | None:
    with context.store.transaction() as transaction:
        row = transaction.find_game(table)
        if row is None:
            return None
        session = GameSession(context, transaction, row)
        decision = refuse_overlong(session.table, decide(session))
        if not decision.drafts:
            return decision
        carry_out(session, decision, newcomer)
        tell_everybody(session, [decision], newcomer)
        session.save()
    return decision


def carry_out(
    session: GameSession, decision: Decision, newcomer: Guest | None = None, *, inbox_id: int | None = None
) -> None:
    """Let a decision happen at its table; `inbox_id` is the letter that it came by."""
    if newcomer is not None:
        seat_successor(session, decision.drafts, newcomer)
    else:
        session.apply_events(decision.drafts, inbox_id=inbox_id)


def tell_everybody(session: GameSession, decisions: Iterable[Decision], newcomer: Guest | None = None) -> None:
    """Let what follows happen, and tell the table; the referee is told only of what follows."""
    followed = run_follow_ups(session)
    notices = [notice for decision in decisions for notice in decision.notices]
    announce.send_notices(session, (notice for notice in notices if notice.to != REFEREE))
    announce.notify_events(session, followed, newcomer=None if newcomer is None else newcomer.seat)
