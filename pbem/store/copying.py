"""A copy of a database: whole, looked at and on the disk before it has its name; or there is none."""

import os
import sqlite3
from pathlib import Path
from typing import Final

from pbem.store.errors import StoreUncopiedError
from pbem.store.sqlite import make_private

_BESIDE: Final = ("", "-journal", "-wal", "-shm")
"""What SQLite may leave beside a database, and the database."""


def write_copy(database: sqlite3.Connection, path: Path) -> None:
    """Copy an open database to a new file, while others go on reading and writing."""
    unfinished = path.with_name(f"{path.name}.part")
    try:
        _remove(unfinished)  # left by a copy that was killed
        make_private(unfinished)
        if (wrong := _copy(database, unfinished)) != "ok":
            raise StoreUncopiedError(f"no copy was made, for the database is damaged: {wrong}; `pbem doctor` says more")
        _flush(unfinished)
        unfinished.rename(path)
        _flush(path.absolute().parent)
    except (OSError, sqlite3.Error) as reason:
        said = reason.strerror if isinstance(reason, OSError) else None
        raise StoreUncopiedError(f"no copy was made to {path}: {said or reason}") from reason
    finally:
        _remove(unfinished)


def _copy(database: sqlite3.Connection, path: Path) -> str:
    """Write the pages, and read them again; the first thing that is wrong with them, or ok."""
    copy = sqlite3.connect(path)
    try:
        database.backup(copy)
        return " ".join(str(copy.execute("PRAGMA quick_check(1)").fetchone()[0]).split())
    finally:
        copy.close()


def _remove(path: Path) -> None:
    for end in _BESIDE:
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)


def _flush(path: Path) -> None:
    place = os.open(path, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)
