"""Where each game stands: its turn, the seats it waits for and their deadlines, without showing a board."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from engine.game import CHANCE, Seat
from pbem.clock.time_control import add_durations
from pbem.store.store import Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.table import INVITING, PLAYING, Table
from pbem.workflow.context import PostContext
from pbem.workflow.session import GameSession

DAMAGED_STAGE: Final = "damaged"
"""The stage of a game whose stored events were changed."""


@dataclass(frozen=True, slots=True)
class GameStatus:
    """The status of one game. `waits_for` has the seats that must act or accept, each with its deadline, if any."""

    table: str
    game: str
    stage: str
    turn: int
    waits_for: dict[Seat, datetime | None]
    pauses: tuple[str, ...]
    result: str
    cases: tuple[int, ...] = ()
    """The numbers of open cases."""
    warrants: int = 0
    """How often the referee was allowed to see what a seat sees."""
    free: tuple[Seat, ...] = ()
    """Seats that were declined, and that nobody else is asked to yet."""
    pencilled: dict[Seat, datetime] = field(default_factory=dict)
    """The seats of which a move waits to be played, each with the moment; what it is only its player may know."""
    broken: str = ""
    """What is wrong with its stored events; then the game is held and nothing else is known."""


def game_statuses(context: PostContext, transaction: Transaction, *, all_of_them: bool) -> Iterator[GameStatus]:
    """Every game that is being played or prepared, oldest first; with `all_of_them` also finished ones."""
    for row in transaction.games():
        if all_of_them or row.stage in (INVITING, PLAYING):
            try:
                session = GameSession(context, transaction, row)
            except BrokenHistoryError as reason:
                yield GameStatus(row.id, "", DAMAGED_STAGE, 0, {}, (), "", broken=str(reason))
                continue
            yield _status(session.table, session)


def _status(table: Table, session: GameSession) -> GameStatus:
    waits: dict[Seat, datetime | None] = {seat: session.deadline(seat) for seat in _open_seats(table)}
    if table.rounds.round and (table.stage == INVITING or CHANCE in waits):
        waits = {CHANCE: session.context.beacon.time_of(table.rounds.round)}
    return GameStatus(
        table=table.id,
        game=table.game.key,
        stage=table.stage,
        turn=table.turn,
        waits_for=waits,
        pauses=tuple(sorted(table.pauses)),
        result=table.result,
        cases=tuple(case.number for case in table.cases if case.is_open),
        warrants=table.warrants,
        free=tuple(seat for seat in table.seats if seat in table.free),
        pencilled={
            seat: add_durations(pencil.until, pencil.extended)
            for seat in table.seats
            if (pencil := table.pencil(seat)) is not None
        },
    )


def _open_seats(table: Table) -> tuple[Seat, ...]:
    """The seats that must act or accept."""
    if table.stage != INVITING:
        return table.due
    return tuple(seat for seat in table.present if seat not in table.accepted)
