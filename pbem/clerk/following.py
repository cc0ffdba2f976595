"""What happens by itself once a letter has been carried out: plans that were kept, and seats without a player.

A plan is played only if the whole turn is legal when it comes; else it is dropped and its owner told, as if
nothing had been planned. A seat whose player gave up is played by chance, unless the table waits for somebody.
"""

from typing import Final

from engine.game import Seat
from pbem.clerk.desk import Desk
from pbem.orders.commands import Play
from pbem.tables import playing
from pbem.tables.decision import Decision
from pbem.tables.table import PLAYING

MOST: Final = 200
"""Turns that may follow by themselves before a letter is needed."""


def follow(desk: Desk) -> dict[Seat, Decision]:
    """Play on by itself as far as that goes; the plans that could not be played, by seat."""
    dropped: dict[Seat, Decision] = {}
    for _ in range(MOST):
        if desk.table.stage != PLAYING or desk.table.pauses:
            break
        if not any(_play_one(desk, seat, dropped) for seat in desk.table.due):
            break
    return dropped


def _play_one(desk: Desk, seat: Seat, dropped: dict[Seat, Decision]) -> bool:
    """Play a turn for a seat, if there is a reason to; False if it must be asked."""
    if seat in desk.table.resigned:
        return _plays(desk, seat, playing.chosen_by_chance(desk.table, seat, desk.dealer()), by="chance") is None
    plan = load_plan(desk, seat)
    if not plan:
        return False
    failed = _plays(desk, seat, plan[0], by="plan")
    save_plan(desk, seat, () if failed is not None else plan[1:])
    if failed is not None:
        dropped[seat] = failed
    return failed is None


def _plays(desk: Desk, seat: Seat, text: str, *, by: str) -> Decision | None:
    """Play a text for a seat; what came of it, if it is not a whole turn."""
    decision = playing.play(desk.table, seat, Play(text), desk.dealer(), letter="", by=by)
    if decision.ruling is None or not decision.ruling.stands or not decision.ruling.complete:
        return decision
    desk.happen(decision.drafts)
    return None


def load_plan(desk: Desk, seat: Seat) -> tuple[str, ...]:
    """What a seat has planned, the next turn first."""
    kept = desk.transaction.load_plan(desk.row.id, seat)
    return tuple(kept["phrases"]) if kept else ()


def save_plan(desk: Desk, seat: Seat, phrases: tuple[str, ...]) -> None:
    """Keep a plan in place of any kept before; an empty one is forgotten."""
    desk.transaction.save_plan(desk.row.id, seat, {"phrases": list(phrases)} if phrases else None)
