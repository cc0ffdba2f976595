"""An open database: one connection, one transaction at a time, and errors of the disk taken seriously."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Lock, get_ident
from types import TracebackType
from typing import Final, Self

from pbem.store.errors import StoreFailedError
from pbem.store.queries import POSTGRESQL, Connection, Purpose
from pbem.store.timestamps import utc_now

TIMEOUT: Final = 10.0
"""Seconds to wait while another process writes."""


def _connect(url: str, password: str | None, timeout: float, *, new: bool = False, reads: bool = False) -> Connection:
    """A connection of the kind that the address names; only that kind is loaded."""
    if url.startswith(POSTGRESQL):
        from pbem.store.postgresql import connect as connect_to_server

        return connect_to_server(url, password, timeout, new=new, reads=reads)
    from pbem.store.sqlite import connect

    return connect(url, timeout, new=new, reads=reads)


class Database:
    """One connection that threads may share; their transactions follow one another."""

    def __init__(self, connection: Connection, now: Callable[[], datetime]) -> None:
        self._connection = connection
        self._now = now
        self._lock = Lock()
        self._writer: int | None = None
        self._failure: str | None = None

    @classmethod
    def open(
        cls,
        url: str,
        *,
        password: str | None = None,
        now: Callable[[], datetime] = utc_now,
        timeout: float = TIMEOUT,
        reads: bool = False,
    ) -> Self:
        """Open a database; one that is empty or could lose acknowledged letters is refused.

        One that is only for reading (`reads`) may be on a disk that cannot be written.
        """
        return cls(_connect(url, password, timeout, reads=reads), now)

    @classmethod
    def create(
        cls,
        url: str,
        *,
        password: str | None = None,
        now: Callable[[], datetime] = utc_now,
        timeout: float = TIMEOUT,
    ) -> Self:
        """Create a database and open it; one that is there already is opened as it is."""
        return cls(_connect(url, password, timeout, new=True), now)

    @property
    def is_read_only(self) -> bool:
        """Whether the disk cannot be written."""
        with self._lock:
            return self._connection.only_reads

    def say_safety(self) -> tuple[str, str]:
        """How well the database keeps what it acknowledges, and advice, if there is any."""
        with self._lock:
            return self._connection.say_safety()

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
    def _begin(self, purpose: Purpose) -> Iterator[Connection]:
        """A transaction: on the disk when the block ends, or undone if the block raises.

        One that is a `claim` outlives the process, but a power cut may undo it until the next one is flushed.
        """
        self._refuse_nesting()
        with self._lock:
            if self._failure is not None:
                raise StoreFailedError(self._failure)
            self._refuse_replaced()
            self._writer = get_ident()
            connection = self._connection
            try:
                connection.begin(purpose)
                try:
                    yield connection
                    connection.end(purpose, done=True)
                    # What was written into a file that has lost its name meanwhile must not be acknowledged.
                    self._refuse_replaced()
                except BaseException:
                    connection.end(purpose, done=False)
                    raise
            except connection.failures as reason:
                raise self._judge(reason, reading=purpose == "read") from reason
            finally:
                connection.settle(purpose)
                self._writer = None

    def _refuse_replaced(self) -> None:
        """The file must be the one that was opened: into another one, or into none, nothing may be written."""
        if (why := self._connection.find_replaced()) is not None:
            self._failure = why
            raise StoreFailedError(why)

    def _refuse_nesting(self) -> None:
        """A thread that waits for its own lock would wait for ever."""
        if self._writer == get_ident():
            raise RuntimeError("a transaction inside another one")

    def _judge(self, reason: Exception, *, reading: bool) -> Exception:
        """What an error means; one that leaves the disk in doubt ends this store."""
        found = self._connection.explain(reason, reading=reading)
        if isinstance(found, StoreFailedError):
            self._failure = str(found)
        return found
