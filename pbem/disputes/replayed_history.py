"""The whole history of a game, with the table after each event; and the list of all cases."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pbem.events.chain import Event
from pbem.events.kinds import MovesMade, TurnUndone
from pbem.store.rows import GameRow
from pbem.store.store import Transaction
from pbem.tables.fold import BrokenHistoryError, apply_event, fold
from pbem.tables.table import CALLED_OFF, OVER, Case, Table
from pbem.workflow.context import PostContext
from pbem.workflow.history import read_events


class ReplayedHistory(NamedTuple):
    """Events and the table after each of them."""

    events: tuple[Event, ...]
    tables: tuple[Table, ...]

    @property
    def now(self) -> Table:
        """The table as it is now."""
        return self.tables[-1]

    @property
    def is_over(self) -> bool:
        """Whether nothing is secret any more."""
        return self.now.stage in (OVER, CALLED_OFF)

    def before(self, event: Event) -> Table:
        """The table before an event."""
        return self.tables[event.seq - 2]

    def after(self, event: Event) -> Table:
        """The table after an event."""
        return self.tables[event.seq - 1]

    def moves_of(self, turn: int, upto: int) -> list[Event]:
        """The moves of a turn that were valid after event number `upto`."""
        found: list[Event] = []
        for event in self.events[:upto]:
            if isinstance(event.payload, TurnUndone) and event.payload.turn <= turn:
                found = found[: event.payload.kept or 0] if event.payload.turn == turn else []
            elif isinstance(event.payload, MovesMade) and event.payload.turn == turn:
                found.append(event)
        return found


def replay_history(events: Iterable[Event]) -> ReplayedHistory:
    """The history of a game from its events."""
    told = tuple(events)
    tables = [fold(told[:1])]
    for event in told[1:]:
        tables.append(apply_event(tables[-1], event))
    return ReplayedHistory(told, tuple(tables))


def read_history(transaction: Transaction, game: str) -> tuple[GameRow, ReplayedHistory] | None:
    """A game of the post and its history; None if there is no such table."""
    row = transaction.find_game(game)
    return None if row is None else (row, replay_history(read_events(transaction, row.id)))


def list_cases(context: PostContext, table: str = "") -> Iterator[tuple[str, Case | BrokenHistoryError]]:
    """All cases, or those of one table, with the table names; or why a table cannot be read."""
    with context.store.reading() as transaction:
        for row in transaction.games():
            if table in ("", row.id):
                try:
                    cases = fold(read_events(transaction, row.id)).cases
                except BrokenHistoryError as reason:
                    yield row.id, reason
                    continue
                yield from ((row.id, case) for case in cases)
