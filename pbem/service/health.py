"""Where each game stands: its turn, whom it waits for and until when, without a view of anybody's board."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engine.game import CHANCE, Seat
from pbem.store.transaction import Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.table import INVITING, PLAYING, Table
from pbem.workflow.context import Office
from pbem.workflow.session import Desk

DAMAGED: Final = "damaged"
"""The stage of a game whose history is not the one that was written down."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One game at a glance. `waits_for` are the seats that must act, or accept, each with its deadline if any."""

    table: str
    game: str
    stage: str
    turn: int
    waits_for: dict[Seat, datetime | None]
    pauses: tuple[str, ...]
    result: str
    cases: tuple[int, ...] = ()
    """The cases that are open."""
    warrants: int = 0
    """How often the referee was allowed to see what a seat sees."""
    broken: str = ""
    """Why nothing more can be said: its history is damaged, and it stands still."""


def standings(office: Office, transaction: Transaction, *, all_of_them: bool) -> Iterator[Standing]:
    """Every game that is being played or prepared, oldest first; with `all_of_them` also those that are over."""
    for row in transaction.games():
        if all_of_them or row.stage in (INVITING, PLAYING):
            try:
                desk = Desk(office, transaction, row)
            except BrokenHistoryError as reason:
                yield Standing(row.id, "", DAMAGED, 0, {}, (), "", broken=str(reason))
                continue
            yield _standing(desk.table, desk)


def _standing(table: Table, desk: Desk) -> Standing:
    waits: dict[Seat, datetime | None] = {seat: desk.deadline(seat) for seat in _open_seats(table)}
    if table.bound.round and (table.stage == INVITING or CHANCE in waits):
        waits = {CHANCE: desk.office.beacon.time_of(table.bound.round)}
    return Standing(
        table=table.id,
        game=table.game.key,
        stage=table.stage,
        turn=table.turn,
        waits_for=waits,
        pauses=tuple(sorted(table.pauses)),
        result=table.result,
        cases=tuple(case.number for case in table.cases if case.is_open),
        warrants=table.warrants,
    )


def _open_seats(table: Table) -> tuple[Seat, ...]:
    """Who must act, or accept."""
    if table.stage != INVITING:
        return table.due
    return tuple(seat for seat in table.seats if seat not in table.accepted)
