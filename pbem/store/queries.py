"""What every group of queries has: the connection, the clock, and short names for running statements.

Statements are plain SQL that SQLite and PostgreSQL both understand, with `:name` for a value. They are written out
rather than composed by a library: a letter runs some twenty small ones, composing them cost more than running them,
and loading the library cost more than all of `pbem deliver` does now.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from pbem.store.errors import StoreDamagedError
from pbem.store.timestamps import format_timestamp

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

Values = Mapping[str, object]
Row = tuple[Any, ...]

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

    __slots__ = ("_connection", "_now")

    def __init__(self, connection: "sqlite3.Connection", now: "Callable[[], datetime]") -> None:
        self._connection = connection
        self._now = now

    def _rows(self, statement: str, values: Values = _NO_VALUES) -> list[Row]:
        """All rows of a result."""
        return self._connection.execute(statement, values).fetchall()

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
        return self._connection.execute(statement, values).rowcount

    def _change_all(self, statement: str, values: Sequence[Values]) -> None:
        """Write once for each of the values."""
        self._connection.executemany(statement, values)

    def _add(self, statement: str, values: Values) -> int:
        """Add one row with a statement that returns the number which the database gave it."""
        return int(self._value(statement, values))

    def _timestamp(self) -> str:
        """The time now, as it is stored."""
        return format_timestamp(self._now())
