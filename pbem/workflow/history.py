"""Events read from the store, and the public log of all games.

Events are given out only if the whole chain is intact, up to the head that the game's row names. Otherwise we might
sign something that never happened.

The public log gets a line when a game is opened and one when it ends, and when a game is restored or the post takes
another key. It is a Merkle tree whose signed root goes out
with every mail, so that no game can be made to disappear. The line for the end opens the secrets of the game.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, overload

from engine.digest import canonical
from pbem.events.chain import Event, first_broken
from pbem.proof.public_log import Checkpoint, read_checkpoint, read_tree, sign_tree
from pbem.store.rows import GameRow
from pbem.store.store import CHECKPOINT, Transaction
from pbem.store.timestamps import format_timestamp
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.table import Table
from pbem.workflow.context import PostContext, events_from_rows


def read_events(transaction: Transaction, game: str) -> tuple[Event, ...]:
    """All events of a game in order, none if it does not exist; BrokenHistoryError if the chain is damaged."""
    row = transaction.find_game(game)
    if row is None:
        return ()
    try:
        events = events_from_rows(transaction.load_events(game))
        broken = first_broken(events)
    except (AttributeError, TypeError, ValueError, RecursionError):
        raise BrokenHistoryError(f"{game}: an event cannot be read") from None
    if broken is not None:
        raise BrokenHistoryError(f"{game}: event {broken} does not fit the chain")
    if (events[-1].seq, events[-1].hash) != (row.head_seq, row.head_hash) if events else row.head_seq:
        raise BrokenHistoryError(f"{game}: its last events are gone, up to event {row.head_seq}")
    return events


def read_events_after(transaction: Transaction, row: GameRow, table: Table) -> tuple[Event, ...]:
    """The events of a game behind those that made a table; BrokenHistoryError if they do not go on from there."""
    try:
        events = events_from_rows(transaction.load_events(row.id, table.seq), table.form)
        broken = first_broken(events, after=table.seq, head=table.head)
    except (AttributeError, TypeError, ValueError, RecursionError):
        raise BrokenHistoryError(f"{row.id}: an event cannot be read") from None
    end = (events[-1].seq, events[-1].hash) if events else (table.seq, table.head)
    if broken is not None or end != (row.head_seq, row.head_hash):
        raise BrokenHistoryError(f"{row.id}: its events do not follow from event {table.seq}")
    return events


class EventHistory(Sequence[Event]):
    """The events of a game, of which the first ones are read only when somebody asks for them."""

    def __init__(self, last: Iterable[Event], unread: int, read: Callable[[], Sequence[Event]]) -> None:
        self.last = list(last)
        """Those that are read."""
        self.unread = unread
        """How many come before them."""
        self._read = read

    def append(self, event: Event) -> None:
        """Add an event that has just happened."""
        self.last.append(event)

    def __len__(self) -> int:
        return self.unread + len(self.last)

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, place: int | slice) -> Event | tuple[Event, ...]:
        if isinstance(place, int):
            at = place + len(self) if place < 0 else place
            if not 0 <= at < len(self):
                raise IndexError(place)
            self._reach(at)
            return self.last[at - self.unread]
        start, stop, _ = place.indices(len(self))
        if start >= stop:
            return ()
        self._reach(start)
        return tuple(self.last[start - self.unread : stop - self.unread])

    def __iter__(self) -> Iterator[Event]:
        self._reach(0)
        return iter(self.last)

    def __reversed__(self) -> Iterator[Event]:
        yield from reversed(self.last)
        if before := self.unread:
            self._reach(0)
            yield from reversed(self.last[:before])

    def _reach(self, first: int) -> None:
        """See that the events from this place on are read."""
        if first < self.unread:
            self.last[:0] = self._read()[: self.unread]
            self.unread = 0


TREE: Final = "log of all games"


def log_opened(context: PostContext, transaction: Transaction, table: Table) -> None:
    """Log that a game was opened, with the commitments to its secrets."""
    proof: dict[str, object] = {secret: str(table.proof.get(secret, "")) for secret in ("seed", "blind")}
    _log(context, transaction, table, {"kind": "opened", **proof})


def log_ended(context: PostContext, transaction: Transaction, table: Table, row: GameRow) -> None:
    """Log how a game ended, and open its secrets."""
    ending: dict[str, object] = {
        "kind": table.stage,
        "result": table.result,
        "seed": row.seed.hex(),
        "blind": row.blind.hex(),
    }
    _log(context, transaction, table, ending)


def log_restored(context: PostContext, transaction: Transaction, table: Table) -> None:
    """Log that a game was restored from an older copy of the database."""
    _log(context, transaction, table, {"kind": "restored"})


def log_key(context: PostContext, transaction: Transaction, key: str, signature: str) -> None:
    """Log that the post signs with another key from now on. `signature` is the old key's, or empty."""
    _add_line(context, transaction, {"kind": "key", "key": key, "signature": signature})


def _log(context: PostContext, transaction: Transaction, table: Table, said: dict[str, object]) -> None:
    _add_line(context, transaction, {"game": table.id, "seq": table.seq, "head": table.head, **said})


def _add_line(context: PostContext, transaction: Transaction, said: dict[str, object]) -> None:
    line = canonical({"at": format_timestamp(context.now()), **said})
    transaction.add_log_line(line.decode())
    tree = read_tree(transaction.load_setting(TREE) or "").grow(line)
    transaction.save_setting(TREE, tree.write())
    if context.signer is not None:
        transaction.save_setting(CHECKPOINT, sign_tree(tree, context.signer).line)


def last_checkpoint(transaction: Transaction) -> Checkpoint | None:
    """The latest checkpoint, or None if the post does not sign."""
    return read_checkpoint(transaction.load_setting(CHECKPOINT) or "")
