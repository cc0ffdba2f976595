"""The annals of a game: its events out of the store, and only if each holds on to the one before, up to the head.

Whoever works on a history that somebody has touched would sign what never happened. So it is not given out at all.

The log of all games: a line when one is opened and a line when it ends, whatever became of it.

The log is a tree whose root, signed, goes out with every mail; so no game can be made to have never been. The line of
an ending opens the secrets of the game.
"""

from typing import Final

from engine.digest import canonical
from pbem.events.chain import Event, first_broken
from pbem.proof.public_log import Checkpoint, read_checkpoint, read_tree, sign_tree
from pbem.store.rows import GameRow
from pbem.store.store import Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.table import Table
from pbem.workflow.context import PostContext, event_from_row, format_timestamp


def read_events(transaction: Transaction, game: str) -> tuple[Event, ...]:
    """All events of a game in order, none without such a game; BrokenHistoryError if they are not what happened."""
    row = transaction.find_game(game)
    if row is None:
        return ()
    try:
        events = tuple(map(event_from_row, transaction.load_events(game)))
        broken = first_broken(events)
    except (AttributeError, TypeError, ValueError, RecursionError):
        raise BrokenHistoryError(f"{game}: an event cannot be read") from None
    if broken is not None:
        raise BrokenHistoryError(f"{game}: event {broken} does not fit the chain")
    if (events[-1].seq, events[-1].hash) != (row.head_seq, row.head_hash) if events else row.head_seq:
        raise BrokenHistoryError(f"{game}: its last events are gone, up to event {row.head_seq}")
    return events


TREE: Final = "log of all games"
CHECKPOINT: Final = "checkpoint"


def log_opened(context: PostContext, transaction: Transaction, table: Table) -> None:
    """Write down that a game was opened, with the commitments to its secrets."""
    proof = {"seed": table.proof.get("seed", ""), "blind": table.proof.get("blind", "")}
    _log(context, transaction, table, {"kind": "opened", **proof})


def log_ended(context: PostContext, transaction: Transaction, table: Table, row: GameRow) -> None:
    """Write down how a game ended, and open its secrets."""
    ending = {"kind": table.stage, "result": table.result, "seed": row.seed.hex(), "blind": row.blind.hex()}
    _log(context, transaction, table, ending)


def _log(context: PostContext, transaction: Transaction, table: Table, said: dict[str, str]) -> None:
    line = canonical(
        {"at": format_timestamp(context.now()), "game": table.id, "seq": table.seq, "head": table.head, **said}
    )
    transaction.add_log_line(line.decode())
    tree = read_tree(transaction.load_setting(TREE) or "").grow(line)
    transaction.save_setting(TREE, tree.write())
    if context.signer is not None:
        transaction.save_setting(CHECKPOINT, sign_tree(tree, context.signer).line)


def last_checkpoint(transaction: Transaction) -> Checkpoint | None:
    """The last checkpoint; None at a post that cannot sign."""
    return read_checkpoint(transaction.load_setting(CHECKPOINT) or "")
