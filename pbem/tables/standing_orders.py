"""Standing orders: moves that a player wants made automatically, added, listed, dropped and followed.

The game's notation reads them, and its rules say which move they lead to. They are private to a seat, so they are
stored beside the events and never in one.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.game import Seat
from notation import Fault, write_moves
from notation.player_text import has_standing_orders, read_standing, write_standing
from pbem.judging.submission import SubmissionResult
from pbem.tables import table_rules
from pbem.tables.decision import Answer, Decision, Refused
from pbem.tables.table import INVITING, PLAYING, Table

STANDING: Final = "standing"
"""The author of moves that follow from a standing order."""
MOST: Final = 12
"""Standing orders that a seat can have at once."""


class StandingOrder(NamedTuple):
    """A standing order in the game's notation; with a turn, for that turn of that epoch only."""

    text: str
    turn: int | None = None
    epoch: int = 0


def add_order(
    table: Table, seat: Seat, text: str, standing: Iterable[StandingOrder], *, this_turn: bool = False
) -> Decision:
    """Add an order to the standing ones."""
    kept = orders_in_force(table, standing)
    refused = _refuse(table, seat)
    if refused is not None:
        return Decision(refused=refused)
    order = read_standing(table.game, text)
    if isinstance(order, Fault):
        return Decision(ruling=SubmissionResult(seat, table.turn, fault=order))
    passing = (table.turn, table.epoch) if this_turn else (None, 0)
    new = StandingOrder(write_standing(table.game, order), *passing)
    # Most kinds can stand only once: a new order to discard replaces the old one.
    others = [old for old in kept if old.text != new.text and not _replaces(table, order, old)]
    if len(others) >= MOST:
        return Decision(refused=Refused(table_rules.T5, "you have {most} standing orders already", {"most": MOST}))
    return _note((*others, new))


def list_orders(table: Table, seat: Seat, standing: Iterable[StandingOrder]) -> Decision:
    """List the orders in force."""
    refused = _refuse(table, seat)
    return (
        Decision(refused=refused)
        if refused is not None
        else Decision(answers=(_tell(orders_in_force(table, standing)),))
    )


def drop_orders() -> Decision:
    """Drop all orders."""
    return _note(())


def orders_in_force(table: Table, standing: Iterable[StandingOrder]) -> tuple[StandingOrder, ...]:
    """The orders that are still in force: those for one turn end with it."""
    now = (table.turn, table.epoch)
    return tuple(order for order in standing if order.turn is None or (order.turn, order.epoch) == now)


def ordered_moves(table: Table, seat: Seat, standing: Iterable[StandingOrder]) -> str:
    """The move that a seat's orders lead to now, in notation; empty if there is none."""
    orders = [read_standing(table.game, order.text) for order in orders_in_force(table, standing)]
    known = [order for order in orders if order is not None and not isinstance(order, Fault)]
    move = table.game.by_standing_order(table.position, seat, known) if known else None
    return write_moves(table.game, (move,)) if move is not None else ""


def _replaces(table: Table, order: object, old: StandingOrder) -> bool:
    return not getattr(order, "several", False) and type(read_standing(table.game, old.text)) is type(order)


def _refuse(table: Table, seat: Seat) -> Refused | None:
    if table.stage not in (INVITING, PLAYING) or seat in table.resigned:
        return Refused(table_rules.T3, "you have no game to give orders for", {"seat": seat})
    if not has_standing_orders(table.game):
        return Refused(table_rules.T5, "this game knows no standing orders")
    return None


def _note(orders: tuple[StandingOrder, ...]) -> Decision:
    return Decision(standing=orders, answers=(_tell(orders),))


def _tell(orders: tuple[StandingOrder, ...]) -> Answer:
    return Answer("standing", orders=tuple((order.text, order.turn) for order in orders))
