"""Copies of an SQLite file: made while others go on writing, looked into without leaving anything beside them."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from pbem.store.errors import StoreRefusedError, StoreUncopiedError
from pbem.store.rows import Extent
from pbem.store.sqlite_connection import create_private

EXTENT: Final = """
    SELECT (SELECT count FROM tally WHERE name = 'received'), (SELECT coalesce(sum(head_seq), 0) FROM game),
        (SELECT coalesce(max(id), 0) FROM outbox), (SELECT coalesce(max(number), 0) FROM log)"""
"""How far a database has come, in SQL that all databases understand."""

_SUFFIXES: Final = ("", "-journal", "-wal", "-shm")
"""The database, and what SQLite may leave beside it."""


def connect_to_copy(path: Path) -> sqlite3.Connection:
    """A connection that only reads a database which may be a copy, and leaves nothing beside it."""
    # Without a log beside it nobody writes it, and SQLite need not make files there to be sure of that.
    alone = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro{alone}", uri=True)


def write_copy(database: sqlite3.Connection, path: Path) -> None:
    """Copy an open database to a new file while others go on reading and writing.

    The copy gets its name when it is complete, was checked and is on the disk; otherwise nothing is left behind.
    """
    unfinished = path.with_name(f"{path.name}.part")
    try:
        _remove(unfinished)  # left by a copy that was killed
        create_private(str(unfinished))
        if (wrong := _copy(database, unfinished)) != "ok":
            raise StoreUncopiedError(f"no copy was made: the database is damaged: {wrong}; `pbem doctor` says more")
        _flush(unfinished)
        unfinished.rename(path)
        _flush(path.absolute().parent)
    except (OSError, sqlite3.Error) as reason:
        detail = reason.strerror if isinstance(reason, OSError) else None
        raise StoreUncopiedError(f"no copy was made to {path}: {detail or reason}") from reason
    finally:
        _remove(unfinished)


def _copy(database: sqlite3.Connection, path: Path) -> str:
    """Write the pages and read them again; the first thing that is wrong with them, or `ok`."""
    copy = sqlite3.connect(path)
    try:
        database.backup(copy)
        return " ".join(str(copy.execute("PRAGMA quick_check(1)").fetchone()[0]).split())
    finally:
        copy.close()


def _remove(path: Path) -> None:
    for suffix in _SUFFIXES:
        path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)


def _flush(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def peek_extent(path: Path) -> Extent | None:
    """How far the database in a file has come, without changing anything there; None if it cannot be read."""
    try:
        with closing(connect_to_copy(path)) as connection:
            found = connection.execute(EXTENT).fetchone()
            return Extent(*map(int, found))
    except (sqlite3.Error, TypeError, ValueError):
        return None


def copy_database(source: Path, target: Path) -> None:
    """Copy a database that is not in use to a new file, checked and whole; its log beside it is copied too."""
    try:
        with closing(connect_to_copy(source)) as connection:
            write_copy(connection, target)
    except sqlite3.Error as reason:
        raise StoreRefusedError(f"{source} cannot be read: {reason}") from reason
