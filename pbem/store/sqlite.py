"""Opening the database: settings that survive a power cut, read back and insisted on, and the schema of today.

A copy of a database: whole, looked at and on the disk before it has its name; or there is none.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, inspect, make_url, select, text, update
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from pbem.store.errors import StoreRefusedError, StoreUncopiedError
from pbem.store.schema import METADATA, SETTING, TALLY

SAFE: Final = {"journal_mode": "wal", "synchronous": "full", "foreign_keys": "on"}
"""What SQLite is told on every connection."""

_SAFE_ANSWERS: Final = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
"""What it must answer when asked afterwards."""

_WHY: Final = {
    "journal_mode": "the journal must be a write-ahead log; the disk may not support one",
    "synchronous": "every commit must be flushed to the disk, or a power cut loses letters that were acknowledged",
    "foreign_keys": "rows must not point to rows that are not there",
}

_ROOM_IN_LOG: Final = 4_000
"""Pages that the log may hold before they are copied into the database: fewer, larger copies of mails with pictures."""

_ROOM: Final = "its folder must be on a disk that can be written and has room, and let us write a log beside it"
_COPY: Final = "it was damaged, or something else lies in its place; put a copy there"
_REMEDIES: Final = {
    **dict.fromkeys((sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY), _ROOM),
    **dict.fromkeys((sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR), _ROOM),
    **dict.fromkeys((sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT), _COPY),
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED), "another process has it; try again when it is done"),
}
"""What helps, by what SQLite says is wrong."""

BEGIN: Final = "begin"
"""Where a connection says how its next transaction begins, if not by taking the pen at once."""


SQLITE: Final = "sqlite:///"


def file_of(url: str) -> Path | None:
    """The file that an address of a database names, to the letter: `?` and `%` are letters of a name like others."""
    return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None


def make_engine(url: str, patience: timedelta) -> Engine:
    """The engine for a database, whose every connection is made safe."""
    file = file_of(url)
    place = make_url(url) if file is None else URL.create("sqlite", database=str(file))
    engine = create_engine(place, poolclass=NullPool, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def make_safe(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        # The driver must not begin transactions by itself: it would take the pen too late, and meet another writer.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {int(patience.total_seconds() * 1_000)}")
        for name, value in SAFE.items():
            cursor.execute(f"PRAGMA {name} = {value}")
        cursor.execute(f"PRAGMA wal_autocheckpoint = {_ROOM_IN_LOG}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(connection.info.get(BEGIN, "BEGIN IMMEDIATE"))

    return engine


def check_settings(connection: Connection) -> None:
    """Read back what the database was told, and refuse to go on if it does otherwise."""
    for name, wanted in _SAFE_ANSWERS.items():
        found = connection.exec_driver_sql(f"PRAGMA {name}").scalar()
        if found != wanted:
            raise StoreRefusedError(f"SQLite has {name} = {found} instead of {wanted}: {_WHY[name]}")


def _lay_first_tables(connection: Connection) -> None:
    METADATA.create_all(connection)
    connection.execute(insert(TALLY), {"name": "received", "count": 0})
    connection.execute(insert(SETTING), {"key": "schema", "value": "0"})


STEPS: Final[tuple[Callable[[Connection], None], ...]] = (_lay_first_tables,)
"""How to come from each version of the schema to the next. Steps are added, never changed."""


def bring_up_to_date(connection: Connection, *, new: bool = False) -> None:
    """Take the steps that are missing, all or none of them. A database from a newer release is refused.

    So is an empty one, unless it is `new`: the first tables are laid when a post is founded, and never again.
    """
    with connection.begin():
        version = _version(connection)
        if not version and not new:
            raise StoreRefusedError(_empty(connection.engine.url.database))
        if version > len(STEPS):
            raise StoreRefusedError(
                f"the database has schema {version}, and this release knows schemas up to {len(STEPS)}; "
                "use the release that wrote it, or a newer one"
            )
        for step in STEPS[version:]:
            step(connection)
        if version < len(STEPS):
            connection.execute(update(SETTING).where(SETTING.c.key == "schema").values(value=str(len(STEPS))))


def _version(connection: Connection) -> int:
    names = inspect(connection).get_table_names()
    if "setting" not in names:
        if names:
            raise StoreRefusedError("the file is a database, but not one of a post office; name another file")
        return 0
    found = connection.execute(select(SETTING.c.value).where(SETTING.c.key == "schema")).scalar()
    return int(found) if found and found.isdigit() else 0


def connect(engine: Engine, *, new: bool = False) -> Connection:
    """The one connection, checked and up to date; or one sentence on why it cannot be had."""
    connection: Connection | None = None
    if new:
        make_private(engine.url.database)
    elif engine.url.database:
        look_at(Path(engine.url.database))
    try:
        connection = engine.connect()
        check_settings(connection)
        connection.rollback()
        bring_up_to_date(connection, new=new)
    except DBAPIError as reason:
        if connection is not None:
            connection.close()
        raise StoreRefusedError(f"{engine.url.database} cannot be opened: {_explain(reason.orig)}") from reason
    except StoreRefusedError:
        if connection is not None:
            connection.close()
        raise
    return connection


def _explain(problem: BaseException | None) -> str:
    code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return "; ".join(filter(None, (str(problem), _REMEDIES.get(code))))


def look_at(database: Path) -> None:
    """Refuse a database that is not there, or holds nothing; opening it would make one, and hide that it is lost."""
    try:
        if not database.stat().st_size:
            raise StoreRefusedError(_empty(database))
    except (FileNotFoundError, NotADirectoryError):
        raise StoreRefusedError(
            f"{database} is not there; is its disk mounted, and do the settings name the right folder? "
            "If it is lost, put a copy in its place"
        ) from None
    except OSError:
        pass  # opening it says why


def _empty(database: object) -> str:
    return f"{database} is empty: what the post knew is gone from it; put a copy in its place"


def make_private(name: str | Path | None) -> None:
    """A new file is for its owner only: it will hold addresses, and the secrets of games."""
    if name:
        with suppress(OSError):  # where it cannot be made, opening it says why
            Path(name).touch(mode=0o600, exist_ok=False)


def complaints(connection: Connection) -> list[str]:
    """What the database finds wrong with itself; nothing, if all is well. Reads all of it, so not at every start."""
    found = [f"integrity: {row[0]}" for row in connection.execute(text("PRAGMA integrity_check")) if row[0] != "ok"]
    found += [
        f"{row[0]} points to a row of {row[2]} that is missing"
        for row in connection.execute(text("PRAGMA foreign_key_check"))
    ]
    return found


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
