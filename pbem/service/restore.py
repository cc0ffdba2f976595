"""Putting the database back to a copy, and letting an older database stand.

Everything is made ready in a new file beside the database: the copy, checked, with a new generation and a new epoch in
every game that goes on. Only then the files change places. The database that was there is kept under another name.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from pbem.service.folder_checks import BAD, check_store
from pbem.service.history_checks import Tell, tell_nobody
from pbem.service.lock import take_lock
from pbem.service.post_folder import open_post, open_store
from pbem.service.water_mark import WaterMark, write_mark
from pbem.settings.delivery import SQLITE
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.store.rows import Extent
from pbem.store.sqlite import GENERATION, new_generation
from pbem.store.sqlite_copy import copy_database, peek_extent
from pbem.store.store import Transaction
from pbem.tables.table import INVITING, PLAYING
from pbem.workflow.context import PostContext
from pbem.workflow.rollback import accept_rollback, restore_game
from pbem.workflow.session import GameSession

RESTORE: Final = "restore"
_BESIDE: Final = ("", "-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore has done, or would do."""

    extent: Extent
    """How far the copy had come."""
    newest: str
    """When the last event in the copy happened; empty if there is none."""
    games: int
    live: tuple[str, ...]
    """The games that go on, each in a new epoch."""
    before: Extent | None
    """How far the database had come that was there; None if it is missing or cannot be read."""
    kept: Path | None = None
    """Where that one is now."""

    @property
    def lost(self) -> Extent | None:
        """What the database that was there has more than the copy."""
        if self.before is None:
            return None
        return Extent(*(max(0, now - then) for now, then in zip(self.before, self.extent, strict=True)))


def rehearse(settings: Settings, file: Path, tell: Tell = tell_nobody) -> Restored:
    """Try to restore a copy in a scratch folder. Nothing of the post is touched."""
    with tempfile.TemporaryDirectory(prefix="pbem-rehearsal-") as folder:
        return _prepare(settings, file, Path(folder) / "post.db", tell)


def restore(settings: Settings, file: Path, now: datetime, tell: Tell = tell_nobody) -> Restored:
    """Put a copy in the place of the database, which must not be in use."""
    refuse_on_server(settings)
    database = settings.database
    fresh = database.with_name(f"{database.name}.restoring")
    with take_lock(settings, RESTORE, may_be_missing=True):
        try:
            done = _prepare(settings, file, fresh, tell)
            kept = _put_aside(database, now)
            fresh.rename(database)
            _flush(database.parent)
        finally:
            for suffix in _BESIDE:
                fresh.with_name(fresh.name + suffix).unlink(missing_ok=True)
        _note_mark(settings)
    return replace(done, kept=kept)


def refuse_on_server(settings: Settings) -> None:
    """A database on a server has no file that a copy could take the place of."""
    if settings.store.is_on_server:
        raise StoreRefusedError(
            "the post is on a server. Restore the copy in a folder of its own, with an SQLite url in its settings, and "
            "bring it to an empty database with `pbem move --to URL`; what the server's own tools restored stands "
            "after `pbem restore --accept --all`"
        )


def _prepare(settings: Settings, file: Path, fresh: Path, tell: Tell) -> Restored:
    """A copy of the copy, checked, and ready to be put in place."""
    for suffix in _BESIDE:
        fresh.with_name(fresh.name + suffix).unlink(missing_ok=True)
    copy_database(file, fresh)
    there = replace(settings, store=replace(settings.store, url=SQLITE + fresh.absolute().as_posix()))
    with open_store(there) as store:
        wrong = [found.text for found in check_store(store, there, tell=tell) if found.state == BAD]
        if wrong:
            more = f"; and {len(wrong) - 1} more" if len(wrong) > 1 else ""
            raise StoreRefusedError(f"{file} cannot be restored: {wrong[0]}{more}")
        with store.transaction() as transaction:
            extent, newest, games = transaction.extent(), transaction.newest_event(), len(transaction.games())
            _begin_generation(transaction)
    with open_post(there, even_older=True) as context:
        live = tuple(_open_epochs(context))
    return Restored(extent, newest, games, live, peek_extent(settings.database))


def _begin_generation(transaction: Transaction) -> None:
    """From here on this is a run of history of its own, and what was lost before is known."""
    transaction.save_setting(GENERATION, new_generation())
    transaction.forget_lost_tables()


def _open_epochs(context: PostContext) -> Iterator[str]:
    """Let every game that goes on do so in a new epoch, and tell its players."""
    with context.store.reading() as transaction:
        games = [row.id for row in transaction.games() if row.stage in (INVITING, PLAYING)]
    for game in games:
        with _session(context, game) as session:
            restore_game(session)
        yield game


def accept(settings: Settings, table: str | None, *, everything: bool = False) -> tuple[str, ...]:
    """Let the shorter history of a held table stand, or of all tables; those in which something changed.

    With `everything` the database as it is now becomes the one that counts, although it is older than it was.
    """
    with take_lock(settings, RESTORE):
        if everything:
            with open_store(settings) as store, store.transaction() as transaction:
                _begin_generation(transaction)
        with open_post(settings, even_older=True) as context:
            if everything:
                done = tuple(_open_epochs(context))
            else:
                with _session(context, table or "") as session:
                    done = (session.row.id,) if accept_rollback(session) else ()
        if everything:
            _note_mark(settings)
    return done


@contextmanager
def _session(context: PostContext, game: str) -> Iterator[GameSession]:
    with context.store.transaction() as transaction:
        row = transaction.find_game(game)
        if row is None:
            raise StoreRefusedError(f"there is no table {game}; `pbem status` lists them")
        yield GameSession(context, transaction, row)


def _put_aside(database: Path, now: datetime) -> Path | None:
    """Give the database that is there another name, with everything that SQLite has beside it."""
    if not database.exists():
        return None
    stamp, number = f"{now:%Y%m%dT%H%M%SZ}", 1
    kept = database.with_name(f"{database.name}.replaced-{stamp}")
    while kept.exists():
        number += 1
        kept = database.with_name(f"{database.name}.replaced-{stamp}-{number}")
    for suffix in reversed(_BESIDE):
        part = database.with_name(database.name + suffix)
        if part.exists():
            part.rename(kept.with_name(kept.name + suffix))
    return kept


def _note_mark(settings: Settings) -> None:
    """From here on, this database is the newest one."""
    with open_store(settings) as store, store.reading() as transaction:
        write_mark(settings, WaterMark(transaction.generation, transaction.extent()))


def _flush(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
