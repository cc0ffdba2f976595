"""Seats without a player: how they come about, and what is done about them.

A player who gives up, or whose time has run out where that costs the game, leaves a seat behind. With one other
player left the game is over. With several it goes on: the seat keeps what it has, and its turns are made by
chance until the referee finds somebody for it, or wait for that, if the table agreed so.
"""

from typing import Final

from engine.game import Seat
from notation import Ending
from pbem.events.chain import Draft
from pbem.events.to_record import ended
from pbem.tables.decision import REFEREE, Notice
from pbem.tables.table import Table

SUBSTITUTE: Final = "substitute"
"""What a table's terms say under `silence` if it waits for somebody else."""


def vacancy(seat: Seat) -> str:
    """Why time stands still while a player is looked for, as events keep it; whoever was late may still answer."""
    return f"{seat} has no player"


def vacant_seat(reason: str) -> Seat:
    """The seat for which time stands still by a reason; empty if it is another reason."""
    seat = reason.partition(" ")[0]
    return seat if reason == vacancy(seat) else ""


def leave(table: Table, seat: Seat, kind: str, by: str) -> tuple[Draft, ...]:
    """Let a seat go: `kind` is how the game ends if too few are left, resigned or time."""
    if len(table.active) <= 2:
        return (ended(table.seats, Ending(kind, (*table.resigned, seat)), table.score),)
    gone = Draft("resigned", {"seat": seat, "by": by})
    return (gone, *await_player(table, seat)) if waits(table) else (gone,)


def await_player(table: Table, seat: Seat) -> tuple[Draft, ...]:
    """Let time stand still until somebody plays for a seat."""
    reason = vacancy(seat)
    return () if reason in table.pauses else (Draft("paused", {"reason": reason, "by": "post"}),)


def waits(table: Table) -> bool:
    """True if the table waits for somebody else rather than let chance play."""
    return bool(table.terms.get("silence") == SUBSTITUTE)


def wanted(seat: Seat) -> Notice:
    """Tell the referee that a seat needs a player."""
    return Notice(REFEREE, "substitute wanted", {"seat": seat})
