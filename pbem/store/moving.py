"""Copying a whole post from one database to another, of whichever kinds, row by row.

A database that the rows are not all in yet, or that the post has left, says so in the place of its schema's version. So
no release opens it, and there is never more than one that can be served.
"""

import os
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem.store import sqlite
from pbem.store.errors import StoreError, StoreRefusedError, StoreUncopiedError
from pbem.store.left import ARRIVING, LEFT
from pbem.store.queries import POSTGRESQL, Connection, Row
from pbem.store.sqlite_connection import create_private

if TYPE_CHECKING:
    from sqlalchemy import Table

_AT_ONCE: Final = 100
"""Rows that are written together."""
_MARK: Final = "UPDATE setting SET value = :words WHERE key = 'schema'"
_STATE: Final = "SELECT value FROM setting WHERE key = 'schema'"

VERSION: Final = str(len(sqlite.MIGRATIONS))
"""What stands there when the post has arrived: the number is the same for all kinds of databases."""

Tell = Callable[[int, str], None]


def _tables() -> "list[Table]":
    from pbem.store.schema import METADATA  # loads the library that only schemas need

    return list(METADATA.sorted_tables)


def _select(table: "Table") -> str:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    keys = ", ".join(f'"{column.name}"' for column in table.primary_key)
    return f'SELECT {names} FROM "{table.name}" ORDER BY {keys}'  # noqa: S608 - our own names


def _numbered(table: "Table") -> str | None:
    """The column whose numbers the database gives, and gives once only."""
    column = table.autoincrement_column
    return column.name if column is not None and table.name != "log" and not column.foreign_keys else None


def copy_rows(source: Connection, target: Connection, tell: Tell) -> None:
    """Copy everything in one transaction of each; what is in the target gives way. Numbers go on where they were."""
    tables = _tables()
    for table in reversed(tables):
        target.execute(f'DELETE FROM "{table.name}"')  # noqa: S608 - our own names
    for number, table in enumerate(tables):
        tell(number, table.name)
        names = [column.name for column in table.columns]
        listed, values = ", ".join(f'"{name}"' for name in names), ", ".join(f":v_{name}" for name in names)
        statement = f'INSERT INTO "{table.name}" ({listed}) VALUES ({values})'  # noqa: S608 - our own names
        yes_or_no = [column.name for column in table.columns if column.type.python_type is bool]
        rows = source.stream(_select(table))
        while batch := list(islice(rows, _AT_ONCE)):
            target.executemany(statement, [_name(names, row, yes_or_no) for row in batch])
        if (column := _numbered(table)) is not None:
            target.set_last_number(table.name, column, source.last_number(table.name, column))


def _name(names: list[str], row: Row, yes_or_no: list[str]) -> dict[str, Any]:
    values = {f"v_{name}": value for name, value in zip(names, row, strict=True)}
    return values | {f"v_{name}": bool(values[f"v_{name}"]) for name in yes_or_no}


def digest_rows(connection: Connection, tell: Tell) -> dict[str, str]:
    """A digest of every table: equal if the rows are equal, whatever kind of database they are in."""
    found = {}
    for number, table in enumerate(_tables()):
        tell(number, f"{table.name} again")
        digest = sha256()
        for row in connection.stream(_select(table)):
            if table.name != "setting" or row[0] != "schema":
                digest.update(repr(tuple(map(_plain, row))).encode())
        found[table.name] = digest.hexdigest()
    return found


def _plain(value: object) -> object:
    return int(value) if isinstance(value, bool) else value


def copy_to_file(source: Connection, path: Path) -> None:
    """Write a copy to a new SQLite file; it gets its name when it is complete and on the disk."""
    unfinished = path.with_name(f"{path.name}.part")
    try:
        _write(source, path, unfinished)
    except source.failures as reason:
        raise StoreUncopiedError(f"no copy was made to {path}: {source.explain(reason, reading=True)}") from reason
    except (StoreError, OSError) as reason:
        raise StoreUncopiedError(f"no copy was made to {path}: {reason}") from reason
    finally:
        unfinished.unlink(missing_ok=True)


def _write(source: Connection, path: Path, unfinished: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)
    create_private(str(unfinished))
    source.begin("read")
    try:
        with closing(sqlite.connect(f"{sqlite.SQLITE}{unfinished.absolute()}", 10.0, new=True)) as target:
            target.begin("write")
            copy_rows(source, target, lambda *_: None)
            target.execute(_MARK, {"words": VERSION})
            target.end("write", done=True)
            target.empty_log(wait=True)
    finally:
        source.end("read", done=False)
    unfinished.rename(path)
    _flush(path.absolute().parent)


def _flush(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def connect_for_move(url: str, password: str | None, timeout: float) -> Connection:
    """A connection to a database that may be empty, half filled, or left; it has today's tables afterwards."""
    if url.startswith(POSTGRESQL):
        from pbem.store.postgresql import connect

        return connect(url, password, timeout, new=True, moving=True)
    return sqlite.connect(url, timeout, new=True, moving=True)


def state_of(connection: Connection) -> str:
    """The version of the schema, or the words that stand there while a post moves."""
    return str(connection.execute(_STATE).fetchone()[0])


def mark(connection: Connection, words: str) -> None:
    """Write these words in the place of the version."""
    connection.execute(_MARK, {"words": words})


def refuse_taken(connection: Connection, name: str) -> None:
    """Refuse a target in which a post is already. What a move that did not end has left there gives way."""
    state = state_of(connection)
    (letters, games) = connection.execute("SELECT (SELECT count(*) FROM inbox), (SELECT count(*) FROM game)").fetchone()
    if state.startswith(LEFT) or (not state.startswith(ARRIVING) and (letters or games)):
        raise StoreRefusedError(f"{name} holds a post already, or one that was moved away; name an empty database")
