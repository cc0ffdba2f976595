"""Snapshots of tables, so that a letter costs the same late in a game as early, also when no table is in memory.

A snapshot spares folding the events before it, and reading them. It is a shortcut for letters and clocks alone: who
proves or checks something (records, `pbem doctor`, `pbem verify`, cases) folds all events. It is used only if its seal
is ours, it was made by the same code, and the events behind it go on from its head; else all events are folded.

It is pickled, and unpickling can run whatever a file says. So it is sealed with a key that is not in the database, and
looked at before it is unpickled; and even then nothing is made but values of our rules and tables.
"""

import base64
import hashlib
import hmac
import io
import pickle
import sys
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

from isal import isal_zlib

from engine.game import GameRules
from engine.registry import find_game
from pbem.store.rows import GameRow
from pbem.store.store import Transaction
from pbem.tables.fold import BrokenHistoryError, apply_event, fold
from pbem.tables.table import PLAYING, Table
from pbem.workflow.context import CachedTable, PostContext
from pbem.workflow.history import read_events, read_events_after

EVERY: Final = 96
"""So many events are between two snapshots of a game. Folding as many takes a few milliseconds."""
_NAME: Final = "snapshot of "
_QUICK: Final = 1
_PLAIN: Final = frozenset({date, datetime, timedelta})
"""What tables are made of beside classes of ours."""
_PACKAGES: Final = ("engine", "notation", "pbem.events", "pbem.tables", "pbem.proof", "pbem.judging")
"""Whose classes may be in a snapshot, beside those of the game."""


def load_table(context: PostContext, transaction: Transaction, row: GameRow) -> CachedTable:
    """The table of a game: from its last snapshot and the events since, or else from all of them."""
    found = _find(context, transaction, row)
    if found is not None:
        return found
    events = read_events(transaction, row.id)
    return CachedTable(fold(events), events)


def _find(context: PostContext, transaction: Transaction, row: GameRow) -> CachedTable | None:
    kept = transaction.load_setting(f"{_NAME}{row.id}")
    table = _open(context, row.id, kept) if kept else None
    if table is None:
        return None
    try:
        events = read_events_after(transaction, row, table)
        after = table
        for event in events:
            after = apply_event(after, event)
    except BrokenHistoryError:
        return None  # all events together say what is wrong
    return CachedTable(after, events, unread=table.seq, snapshot=table.seq, begun=table)


def renew_snapshot(
    context: PostContext, transaction: Transaction, table: Table, *, last: int, anew: bool = False
) -> int:
    """Keep a snapshot if the last one, made or tried at the event `last`, is old; the number for the next time."""
    if table.stage != PLAYING:
        if last or anew:
            _drop_snapshot(transaction, table.id)
        return 0
    if table.seq - last < EVERY:
        return last
    try:
        kept = _seal(context, table)
        comes_back = _open(context, table.id, kept) == table
    except (pickle.PickleError, AttributeError, TypeError):
        comes_back = False
    if comes_back:
        transaction.save_setting(f"{_NAME}{table.id}", kept)
    return table.seq  # a guest's game whose positions do not come back as they were has no snapshots


def drop_table(context: PostContext, transaction: Transaction, game: str) -> None:
    """Keep no table of a game, neither in memory nor in a snapshot: what stands beside its events was changed."""
    context.table_cache.drop(game)
    _drop_snapshot(transaction, game)


def _drop_snapshot(transaction: Transaction, game: str) -> None:
    transaction.drop_setting(f"{_NAME}{game}")


def _seal(context: PostContext, table: Table) -> str:
    """A table as text, with what it must fit and the seal."""
    written = io.BytesIO()
    writer = _Writer(written, table.game)
    writer.dump({name: value for name, value in vars(table).items() if name in Table.__dataclass_fields__})
    game = table.game
    packed = base64.b64encode(isal_zlib.compress(written.getvalue(), _QUICK)).decode()
    body = f"{_describe_code(_package_of(game))} {game.key} {game.edition} {packed}"
    return f"{_mac(context, table.id, body)} {body}"


def _open(context: PostContext, game: str, kept: str) -> Table | None:
    """The table in a snapshot; None if it is not one that we sealed, with this code, of this game."""
    seal, _, body = kept.partition(" ")
    if not hmac.compare_digest(seal.encode(), _mac(context, game, body).encode()):
        return None
    code, key, edition, packed = body.split(" ")
    rules = find_game(key, edition)
    if rules is None or code != _describe_code(_package_of(rules)):
        return None
    fields = _Reader(io.BytesIO(isal_zlib.decompress(base64.b64decode(packed))), rules).load()
    table = Table(**fields)
    return table if table.id == game else None


def _mac(context: PostContext, game: str, body: str) -> str:
    key = hmac.digest(context.identity.ticket_key, b"caravan-post/snapshot", "sha256")
    return hmac.digest(key, f"{game}\0{body}".encode(), "sha256").hex()


class _Writer(pickle.Pickler):
    """Writes a table without its rules, which are code."""

    def __init__(self, file: io.BytesIO, game: GameRules) -> None:
        super().__init__(file, protocol=5)
        self._game = game

    def persistent_id(self, obj: Any) -> str | None:
        return "rules" if obj is self._game else None


class _Reader(pickle.Unpickler):
    """Reads a table, and makes nothing but values of our classes and those of the game."""

    def __init__(self, file: io.BytesIO, game: GameRules) -> None:
        super().__init__(file)
        self._game = game

    def persistent_load(self, pid: Any) -> GameRules:
        return self._game

    def find_class(self, module_name: str, global_name: str) -> Any:
        found = super().find_class(module_name, global_name)
        rules = ("engine", _package_of(self._game))  # some of their values are found by a function, each only once
        ours = _is_in(module_name, rules) or (isinstance(found, type) and _is_in(module_name, _PACKAGES))
        if (ours and found.__module__ == module_name) or found in _PLAIN:
            return found
        raise pickle.UnpicklingError(f"{module_name}.{global_name} is no part of a table")


def _is_in(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == each or module.startswith(f"{each}.") for each in packages)


@cache
def _describe_code(package: str) -> str:
    """What changes with the code that makes tables of a package's games: a snapshot of other code is not believed."""
    digest = hashlib.sha256(sys.version.encode())
    for each in dict.fromkeys((*_PACKAGES, package)):
        for path, source in _sources(each, resources.files(each)):
            digest.update(f"{path}\0".encode() + source)
    return digest.hexdigest()


def _package_of(game: GameRules) -> str:
    """The package that a game comes from."""
    return type(game).__module__.partition(".")[0]


def _sources(path: str, folder: Traversable) -> Iterator[tuple[str, bytes]]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            yield from _sources(f"{path}/{each.name}", each)
        elif each.name.endswith((".py", ".lark")):
            yield f"{path}/{each.name}", each.read_bytes()
