"""An open database: one connection, one transaction at a time, and errors of the disk taken seriously."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Lock, get_ident
from types import TracebackType
from typing import Final, Self

from pbem.store.errors import StoreBusyError, StoreConflictError, StoreDamagedError, StoreFailedError
from pbem.store.sqlite import SAFE, connect, database_path, is_read_only
from pbem.store.timestamps import utc_now

TIMEOUT: Final = 10.0
"""Seconds to wait while another process writes."""

READ: Final = "BEGIN"
WRITE: Final = "BEGIN IMMEDIATE"
"""How a transaction begins. A writer takes the write lock at once, so that it cannot fail halfway for want of it."""

_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_BUGS: Final = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_MISMATCH})
_DAMAGE: Final = ("no such table", "no such column", "Could not decode")
"""How messages begin that name a fault of the file, where the code of the error would call it ours."""


def _identify(path: str) -> tuple[int, int] | None:
    """Which file a path names now; None if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - pathlib takes longer to load than this takes to run
    except OSError:
        return None
    return found.st_dev, found.st_ino


class Database:
    """One connection that threads may share; their transactions follow one another."""

    def __init__(self, connection: sqlite3.Connection, now: Callable[[], datetime], path: str) -> None:
        self._connection = connection
        self._now = now
        self._path = path
        self._file = _identify(path)
        self._lock = Lock()
        self._writer: int | None = None
        self._failure: str | None = None

    @classmethod
    def open(
        cls, url: str, *, now: Callable[[], datetime] = utc_now, timeout: float = TIMEOUT, reads: bool = False
    ) -> Self:
        """Open a database; one that is empty or could lose acknowledged letters is refused.

        One that is only for reading (`reads`) may be on a disk that cannot be written.
        """
        return cls(connect(url, timeout, reads=reads), now, database_path(url))

    @classmethod
    def create(cls, url: str, *, now: Callable[[], datetime] = utc_now, timeout: float = TIMEOUT) -> Self:
        """Create a database and open it; one that is there already is opened as it is."""
        return cls(connect(url, timeout, new=True), now, database_path(url))

    @property
    def is_read_only(self) -> bool:
        """Whether the disk cannot be written."""
        with self._lock:
            return is_read_only(self._connection)

    def close(self) -> None:
        """Close the connection for good."""
        with self._lock:
            self._failure = self._failure or "the database was closed"
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _begin(self, begin: str, *, flushed: bool = True) -> Iterator[sqlite3.Connection]:
        """A transaction: on the disk when the block ends, or undone if the block raises.

        One that is not `flushed` outlives the process, but a power cut may undo it until the next one is flushed.
        """
        self._refuse_nesting()
        with self._lock:
            if self._failure is not None:
                raise StoreFailedError(self._failure)
            self._refuse_replaced()
            self._writer = get_ident()
            try:
                if not flushed:
                    self._connection.execute("PRAGMA synchronous = normal")
                self._connection.execute(begin)
                try:
                    yield self._connection
                    self._connection.execute("COMMIT")
                    # What was written into a file that has lost its name meanwhile must not be acknowledged.
                    self._refuse_replaced()
                except BaseException:
                    self._roll_back()
                    raise
            except sqlite3.Error as reason:
                raise self._judge(reason, reading=begin == READ) from reason
            finally:
                if not flushed:
                    self._connection.execute(f"PRAGMA synchronous = {SAFE['synchronous']}")
                self._writer = None

    def _refuse_replaced(self) -> None:
        """The file must be the one that was opened: into another one, or into none, nothing may be written."""
        if (found := _identify(self._path)) != self._file:
            how = "is gone" if found is None else "was replaced by another file"
            self._failure = (
                f"{self._path} {how} while it was in use, so nothing more is written; stop the post before you put "
                "a copy back, and use `pbem restore`"
            )
            raise StoreFailedError(self._failure)

    def _refuse_nesting(self) -> None:
        """A thread that waits for its own lock would wait for ever."""
        if self._writer == get_ident():
            raise RuntimeError("a transaction inside another one")

    def _roll_back(self) -> None:
        if self._connection.in_transaction:  # SQLite undoes some failed transactions by itself
            self._connection.execute("ROLLBACK")

    def _judge(self, reason: sqlite3.Error, *, reading: bool) -> Exception:
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
        self._failure = f"the disk failed, so nothing more is written: {reason}"
        return StoreFailedError(self._failure)
