"""SQLite: opening a database with settings that survive a power cut, and migrating its schema.

The settings are read back after they are set, and a database that does otherwise is refused. Paths are plain strings
and the schema is loaded only when one must be created: `pbem deliver` opens a database for every letter.
"""

import os
import sqlite3
from collections.abc import Callable
from typing import Final

from pbem.store.errors import StoreRefusedError
from pbem.store.left import is_moving, refuse_left
from pbem.store.sqlite_connection import SAFE, SqliteConnection, create_private

SQLITE: Final = "sqlite:///"

_SAFE_ANSWERS: Final = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
"""What it must answer when asked afterwards."""

_WHY: Final = {
    "journal_mode": "the journal must be a write-ahead log; the disk may not support one",
    "synchronous": "every commit must be flushed to the disk, or a power cut loses letters that were acknowledged",
    "foreign_keys": "rows must not point to rows that are not there",
    "secure_delete": "what was deleted must be gone from the file",
}

_CHECKPOINT_PAGES: Final = 4_000
"""Pages in the log before they are copied into the database: fewer, larger copies of mails with pictures."""

_DISK: Final = "its folder must be on a disk that can be written and has room, and let us write a log beside it"
_UNWRITABLE: Final = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR})
_DAMAGED: Final = "it is damaged, or something else is in its place; put a backup there"
_REMEDIES: Final = {
    **dict.fromkeys((sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY), _DISK),
    **dict.fromkeys((sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR), _DISK),
    **dict.fromkeys((sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT), _DAMAGED),
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED), "another process has it; try again when it is done"),
}
"""What helps, by SQLite's error code."""


def database_path(url: str) -> str:
    """The file that a database URL names, taken literally: `?` and `%` are characters like others."""
    if not url.startswith(SQLITE):
        raise StoreRefusedError(f"{url} is not an SQLite file; write {SQLITE}FILE")
    return url.removeprefix(SQLITE)


def connect(
    url: str, timeout: float, *, new: bool = False, reads: bool = False, moving: bool = False
) -> SqliteConnection:
    """A connection, checked and with the schema of today; or one sentence that says why there is none.

    If it is only for reading (`reads`), the disk need not be one that can be written.
    """
    path = database_path(url)
    if new:
        create_private(path)
    else:
        check_present(path)
    connection: SqliteConnection | None = None
    try:
        connection = _connect_safely(path, timeout, new=new)
        _check_settings(connection)
        if not moving or not _was_moved(connection):
            migrate(connection, path, new=new)
        connection.note_file(path)
    except BaseException as reason:
        if connection is not None:
            connection.close()
        if reads and isinstance(reason, sqlite3.Error) and _code_of(reason) in _UNWRITABLE:
            return _connect_to_read(path, timeout)
        if isinstance(reason, sqlite3.Error | UnicodeDecodeError):
            raise StoreRefusedError(f"{path} cannot be opened: {_explain(reason)}") from reason
        raise
    return connection


def _connect_to_read(path: str, timeout: float) -> SqliteConnection:
    """A connection to a database that cannot be written, or not by us."""
    from urllib.parse import quote

    # SQLite needs to write beside a database with a log. Without one nothing can change, and it can be told so.
    how = "mode=ro" if _size(f"{path}-wal") else "immutable=1"
    connection = sqlite3.connect(
        *(f"file:{quote(path)}?{how}", timeout),
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        factory=SqliteConnection,
    )
    try:
        connection.execute("PRAGMA query_only = ON")
        if not _is_current(connection, path, new=False):
            raise StoreRefusedError(f"{path} was left by an older release and cannot be written; copy it where it can")
        connection.note_file(path)
    except BaseException as reason:
        connection.close()
        if isinstance(reason, sqlite3.Error):
            why = _explain(reason)
            if how == "mode=ro" and os.path.isfile(f"{path}-wal"):  # noqa: PTH113 - pathlib takes longer to load
                why = "it has a log that must be put into it first; copy the folder to a disk that can be written"
            raise StoreRefusedError(f"{path} cannot be read here: {why}") from reason
        raise
    return connection


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116 - pathlib takes longer to load than this takes to run
    except OSError:
        return 0


def _connect_safely(path: str, timeout: float, *, new: bool) -> SqliteConnection:
    # Without an isolation level the driver begins no transactions by itself: it would take the write lock too late.
    connection = sqlite3.connect(
        path, timeout=timeout, isolation_level=None, check_same_thread=False, factory=SqliteConnection
    )
    try:
        if new:  # it must be said before anything else, and does nothing to a file that has tables
            connection.execute("PRAGMA auto_vacuum = incremental")
        for name, value in SAFE.items():
            connection.execute(f"PRAGMA {name} = {value}")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    except BaseException:
        connection.close()
        raise
    return connection


def _check_settings(connection: sqlite3.Connection) -> None:
    """Read the settings back, and refuse a database that has others."""
    for name, wanted in _SAFE_ANSWERS.items():
        (found,) = connection.execute(f"PRAGMA {name}").fetchone()
        if found != wanted:
            raise StoreRefusedError(f"SQLite has {name} = {found} instead of {wanted}: {_WHY[name]}")


def _create_tables(connection: sqlite3.Connection) -> None:
    from pbem.store.schema import create_statements

    for statement in create_statements():
        connection.execute(statement)
    connection.execute("INSERT INTO tally (name, count) VALUES ('received', 0)")
    connection.execute("INSERT INTO setting (key, value) VALUES ('schema', '0')")


def _tell_letters_apart_by_recipient(connection: sqlite3.Connection) -> None:
    if any(column[1] == "recipient" for column in connection.execute("PRAGMA table_info(inbox)")):
        return  # a new database has it from the beginning
    from pbem.store.migrations import tell_letters_apart_by_recipient

    tell_letters_apart_by_recipient(connection)


def _note_writers(connection: sqlite3.Connection) -> None:
    """Letters get a note of whose they are, so that genuine ones are found among any number of others."""
    if "writer" not in [column for _, column, *_ in connection.execute("PRAGMA table_info(inbox)")]:
        connection.execute("ALTER TABLE inbox ADD COLUMN writer TEXT")
    for name, found in {"inbox_not_looked_at": "writer IS NULL", "inbox_genuine": "writer <> ''"}.items():
        connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON inbox (id) WHERE state = 'received' AND {found}")


def _add_told_texts(connection: sqlite3.Connection) -> None:
    """Room beside events for the names and words that games of the second form seal."""
    columns = [name for _, name, *_ in connection.execute("PRAGMA table_info(event)")]
    if "told" not in columns:  # a new database has today's tables from the start
        connection.execute("ALTER TABLE event ADD COLUMN told TEXT DEFAULT '' NOT NULL")


GENERATION: Final = "generation"
"""The setting that names this run of history: it is drawn anew when the database is put back to an older copy."""


def _name_generation(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT OR IGNORE INTO setting (key, value) VALUES (?, ?)", (GENERATION, new_generation()))


def new_generation() -> str:
    """A name for a run of history that no other has."""
    return os.urandom(16).hex()


def _make_people_of_seats(connection: sqlite3.Connection) -> None:
    from pbem.store.migrations import make_people_of_seats

    make_people_of_seats(connection)


def _keep_standings(connection: sqlite3.Connection) -> None:
    from pbem.store.migrations import keep_standings

    keep_standings(connection)


def _keep_digests(connection: sqlite3.Connection) -> None:
    from pbem.store.migrations import keep_digests

    keep_digests(connection)


def _count_answers(connection: sqlite3.Connection) -> None:
    from pbem.store.migrations import count_answers

    count_answers(connection)


def _make_room_for_packs(connection: sqlite3.Connection) -> None:
    from pbem.store.migrations import make_room_for_packs

    make_room_for_packs(connection)


def _give_letters_lanes(connection: sqlite3.Connection) -> None:
    from pbem.store.migrations import give_letters_lanes

    give_letters_lanes(connection)


MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], object], ...]] = (
    _create_tables,
    _tell_letters_apart_by_recipient,
    _note_writers,
    _add_told_texts,
    _name_generation,
    _make_people_of_seats,
    _keep_standings,
    _keep_digests,
    _count_answers,
    _make_room_for_packs,
    _give_letters_lanes,
)
"""How to get from each version of the schema to the next. Migrations are added and never changed."""


def _was_moved(connection: sqlite3.Connection) -> bool:
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE name = 'setting'")]
    found = connection.execute("SELECT value FROM setting WHERE key = 'schema'").fetchone() if names else None
    return found is not None and is_moving(found[0])


def migrate(connection: sqlite3.Connection, path: str, *, new: bool = False) -> None:
    """Run the migrations that are missing, all or none. A database of a newer release is refused.

    So is an empty one unless it is `new`: tables are created when a post is founded, and never again.
    """
    if _is_current(connection, path, new=new):
        return
    # A table that others point to is built anew by some migrations. The rows keep their numbers.
    connection.execute("PRAGMA foreign_keys = off")
    try:
        _run_migrations(connection, path, new=new)
    finally:
        connection.execute(f"PRAGMA foreign_keys = {SAFE['foreign_keys']}")


def _run_migrations(connection: sqlite3.Connection, path: str, *, new: bool) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _is_current(connection, path, new=new):  # another process may have been faster
            for migration in MIGRATIONS[_version(connection, path) :]:
                migration(connection)
            connection.execute("UPDATE setting SET value = ? WHERE key = 'schema'", (str(len(MIGRATIONS)),))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _is_current(connection: sqlite3.Connection, path: str, *, new: bool) -> bool:
    """Whether no migration is missing; a database that must not be opened is refused."""
    version = _version(connection, path)
    if not version and not new:
        raise StoreRefusedError(_empty(path))
    if version > len(MIGRATIONS):
        raise StoreRefusedError(
            f"the database has schema {version}, and this release knows schemas up to {len(MIGRATIONS)}; "
            "use the release that wrote it, or a newer one"
        )
    return version == len(MIGRATIONS)


def _version(connection: sqlite3.Connection, path: str) -> int:
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    if "setting" not in names:
        if names:
            raise StoreRefusedError("the file is a database, but not one of a post; name another file")
        return 0
    found = connection.execute("SELECT value FROM setting WHERE key = 'schema'").fetchone()
    if found:
        refuse_left(str(found[0]), path)
    return int(found[0]) if found and found[0].isdigit() else 0


def _explain(problem: sqlite3.Error | UnicodeDecodeError) -> str:
    if isinstance(problem, UnicodeDecodeError):
        return _DAMAGED
    return "; ".join(filter(None, (str(problem), _REMEDIES.get(_code_of(problem)))))


def _code_of(problem: sqlite3.Error) -> int:
    return int(getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF


def check_present(path: str) -> None:
    """Refuse a database that is missing or empty: opening it would create a new one and hide that it is lost."""
    try:
        if not os.stat(path).st_size:  # noqa: PTH116 - pathlib takes longer to load than this takes to run
            raise StoreRefusedError(_empty(path))
    except (FileNotFoundError, NotADirectoryError):
        raise StoreRefusedError(
            f"{path} is not there; is its disk mounted, and do the settings name the right folder? "
            "If it is lost, put a backup in its place"
        ) from None
    except OSError:
        pass  # opening it says why


def _empty(path: str) -> str:
    return f"{path} is empty: everything the post knew is gone from it; put a backup in its place"
