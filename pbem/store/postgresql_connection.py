"""A connection to PostgreSQL as `Database` and the queries use it.

Statements are written for both databases; what differs is translated here once for each statement. A connection that is
lost is opened anew for the next transaction: what was committed is there, and what was not is gone.

A transaction that writes holds the lock of the post, so that writers follow one another as they do with SQLite.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg.pq import TransactionStatus

from pbem.store.errors import (
    StoreBusyError,
    StoreConflictError,
    StoreDamagedError,
    StoreFailedError,
)
from pbem.store.queries import Purpose, Row

if TYPE_CHECKING:
    from pathlib import Path

_LISTED: Final = re.compile(r"json_each\(:(\w+)\)")
_NAMED: Final = re.compile(r"(?<![:\w]):([a-z]\w*)")

KEEPALIVE: Final = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 60_000}
"""A server or a network that is gone is noticed within a minute, and so are we by the server."""
_IDLE: Final = 120_000
"""Milliseconds in which a process that stands still inside a transaction loses it, and with it its locks."""

WRITING: Final = 1
"""The number of the lock that writers hold; the post's own number is the other half of it."""
POST_NUMBER: Final = "SELECT hashtext('caravan post ' || current_schema())"

_BUSY: Final = frozenset({"40001", "40P01", "55P03", "25006", "25P03", "25P04", "57014"})
_LOST: Final = ("08", "57P", "53")
_FULL: Final = frozenset({"53100", "58030", "58P01", "XX001", "XX002"})
_DAMAGE: Final = frozenset({"42P01", "42703", "22021"})
"""Codes of errors: what may pass, what ends the connection, what the disk did, and what is missing from the schema."""

_ROOM: Final = """
    SELECT (SELECT sum(length(raw)) FROM inbox_bytes), (SELECT sum(length(raw)) FROM outbox_bytes),
        (SELECT sum(length(content)) FROM outbox_shared), (SELECT sum(length(packed)) FROM pack),
        (SELECT sum(octet_length(data) + length(hash) + length(prev) + length(sealed) + length(commitments)
            + octet_length(told)) FROM event)"""
_SIZE: Final = """
    SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"""


@lru_cache(maxsize=1_000)
def translate(statement: str) -> str:
    """A statement as PostgreSQL and its driver want it."""
    listed = _LISTED.sub(r"json_array_elements_text(CAST(:\1 AS json)) AS listed(value)", statement.replace("%", "%%"))
    return _NAMED.sub(r"%(\1)s", listed)


class PostgresqlConnection:
    """One connection to a server."""

    failures: tuple[type[Exception], ...] = (psycopg.Error,)

    def __init__(
        self,
        url: str,
        password: str | None,
        timeout: float,
        *,
        check: Callable[["psycopg.Connection[Any]"], None],
        say: Callable[["psycopg.Connection[Any]"], tuple[str, str]],
    ) -> None:
        self._url = url
        self._password = password
        self._timeout = timeout
        self._check = check
        self._say = say
        self._driver: psycopg.Connection[Any] | None = None
        self._post = 0
        self._closed = False
        self.only_reads = False

    def open(self) -> None:
        """Connect, and refuse a server that could lose what it acknowledges."""
        waits = round(self._timeout * 1_000)
        more: dict[str, Any] = {**KEEPALIVE, "connect_timeout": max(2, round(self._timeout))}
        if self._password is not None:
            more["password"] = self._password
        self._driver = psycopg.connect(self._url, autocommit=True, application_name="caravan-post", **more)
        self._check(self._driver)
        self._driver.execute(f"SET lock_timeout = {waits}; SET idle_in_transaction_session_timeout = {_IDLE}")
        asked = f"{POST_NUMBER}, pg_is_in_recovery()"
        self._post, self.only_reads = self._driver.execute(asked).fetchone() or (0, False)

    @property
    def driver(self) -> "psycopg.Connection[Any]":
        """The driver's own connection; a lost one is replaced, unless a transaction was in it."""
        if self._closed:
            raise psycopg.InterfaceError("the connection was closed")
        if self._driver is None:
            self.open()
        assert self._driver is not None  # noqa: S101 - open() sets it or raises
        return self._driver

    def execute(self, statement: str, values: Any = None, /) -> Any:
        """Run one statement."""
        return self.driver.execute(translate(statement), values or None)

    def executemany(self, statement: str, values: Any, /) -> Any:
        """Run a statement once for each of the values."""
        with self.driver.cursor() as cursor:
            cursor.executemany(translate(statement), values)

    def stream(self, statement: str, /) -> Iterator[Row]:
        """The rows of a result, some at a time."""
        with self.driver.cursor("stream") as cursor:
            cursor.execute(translate(statement))
            yield from cursor

    def last_number(self, table: str, column: str) -> int:
        """The last number that was given to a row."""
        (sequence,) = self.driver.execute("SELECT pg_get_serial_sequence(%s, %s)", (table, column)).fetchone() or ("",)
        asked = f"SELECT last_value, is_called FROM {sequence}"  # noqa: S608 - as the server has just called it
        last, given = self.driver.execute(asked).fetchone() or (0, False)
        return int(last) if given else 0

    def set_last_number(self, table: str, column: str, number: int) -> None:
        """Go on after this number."""
        asked = "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)"
        self.driver.execute(asked, (table, column, max(1, number), bool(number)))

    def begin(self, purpose: Purpose) -> None:
        """Begin; who reads sees one moment, and who writes waits for other writers."""
        if self._driver is not None and self._driver.closed:
            self._driver = None
        if purpose == "read":
            words = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        else:
            lazily = "SET LOCAL synchronous_commit = off; " if purpose == "claim" else ""
            words = f"BEGIN; {lazily}SELECT pg_advisory_xact_lock({self._post}, {WRITING})"
        try:
            self.driver.execute(words)
        except psycopg.Error:
            self.end(purpose, done=False)
            if self._driver is None or not self._driver.closed:
                raise
            self._driver = None  # the server was restarted since the last transaction, and nothing of this one is lost
            self.driver.execute(words)

    def end(self, purpose: Purpose, *, done: bool) -> None:
        """Commit or undo; a connection that is lost has undone everything."""
        if self._driver is None or (not done and self._driver.closed):
            return
        if done:
            if self._driver.info.transaction_status == TransactionStatus.INERROR:
                raise psycopg.InternalError("a statement failed and was ignored, so nothing can be committed")
            self._driver.execute("COMMIT")
        elif self._driver.info.transaction_status != TransactionStatus.IDLE:
            try:
                self._driver.execute("ROLLBACK")
            except psycopg.Error:
                self._driver.close()

    def settle(self, purpose: Purpose) -> None:
        """Forget a connection that was lost."""
        if self._driver is not None and self._driver.closed:
            self._driver = None

    def explain(self, reason: Exception, *, reading: bool) -> Exception:
        """Busy and lost may pass, a contradiction or bad statement is a bug, and a failing disk ends this store."""
        code, said = getattr(reason, "sqlstate", None) or "", " ".join(str(reason).split())
        if code.startswith("23"):
            return StoreConflictError(said)
        if code in _FULL:
            return StoreFailedError(f"the disk of the server failed, so nothing more is written: {said}")
        if code in _DAMAGE:
            return StoreDamagedError(said)
        if code == "25006" and reading and not self.only_reads:
            return reason
        if code in _BUSY:
            return StoreBusyError(f"another process keeps writing: {said}")
        lost = code.startswith(_LOST) or (not code and isinstance(reason, psycopg.OperationalError))
        return StoreBusyError(f"the connection to the database was lost: {said}") if lost else reason

    def find_replaced(self) -> str | None:
        """A server has no file that could be replaced under us."""
        return None

    def defer_references(self) -> None:
        """Let rows point to nothing until this transaction ends."""
        self.driver.execute("SET CONSTRAINTS ALL DEFERRED")

    def measure(self) -> tuple[tuple[int, ...], tuple[int, int, bool]]:
        """Bytes of letters, mails, pictures, packs and events; and of the tables."""
        return tuple(int(size or 0) for size in self.driver.execute(_ROOM).fetchone() or ()), self.size()

    def size(self) -> tuple[int, int, bool]:
        """Bytes of the tables and indexes. The server uses free room again by itself."""
        (size,) = self.driver.execute(_SIZE).fetchone() or (0,)
        return int(size), 0, True

    def find_misshapen(self) -> Iterator[str]:
        """Tables, columns and moments that we never write."""
        from pbem.store.misshapen import find_misshapen_on_server

        return find_misshapen_on_server(self)

    def find_damage(self) -> list[str]:
        """Nothing: the server keeps references whole, and `pg_amcheck` reads its files."""
        return []

    def say_safety(self) -> tuple[str, str]:
        """What the server is set to now, and what is missing for a post that must survive the loss of a machine."""
        return self._say(self.driver)

    def empty_log(self, *, wait: bool) -> None:
        """The server sees to its log by itself."""

    def shrink(self, pages: int) -> None:
        """The server gives room back by itself."""

    def rewrite(self, folder: "Path") -> None:
        """The server writes its tables anew, one after the other."""
        self.driver.execute("VACUUM FULL")

    def close(self) -> None:
        """Close it for good."""
        self._closed = True
        if self._driver is not None:
            self._driver.close()
