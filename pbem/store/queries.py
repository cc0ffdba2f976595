"""The pen: statements prepared once, then run straight on the driver.

A letter runs some twenty small statements. Composing them through the library each time costs several times more
than SQLite needs to run them, so each is compiled once for the database at hand and kept as text.

What every desk of the store has: the pen, and the clock.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Dialect, Insert, Table, bindparam, insert
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.sql.expression import ClauseElement

from pbem.store.rows import write_moment

Values = Mapping[str, Any]
Found = Sequence[Any]


class _Prepared(NamedTuple):
    """The text of a statement, the names of its places in order (none if they are named), and what is always there."""

    text: str
    names: tuple[str, ...] | None
    always: Mapping[str, Any]

    def fill(self, values: Values) -> Any:
        """The values as the driver wants them."""
        full = {**self.always, **values} if self.always else values
        return full if self.names is None else [full[name] for name in self.names]


class Statements:
    """Runs statements on one connection. A statement is known by its identity, so make it once, at import."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._cursor = connection.connection.cursor
        self._dialect: Dialect = connection.dialect
        self._prepared: dict[ClauseElement, _Prepared] = {}

    def rows(self, statement: ClauseElement, values: Values) -> list[Found]:
        """All rows of an answer."""
        return list(self._run(statement, values).fetchall())

    def row(self, statement: ClauseElement, values: Values) -> Found | None:
        """The first row of an answer, if it has any."""
        return self._run(statement, values).fetchone()

    def change(self, statement: ClauseElement, values: Values) -> int:
        """Write; how many rows that changed."""
        return self._run(statement, values).rowcount

    def change_all(self, statement: ClauseElement, values: Sequence[Values]) -> None:
        """Write once for each of the values."""
        prepared = self._prepare(statement)
        self._cursor().executemany(prepared.text, [prepared.fill(one) for one in values])

    def add(self, statement: Insert, values: Values) -> int:
        """Write one row; the number that the database gave it."""
        key = self.connection.execute(statement, values).inserted_primary_key
        return int(key[0]) if key else 0

    def _run(self, statement: ClauseElement, values: Values) -> DBAPICursor:
        prepared = self._prepare(statement)
        cursor = self._cursor()
        cursor.execute(prepared.text, prepared.fill(values))
        return cursor

    def _prepare(self, statement: ClauseElement) -> _Prepared:
        found = self._prepared.get(statement)
        if found is None:
            compiled = statement.compile(dialect=self._dialect)
            order = getattr(compiled, "positiontup", None)
            # Places without a value of their own are there to be filled.
            always = {name: value for name, value in compiled.params.items() if value is not None}
            found = _Prepared(str(compiled), None if order is None else tuple(order), always)
            self._prepared[statement] = found
        return found


def adding_to(table: Table) -> Insert:
    """A row with every column named."""
    return insert(table).values({column.name: bindparam(column.name) for column in table.c})


_NOTHING: Final[Values] = {}


class Queries:
    """A set of verbs inside one transaction."""

    __slots__ = ("_now", "_pen")

    def __init__(self, pen: Statements, now: Callable[[], datetime]) -> None:
        self._pen = pen
        self._now = now

    def _rows(self, statement: ClauseElement, values: Values = _NOTHING) -> list[Found]:
        return self._pen.rows(statement, values)

    def _row(self, statement: ClauseElement, values: Values) -> Found | None:
        return self._pen.row(statement, values)

    def _value(self, statement: ClauseElement, values: Values = _NOTHING) -> Any:
        found = self._pen.row(statement, values)
        return None if found is None else found[0]

    def _change(self, statement: ClauseElement, values: Values) -> int:
        return self._pen.change(statement, values)

    def _change_all(self, statement: ClauseElement, values: Sequence[Values]) -> None:
        if values:
            self._pen.change_all(statement, values)

    def _add(self, statement: Insert, values: Values) -> int:
        return self._pen.add(statement, values)

    def _stamp(self) -> str:
        return write_moment(self._now())
