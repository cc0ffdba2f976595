"""What a seat wants done when its time comes: turns planned, orders that stand, the rest of a letter that waits.

All of it is kept in one place beside the events, is nobody else's business, and leaves with the player.
"""

from dataclasses import dataclass, replace
from typing import Any

from engine.game import Seat
from pbem.tables.standing_orders import Standing
from pbem.workflow.session import Desk


@dataclass(frozen=True, slots=True)
class Rest:
    """Moves of a letter that wait for the answers of others, and the turn they are for."""

    text: str
    turn: int
    epoch: int
    letter: str
    """The digest of the letter, for the record."""
    since: int
    """The number of the last event before the letter."""


@dataclass(frozen=True, slots=True)
class Intentions:
    """What one seat wants done."""

    plan: tuple[str, ...] = ()
    """Whole turns, the next first."""
    standing: tuple[Standing, ...] = ()
    rest: Rest | None = None


def load_intentions(desk: Desk, seat: Seat) -> Intentions:
    """What a seat wants done."""
    kept = desk.transaction.load_plan(desk.row.id, seat)
    if not kept:
        return Intentions()
    standing = tuple(Standing(*order) for order in kept.get("standing", ()))
    rest = Rest(*kept["rest"]) if "rest" in kept else None
    return Intentions(tuple(kept.get("phrases", ())), standing, rest)


def change_intentions(desk: Desk, seat: Seat, **values: Any) -> None:
    """Keep something else under plan, standing or rest, in place of what was kept before."""
    wanted = replace(load_intentions(desk, seat), **values)
    data: dict[str, Any] = {}
    if wanted.plan:
        data["phrases"] = list(wanted.plan)
    if wanted.standing:
        data["standing"] = [list(order) for order in wanted.standing]
    if (rest := wanted.rest) is not None:
        data["rest"] = [rest.text, rest.turn, rest.epoch, rest.letter, rest.since]
    desk.transaction.save_plan(desk.row.id, seat, data or None)


def forget_intentions(desk: Desk, seat: Seat) -> None:
    """Let all of it go, as when somebody else takes the seat."""
    desk.transaction.save_plan(desk.row.id, seat, None)
