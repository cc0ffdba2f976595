"""Where each game stands: its turn, the seats it waits for and their deadlines, without showing a board.

A game's row says so. Only where it does not, after an upgrade or because the history is damaged, are the events read.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from pbem.store.queries import reading_row
from pbem.store.rows import StandingRow
from pbem.store.store import Transaction

if TYPE_CHECKING:
    from pbem.workflow.context import PostContext

DAMAGED_STAGE: Final = "damaged"
"""The stage of a game whose stored events were changed."""
LIVE: Final = ("inviting", "playing")
CHANCE: Final = "*"
"""Stages and a seat as `tables` and `engine` name them, which take longer to load than all this."""


@dataclass(frozen=True, slots=True)
class GameStatus:
    """The status of one game. `waits_for` has the seats that must act or accept, each with its deadline, if any."""

    table: str
    game: str
    stage: str
    turn: int
    waits_for: dict[str, datetime | None]
    pauses: tuple[str, ...]
    result: str
    cases: tuple[int, ...] = ()
    """The numbers of open cases."""
    warrants: int = 0
    """How often the referee was allowed to see what a seat sees."""
    free: tuple[str, ...] = ()
    """Seats that were declined, and that nobody else is asked to yet."""
    pencilled: dict[str, datetime] = field(default_factory=dict)
    """The seats of which a move waits to be played, each with the moment; what it is only its player may know."""
    broken: str = ""
    """What is wrong with its stored events; then the game is held and nothing else is known."""


def game_statuses(context: "PostContext", transaction: Transaction, *, all_of_them: bool) -> Iterator[GameStatus]:
    """Every game that is being played or prepared, oldest first; with `all_of_them` also finished ones."""
    for row in _standings(transaction, all_of_them=all_of_them):
        if row.more:
            yield _read_status(row, context.beacon.time_of)
        else:
            yield _fold_status(context, transaction, row.game)


def quick_statuses(transaction: Transaction, *, all_of_them: bool) -> list[GameStatus] | None:
    """The same by the rows of games alone; None if one of them does not say how its game stands."""
    rows = _standings(transaction, all_of_them=all_of_them)
    return [_read_status(row, _time_of) for row in rows] if all(row.more for row in rows) else None


def _standings(transaction: Transaction, *, all_of_them: bool) -> list[StandingRow]:
    return transaction.standings(*(() if all_of_them else LIVE))


def _time_of(number: int) -> datetime:
    from pbem.proof.public_beacon import QUICKNET  # few tables wait for it

    return QUICKNET.time_of(number)


def _fold_status(context: "PostContext", transaction: Transaction, game: str) -> GameStatus:
    """The status of a game by its events."""
    from pbem.tables.fold import BrokenHistoryError
    from pbem.workflow.session import GameSession

    row = transaction.find_game(game)
    if row is None:
        raise LookupError(f"there is no game {game}")
    try:
        return _read_status(GameSession(context, transaction, row).standing(), context.beacon.time_of)
    except BrokenHistoryError as reason:
        return GameStatus(game, "", DAMAGED_STAGE, 0, {}, (), "", broken=str(reason))


@reading_row("game")
def _read_status(row: StandingRow, time_of: Callable[[int], datetime]) -> GameStatus:
    more = json.loads(row.more)
    waits = {seat: None if until is None else datetime.fromisoformat(until) for seat, until in row.due.items()}
    if row.awaits_round and (row.stage == LIVE[0] or CHANCE in waits):
        waits = {CHANCE: time_of(row.awaits_round)}
    return GameStatus(
        table=row.game,
        game=str(more["game"]),
        stage=row.stage,
        turn=row.turn,
        waits_for=waits,
        pauses=tuple(more["pauses"]),
        result=str(more["result"]),
        cases=tuple(more["cases"]),
        warrants=int(more["warrants"]),
        free=tuple(more["free"]),
        pencilled={seat: datetime.fromisoformat(until) for seat, until in more["pencilled"].items()},
    )
