"""An SQLite connection as `Database` and the queries use it: transactions, errors, and what only SQLite can tell.

The file that it was opened with is watched: into one that was replaced nothing may be written.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from pbem.store.errors import StoreBusyError, StoreConflictError, StoreDamagedError, StoreFailedError
from pbem.store.queries import Purpose, Row

if TYPE_CHECKING:
    from pathlib import Path

SAFE: Final = {"journal_mode": "wal", "synchronous": "full", "foreign_keys": "on", "secure_delete": "on"}
"""What SQLite is told on every connection."""

_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_BUGS: Final = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_MISMATCH})
_DAMAGE: Final = ("no such table", "no such column", "Could not decode")
"""How messages begin that name a fault of the file, where the code of the error would call it ours."""
_INCREMENTAL: Final = 2
"""SQLite's word for a file that gives room back when it is told to."""
_ROOM: Final = """
    SELECT (SELECT sum(length(raw)) FROM inbox_bytes), (SELECT sum(length(raw)) FROM outbox_bytes),
        (SELECT sum(length(content)) FROM outbox_shared), (SELECT sum(length(packed)) FROM pack),
        (SELECT sum(length(CAST(data AS BLOB)) + length(hash) + length(prev) + length(sealed) + length(commitments)
            + length(CAST(told AS BLOB))) FROM event)"""
_SIZE: Final = """
    SELECT page_count * page_size, freelist_count * page_size, auto_vacuum
    FROM pragma_page_count, pragma_page_size, pragma_freelist_count, pragma_auto_vacuum"""


def _identify(path: str) -> tuple[int, int] | None:
    """Which file a path names now; None if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - pathlib takes longer to load than this takes to run
    except OSError:
        return None
    return found.st_dev, found.st_ino


def create_private(path: str) -> None:
    """Create a file for its owner only: it will hold addresses and the secrets of games."""
    with suppress(OSError):  # if it cannot be created, opening it says why
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


class SqliteConnection(sqlite3.Connection):
    """One connection to a file; `sqlite.connect` makes it."""

    failures = (sqlite3.Error,)
    _path = ""
    _file: tuple[int, int] | None = None
    _reads_alone = False

    def note_file(self, path: str) -> None:
        """Watch this file from now on."""
        self._path, self._file = path, _identify(path)
        self._reads_alone = bool(self.execute("PRAGMA query_only").fetchone()[0])

    @property
    def only_reads(self) -> bool:
        """Whether the disk cannot be written."""
        return self._reads_alone

    def stream(self, statement: str, /) -> Iterator[Row]:
        """The rows of a result, one after the other."""
        yield from self.execute(statement)

    def last_number(self, table: str, column: str) -> int:
        """The last number that was given to a row."""
        found = self.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
        (most,) = self.execute(f"SELECT coalesce(max({column}), 0) FROM {table}").fetchone()  # noqa: S608 - our own names
        return max(int(found[0]) if found else 0, int(most))

    def set_last_number(self, table: str, column: str, number: int) -> None:
        """Go on after this number."""
        self.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        self.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, number))

    def begin(self, purpose: Purpose) -> None:
        """Begin; a writer takes the write lock at once, so that it cannot fail halfway for want of it."""
        if purpose == "claim":
            self.execute("PRAGMA synchronous = normal")
        self.execute("BEGIN" if purpose == "read" else "BEGIN IMMEDIATE")
        if purpose == "read":
            self.execute("PRAGMA query_only = ON")

    def end(self, purpose: Purpose, *, done: bool) -> None:
        """Commit, or undo what SQLite has not undone by itself."""
        if done:
            self.execute("COMMIT")
        elif self.in_transaction:
            self.execute("ROLLBACK")

    def settle(self, purpose: Purpose) -> None:
        """Put the settings of the connection back as they were."""
        if purpose == "claim":
            self.execute(f"PRAGMA synchronous = {SAFE['synchronous']}")
        elif purpose == "read":
            self.execute(f"PRAGMA query_only = {int(self._reads_alone)}")

    def explain(self, reason: Exception, *, reading: bool) -> Exception:
        """Busy may pass, a contradiction or bad statement is a bug, and everything else ends this store."""
        if isinstance(reason, sqlite3.IntegrityError):
            return StoreConflictError(str(reason))
        if str(reason).startswith(_DAMAGE):
            return StoreDamagedError(str(reason).partition(" with text")[0])
        code = getattr(reason, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _BUSY:
            return StoreBusyError(f"another process keeps writing: {reason}")
        if code in _BUGS or (reading and code == sqlite3.SQLITE_READONLY):
            return reason
        return StoreFailedError(f"the disk failed, so nothing more is written: {reason}")

    def find_replaced(self) -> str | None:
        """The file must be the one that was opened."""
        if (found := _identify(self._path)) == self._file:
            return None
        how = "is gone" if found is None else "was replaced by another file"
        return (
            f"{self._path} {how} while it was in use, so nothing more is written; stop the post before you put "
            "a copy back, and use `pbem restore`"
        )

    def defer_references(self) -> None:
        """Let rows point to nothing until this transaction ends."""
        self.execute("PRAGMA defer_foreign_keys = on")

    def measure(self) -> tuple[tuple[int, ...], tuple[int, int, bool]]:
        """Bytes of letters, mails, pictures, packs and events; and of the file."""
        return tuple(int(size or 0) for size in self.execute(_ROOM).fetchone()), self.size()

    def size(self) -> tuple[int, int, bool]:
        """Bytes of the file and of its free pages, and whether it can give those back."""
        file, free, mode = self.execute(_SIZE).fetchone()
        return int(file), int(free), mode == _INCREMENTAL

    def find_misshapen(self) -> Iterator[str]:
        """Tables, columns and values that we never write."""
        from pbem.store.misshapen import find_misshapen  # loads what only the schema needs

        return find_misshapen(self)

    def find_damage(self) -> list[str]:
        """What SQLite finds wrong with the database. Reads all of it, so it does not run at every start."""
        found = [f"integrity: {row[0]}" for row in self.execute("PRAGMA integrity_check") if row[0] != "ok"]
        found += [
            f"{row[0]} points to a row of {row[2]} that is missing" for row in self.execute("PRAGMA foreign_key_check")
        ]
        return found

    def say_safety(self) -> tuple[str, str]:
        """A connection with other settings is refused when it is opened."""
        return "a write-ahead log, flushed at every commit, as read back from it", ""

    def empty_log(self, *, wait: bool) -> None:
        """Move what is in the log into the file. Who reads meanwhile is waited for, or not."""
        self.execute(f"PRAGMA wal_checkpoint({'TRUNCATE' if wait else 'PASSIVE'})")

    def shrink(self, pages: int) -> None:
        """Give free pages back."""
        for _ in range(pages):  # the driver would end the statement after the first page, however many it names
            self.execute("PRAGMA incremental_vacuum(1)")

    def rewrite(self, folder: "Path") -> None:
        """Write the file anew without free pages, and so that it can shrink from now on."""
        place = str(folder).replace("'", "''")
        # Else the copy would be in a folder for all users, which may have no room.
        self.execute(f"PRAGMA temp_store_directory = '{place}'")
        self.execute("PRAGMA auto_vacuum = incremental")
        self.execute("VACUUM")
        self.empty_log(wait=True)
