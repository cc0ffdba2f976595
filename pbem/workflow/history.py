"""Events read from the store, and the public log of all games.

Events are given out only if the whole chain is intact, up to the head that the game's row names. Otherwise we might
sign something that never happened.

The public log gets a line when a game is opened and one when it ends, and when a game is restored or the post takes
another key. It is a Merkle tree whose signed root goes out
with every mail, so that no game can be made to disappear. The line for the end opens the secrets of the game.
"""

from typing import Final

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
