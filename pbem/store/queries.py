"""What every group of queries has: the connection, the clock, and short names for running statements.

Statements are plain SQL that SQLite and PostgreSQL both understand, with `:name` for a value. They are written out
rather than composed by a library: a letter runs some twenty small ones, composing them cost more than running them,
and loading the library cost more than all of `pbem deliver` does now.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from pbem.store.errors import StoreDamagedError
from pbem.store.timestamps import format_timestamp

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

Values = Mapping[str, object]
Row = tuple[Any, ...]

Purpose = Literal["read", "write", "claim"]
"""What a transaction is for. One that reads sees one moment. A claim outlives this process, but not a power cut."""


class Connection(Protocol):
    """A connection to a database, of whichever kind."""

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What its driver raises."""

    @property
    def only_reads(self) -> bool:
        """Whether the database cannot be written."""

    def execute(self, statement: str, values: Any = ..., /) -> Any:
        """Run one statement."""

    def executemany(self, statement: str, values: Any, /) -> Any:
        """Run a statement once for each of the values."""

    def stream(self, statement: str, /) -> Iterator[Row]:
        """The rows of a result that may be too large to hold, inside a transaction."""

    def last_number(self, table: str, column: str) -> int:
        """The last number that the database gave to a row, even if that is gone."""

    def set_last_number(self, table: str, column: str, number: int) -> None:
        """Go on after this number."""

    def begin(self, purpose: Purpose) -> None:
        """Begin a transaction."""

    def end(self, purpose: Purpose, *, done: bool) -> None:
        """Make everything in it last if it is `done`, or undo it."""

    def settle(self, purpose: Purpose) -> None:
        """Be ready for the next transaction, whatever became of this one."""

    def explain(self, reason: Exception, *, reading: bool) -> Exception:
        """What an error of the driver means to us."""

    def find_replaced(self) -> str | None:
        """Why this is not the database any more that was opened; None if it is."""

    def defer_references(self) -> None:
        """Let rows point to nothing until this transaction ends."""

    def measure(self) -> tuple[tuple[int, ...], tuple[int, int, bool]]:
        """Bytes of letters, mails, pictures, packs and events; and what `size` gives."""

    def size(self) -> tuple[int, int, bool]:
        """Bytes of the database, bytes in it that are free, and whether it gives those back by itself or when told."""

    def find_misshapen(self) -> Iterable[str]:
        """Tables, columns and values that we never write."""

    def find_damage(self) -> list[str]:
        """What the database itself finds wrong with it."""

    def say_safety(self) -> tuple[str, str]:
        """How well it keeps what it acknowledges, as read back from it; and advice, if there is any."""

    def empty_log(self, *, wait: bool) -> None:
        """Move what SQLite has in its log into the database."""

    def shrink(self, pages: int) -> None:
        """Give free pages back, inside a transaction."""

    def rewrite(self, folder: "Path") -> None:
        """Write the database anew without free pages; a copy is made in the folder meanwhile."""

    def close(self) -> None:
        """Close it for good."""


POSTGRESQL: Final = "postgresql://"
"""How the address of a database on a server begins; all others are files."""

_NO_VALUES: Final[Values] = {}


def insert_into(table: str, columns: Iterable[str], *, returning: str = "") -> str:
    """The statement that adds a row, each value named like its column; it may return what the database filled in."""
    names = [*columns]
    values = ", ".join(f":{name}" for name in names)
    answer = f" RETURNING {returning}" if returning else ""
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values}){answer}"  # noqa: S608 - tables and columns of ours


def upsert_into(table: str, columns: Iterable[str], *, key: tuple[str, ...], kept: tuple[str, ...] = ()) -> str:
    """The statement that adds a row, or changes the one with that key, but for some columns that are kept."""
    names = [*columns]
    changes = ", ".join(f"{name} = excluded.{name}" for name in names if name not in key and name not in kept)
    return f"{insert_into(table, names)} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}"


@contextmanager
def reading_row(table: str) -> Iterator[None]:
    """Tell values in a row that we never wrote from bugs of ours."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as reason:
        raise StoreDamagedError(f"a row of {table} cannot be read") from reason


class Queries:
    """Runs statements inside one transaction."""

    __slots__ = ("_connection", "_known_wishes", "_now")

    def __init__(self, connection: Connection, now: "Callable[[], datetime]") -> None:
        self._connection = connection
        self._now = now

        self._known_wishes: dict[tuple[str, str], dict[str, str]] = {}
        """What people wish, as far as this transaction has read it: each mail of a letter asks for some of it."""

    def _rows(self, statement: str, values: Values = _NO_VALUES) -> list[Row]:
        """All rows of a result."""
        found: list[Row] = self._connection.execute(statement, values).fetchall()
        return found

    def _row(self, statement: str, values: Values) -> Row | None:
        """The first row of a result, if it has any."""
        found: Row | None = self._connection.execute(statement, values).fetchone()
        return found

    def _value(self, statement: str, values: Values = _NO_VALUES) -> Any:
        """The first column of the first row, or None."""
        found = self._connection.execute(statement, values).fetchone()
        return None if found is None else found[0]

    def _change(self, statement: str, values: Values = _NO_VALUES) -> int:
        """Write; the number of rows that changed."""
        return int(self._connection.execute(statement, values).rowcount)

    def _change_all(self, statement: str, values: Sequence[Values]) -> None:
        """Write once for each of the values."""
        self._connection.executemany(statement, values)

    def _add(self, statement: str, values: Values) -> int:
        """Add one row with a statement that returns the number which the database gave it."""
        return int(self._value(statement, values))

    def _timestamp(self) -> str:
        """The time now, as it is stored."""
        return format_timestamp(self._now())
