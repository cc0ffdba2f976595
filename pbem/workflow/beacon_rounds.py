"""Tables that wait for a round of the public beacon, and what happens when the round is out.

Nothing is fetched from the network here. The caller brings the pulse.
"""

from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from pbem.proof.public_beacon import Pulse
from pbem.store.store import Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.silence import apply_round
from pbem.tables.table import INVITING, PLAYING
from pbem.workflow import announce
from pbem.workflow.context import PostContext
from pbem.workflow.follow_up import run_follow_ups
from pbem.workflow.session import GameSession


class WantedRound(NamedTuple):
    """A round that a table waits for, and when it is published."""

    table: str
    round: int
    out: datetime


def wanted_rounds(context: PostContext) -> list[WantedRound]:
    """All rounds that tables wait for, the earliest first. Games with a damaged history are left out."""
    found: list[WantedRound] = []
    with context.store.reading() as transaction:
        for standing in transaction.standings_with_round(INVITING, PLAYING):
            if number := standing.awaits_round or _round_by_events(context, transaction, standing.game):
                found.append(WantedRound(standing.game, number, context.beacon.time_of(number)))
    return sorted(found, key=lambda wanted: wanted.round)


def _round_by_events(context: PostContext, transaction: Transaction, game: str) -> int:
    """The round that a game waits for whose row does not say; none if its history is damaged."""
    row = transaction.find_game(game)
    with suppress(BrokenHistoryError):
        return 0 if row is None else GameSession(context, transaction, row).table.rounds.round or 0
    return 0


def apply_pulse(context: PostContext, pulse: Pulse) -> list[str]:
    """Let all tables go on that wait for this round, and return their names. A false pulse changes nothing."""
    waiting = [wanted.table for wanted in wanted_rounds(context) if wanted.round == pulse.round]
    if not waiting or not context.beacon.is_true(pulse):
        return []
    return [table for table in waiting if _apply_at_table(context, table, pulse)]


def _apply_at_table(context: PostContext, table: str, pulse: Pulse) -> bool:
    with context.store.transaction() as transaction:
        row = transaction.find_game(table)
        session = GameSession(context, transaction, row) if row is not None else None
        if session is None or session.table.rounds.round != pulse.round:
            return False  # somebody else has brought it, or the table needs it no more
        decision = apply_round(session.table, pulse, session.dealer())
        session.apply_events(decision.drafts)
        announce.notify_timeouts(session, (decision,), run_follow_ups(session))
        session.save()
    return True
