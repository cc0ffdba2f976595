"""One transaction: all verbs of all desks, committed together or not at all.

The store: one database, one writer, and the errors of the disk taken seriously.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock, get_ident
from types import TracebackType
from typing import Final, Self

from sqlalchemy import Connection, Engine, bindparam, func, select, update
from sqlalchemy.exc import DBAPIError

from pbem.store.errors import StoreBusyError, StoreConflictError, StoreFailedError
from pbem.store.games import GameQueries, LogQueries
from pbem.store.inbox import InboxQueries
from pbem.store.outbox import OutboxQueries
from pbem.store.rows import Arrival, Counters, LetterRow, MailRow, Received, Taken, utc_now
from pbem.store.schema import SETTING
from pbem.store.seats import SeatQueries
from pbem.store.sqlite import BEGIN, complaints, connect, make_engine, write_copy
from pbem.store.queries import Statements, adding_to

_SETTING: Final = select(SETTING.c.value).where(SETTING.c.key == bindparam("name"))
_NAMED: Final = select(SETTING.c.key, SETTING.c.value).where(
    func.substr(SETTING.c.key, 1, func.length(bindparam("beginning"))) == bindparam("beginning")
)
_CHANGE: Final = update(SETTING).where(SETTING.c.key == bindparam("name")).values(value=bindparam("value"))
_ADD: Final = adding_to(SETTING)


class Transaction(InboxQueries, GameQueries, SeatQueries, OutboxQueries, LogQueries):
    """What can be done to the store at one go. Only a `Store` makes one."""

    __slots__ = ()

    def load_setting(self, key: str) -> str | None:
        """What the post remembers under a name."""
        found = self._value(_SETTING, {"name": key})
        return None if found is None else str(found)

    def load_settings(self, beginning: str) -> dict[str, str]:
        """What the post remembers under all names that begin so."""
        return {str(key): str(value) for key, value in self._rows(_NAMED, {"beginning": beginning})}

    def save_setting(self, key: str, value: str) -> None:
        """Remember something under a name."""
        if not self._change(_CHANGE, {"name": key, "value": value}):
            self._change(_ADD, {"key": key, "value": value})

    def complaints(self) -> list[str]:
        """What is wrong with the database; nothing, if all is well. Reads all of it."""
        broken = [f"{game}: its chain does not end where the game says" for game in self.loose_heads()]
        return complaints(self._pen.connection) + broken


PATIENCE: Final = timedelta(seconds=10)

_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_BUGS: Final = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_MISMATCH})


class Store:
    """An open database.

    Threads may share it; transactions follow one another. The verbs here are whole transactions: what they did is
    on the disk when they return. Everything else happens inside `transaction()`.
    """

    def __init__(self, engine: Engine, connection: Connection, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._connection = connection
        self._pen = Statements(connection)
        self._now = now
        self._turn = Lock()
        self._writer: int | None = None
        self._failure: str | None = None

    @classmethod
    def open(cls, url: str, *, now: Callable[[], datetime] = utc_now, patience: timedelta = PATIENCE) -> Self:
        """Open a database, and refuse it if it is empty or could lose what it acknowledged."""
        engine = make_engine(url, patience)
        return cls(engine, connect(engine), now)

    @classmethod
    def found(cls, url: str, *, now: Callable[[], datetime] = utc_now, patience: timedelta = PATIENCE) -> Self:
        """Make a new database and open it; one that is there already is opened as it is."""
        engine = make_engine(url, patience)
        return cls(engine, connect(engine, new=True), now)

    def close(self) -> None:
        """Put the pen down for good."""
        with self._turn:
            self._connection.close()
            self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Everything inside is on the disk when the block ends, or nothing of it if the block raises."""
        with self._begun("BEGIN IMMEDIATE") as transaction:
            yield transaction

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """A still picture of the store, for looking only: it keeps nobody from writing, and writing fails."""
        with self._begun("BEGIN") as transaction:
            self._connection.exec_driver_sql("PRAGMA query_only = ON")
            try:
                yield transaction
            finally:
                self._connection.exec_driver_sql("PRAGMA query_only = OFF")

    def receive(self, raw: bytes, *, intake: str, env_from: str | None = None, env_to: Sequence[str] = ()) -> Received:
        """Keep a letter. When this returns it may be acknowledged; if it raises, it must not be."""
        with self.transaction() as transaction:
            return transaction.receive(Arrival(raw, intake, env_from, tuple(env_to)))

    def receive_all(self, raws: Sequence[bytes], *, intake: str) -> list[Received]:
        """Keep several letters that came without envelopes, with one flush."""
        with self.transaction() as transaction:
            return transaction.receive_all([Arrival(raw, intake) for raw in raws])

    def next_received(self) -> LetterRow | None:
        """The oldest letter that has no fate yet."""
        with self.reading() as transaction:
            return transaction.next_received()

    def attempt(self, letter: int) -> bool:
        """Count a try at a letter, before it is made; False if it was tried too often and is in quarantine now."""
        with self.transaction() as transaction:
            return transaction.attempt(letter)

    def take_next(self) -> Taken | None:
        """The next letter to work on, its try counted and on the disk."""
        with self.transaction() as transaction:
            return transaction.take_next()

    def claim_due(self, now: datetime, limit: int) -> list[MailRow]:
        """Mails to send now; nobody else gets them until their lease ends."""
        with self.transaction() as transaction:
            return transaction.claim_due(now, limit)

    def mark_sent(self, mail: int) -> None:
        """The mail has left the house."""
        with self.transaction() as transaction:
            transaction.mark_sent(mail)

    def mark_retry(self, mail: int, *, not_before: datetime, error: str) -> None:
        """The mail could not be sent now; the same bytes again later."""
        with self.transaction() as transaction:
            transaction.mark_retry(mail, not_before=not_before, error=error)

    def mark_failed(self, mail: int, error: str) -> None:
        """The mail will never be sent."""
        with self.transaction() as transaction:
            transaction.mark_failed(mail, error)

    def put_back(self, mails: Sequence[int], *, not_before: datetime, error: str = "") -> None:
        """Claimed mails that were not tried after all."""
        with self.transaction() as transaction:
            transaction.put_back(mails, not_before=not_before, error=error)

    def redrive(self, letter: int) -> bool:
        """Take a letter out of quarantine, to be tried anew."""
        with self.transaction() as transaction:
            return transaction.redrive(letter)

    def counters(self) -> Counters:
        """How many letters came and what became of them."""
        with self.reading() as transaction:
            return transaction.counters()

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy of everything to a new file, while others go on reading and writing."""
        self._stand_alone()
        with self._turn:
            driver = self._connection.connection.driver_connection
            assert isinstance(driver, sqlite3.Connection)  # noqa: S101 - the only kind that `open` makes
            write_copy(driver, path)

    @contextmanager
    def _begun(self, begin: str) -> Iterator[Transaction]:
        self._stand_alone()
        with self._turn:
            if self._failure is not None:
                raise StoreFailedError(self._failure)
            self._writer = get_ident()
            try:
                self._connection.info[BEGIN] = begin
                with self._connection.begin():
                    yield Transaction(self._pen, self._now)
            except (DBAPIError, sqlite3.Error) as reason:
                raise self._judge(reason, looking=begin == "BEGIN") from reason
            finally:
                self._writer = None

    def _stand_alone(self) -> None:
        """Waiting for a turn that is our own would be waiting for ever."""
        if self._writer == get_ident():
            raise RuntimeError("a transaction inside another one")

    def _judge(self, reason: DBAPIError | sqlite3.Error, *, looking: bool) -> Exception:
        """Busy is a matter of patience, a contradiction or bad statement is a bug, and all else ends this store."""
        driver = reason.orig if isinstance(reason, DBAPIError) else reason
        if isinstance(driver, sqlite3.IntegrityError):
            return StoreConflictError(str(driver))
        code = getattr(driver, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _BUSY:
            return StoreBusyError(f"another process keeps writing: {driver}")
        if code in _BUGS or (looking and code == sqlite3.SQLITE_READONLY):
            return reason
        self._failure = f"the disk failed us, so nothing more is written: {driver}"
        return StoreFailedError(self._failure)
