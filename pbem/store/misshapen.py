"""Whether a database has the tables and the kinds of values that we write. Loaded only when somebody looks."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Boolean, Column, Integer, LargeBinary, Table, Text

from pbem.store.schema import METADATA

if TYPE_CHECKING:
    import sqlite3

    from pbem.store.queries import Connection

_STORED_AS: Final = {Text: "text", Integer: "integer", Boolean: "integer", LargeBinary: "blob"}
_MOMENTS: Final = frozenset(
    {"received_at", "created_at", "not_before", "sent_at", "due_at", "at", "since", "confirmed_at", "head_at"}
)
_MOMENT_PATTERN: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
_COLUMNS: Final = """
    SELECT column_name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = :name"""
_MOMENT_FORM: Final = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z"


def find_misshapen(connection: "sqlite3.Connection") -> Iterator[str]:
    """Tables and columns that are missing, and rows with values that we never write."""
    for table in METADATA.sorted_tables:
        there = {name for _, name, *_ in connection.execute(f"PRAGMA table_info('{table.name}')")}
        missing = [column.name for column in table.columns if column.name not in there]
        if not there:
            yield f"the table {table.name} is missing"
        elif missing:
            yield f"the table {table.name} has no column {', '.join(missing)}"
        else:
            for column in table.columns:
                (rows,) = connection.execute(_count_misshapen(table, column)).fetchone()
                if rows:
                    yield f"{rows} row{'s' if rows > 1 else ''} of {table.name} cannot be right: see {column.name}"


def _count_misshapen(table: Table, column: "Column[Any]") -> str:
    stored = next(word for kind, word in _STORED_AS.items() if isinstance(column.type, kind))
    name = f'"{column.name}"'
    wrong = f"typeof({name}) <> '{stored}'"
    if column.name in _MOMENTS:
        wrong += f" OR {name} NOT GLOB '{_MOMENT_FORM}'"
    empty = f"{name} IS NOT NULL AND " if column.nullable else ""
    return f'SELECT count(*) FROM "{table.name}" WHERE {empty}({wrong})'  # noqa: S608 - our own names


def find_misshapen_on_server(connection: "Connection") -> Iterator[str]:
    """The same on PostgreSQL, which keeps the types of columns itself."""
    for table in METADATA.sorted_tables:
        there = {name for (name,) in connection.execute(_COLUMNS, {"name": table.name})}
        missing = [column.name for column in table.columns if column.name not in there]
        if not there:
            yield f"the table {table.name} is missing"
        elif missing:
            yield f"the table {table.name} has no column {', '.join(missing)}"
        else:
            for column in table.columns:
                if column.name not in _MOMENTS:
                    continue
                asked = f'SELECT count(*) FROM "{table.name}" WHERE "{column.name}" !~ :form'  # noqa: S608 - our own names
                (rows,) = connection.execute(asked, {"form": _MOMENT_PATTERN}).fetchone()
                if rows:
                    yield f"{rows} row{'s' if rows > 1 else ''} of {table.name} cannot be right: see {column.name}"
