"""PostgreSQL: opening a database whose server keeps what it acknowledges, and migrating its schema.

The tables are those of SQLite, and so are the numbers of their versions. What the server is set to is read back, and a
server that does otherwise is refused. The module and its driver are loaded only for an address that names a server.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pbem.store.errors import StoreRefusedError
from pbem.store.left import is_moving, refuse_left

if TYPE_CHECKING:
    import psycopg

    from pbem.store.postgresql_connection import PostgresqlConnection

OLDEST: Final = 150_000
"""The oldest server that these statements were tried with."""
BASE: Final = 11
"""The version of the schema that a new database is created with: before it there were only files."""

MISSING: Final = "a post on PostgreSQL needs the extra `postgres`: pip install 'caravan-post[postgres]'"
_SETTINGS: Final = """
    SELECT current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
        current_setting('server_version_num')::int, current_setting('server_encoding'),
        pg_is_in_recovery(), current_setting('synchronous_standby_names'), current_setting('server_version')"""
_STANDBYS: Final = "SELECT count(*), count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) FROM pg_stat_replication"
_WHY: Final = {
    "fsync": "the server must flush what it writes, or a power cut loses letters that were acknowledged",
    "full_page_writes": "the server must be able to repair a page that was half written when the power went",
    "synchronous_commit": "a commit must be on the disk before it is acknowledged, or a power cut loses letters",
}


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a server answers about how well it keeps things."""

    safety: tuple[tuple[str, str], ...]
    """The settings without which it loses what it acknowledged."""
    number: int
    encoding: str
    is_standby: bool
    synchronous_names: str
    """Which standbys must have a commit before it is acknowledged, in the server's words; empty if none."""
    version: str
    standbys: int
    """How many copies follow the server now, as far as we may know."""
    synchronous: int
    """How many of them have every commit before it is acknowledged."""

    @property
    def problem(self) -> str | None:
        """Why letters must not be kept there; None if they may."""
        for name, value in self.safety:
            if value == "off":
                return f"PostgreSQL has {name} = off: {_WHY[name]}"
        if self.number < OLDEST:
            return f"the server is PostgreSQL {self.version}, and {OLDEST // 10_000} is the oldest that is good enough"
        return None if self.encoding == "UTF8" else f"the database has the encoding {self.encoding}, and must have UTF8"


def read_settings(driver: "psycopg.Connection[Any]") -> ServerSettings:
    """Ask a server how it is set."""
    found: tuple[Any, ...] = driver.execute(_SETTINGS).fetchone() or ()
    *safety, number, encoding, standby, names, version = found
    standbys, synchronous = driver.execute(_STANDBYS).fetchone() or (0, 0)
    named = tuple(zip(_WHY, safety, strict=True))
    return ServerSettings(named, number, encoding, standby, names, version, standbys, synchronous)


def say_safety(found: ServerSettings) -> tuple[str, str]:
    """The same in words, and advice."""
    named = ", ".join(f"{name} {value}" for name, value in found.safety)
    text = f"PostgreSQL {found.version}: {named}, as read back from it"
    if found.is_standby:
        return f"{text}; it is a standby", "it is a standby, which cannot be written; name the primary in store.url"
    if found.synchronous:
        number = "a synchronous standby has" if found.synchronous == 1 else f"{found.synchronous} standbys may have"
        return f"{text}; {number} every commit before it is acknowledged", ""
    if found.synchronous_names:
        return text, (
            f"synchronous_standby_names is '{found.synchronous_names}', and no such standby is connected: commits wait "
            "for one"
        )
    lost = "if this machine is lost, letters are lost that were acknowledged"
    how = "set synchronous_standby_names = 'ANY 1 (a, b)' with two standbys"
    if found.standbys:
        return text, f"a standby follows, and not synchronously: {lost}; {how}"
    return text, f"no standby follows: {lost}; {how}, or be sure of your backups"


def connect(
    url: str, password: str | None, timeout: float, *, new: bool = False, reads: bool = False, moving: bool = False
) -> "PostgresqlConnection":
    """A connection, checked and with the schema of today; or one sentence that says why there is none."""
    try:
        from pbem.store.postgresql_connection import PostgresqlConnection
    except ImportError as reason:
        raise StoreRefusedError(MISSING) from reason
    connection = PostgresqlConnection(
        url, password, timeout, check=_check, say=lambda driver: say_safety(read_settings(driver))
    )
    try:
        connection.open()
        if not moving or not _was_moved(connection):
            _migrate(connection, url, new=new, reads=reads)
    except BaseException as reason:
        connection.close()
        if isinstance(reason, connection.failures):
            said = " ".join(str(reason).split())
            raise StoreRefusedError(f"{describe(url)} cannot be opened: {said}") from reason
        raise
    return connection


def describe(url: str) -> str:
    """The address of a database as it may be shown and logged, without what a password could hide in."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _check(driver: "psycopg.Connection[Any]") -> None:
    if (problem := read_settings(driver).problem) is not None:
        raise StoreRefusedError(problem)


MIGRATIONS: Final[tuple[Callable[["PostgresqlConnection"], object], ...]] = ()
"""How to get from version `BASE` of the schema to each later one. Migrations are added and never changed.

A new database has today's tables from the start, so each step first looks whether it is needed.
"""
SCHEMA: Final = BASE + len(MIGRATIONS)


def _migrate(connection: "PostgresqlConnection", url: str, *, new: bool, reads: bool) -> None:
    """Run the migrations that are missing, all or none. A database of a newer release is refused, and an empty one."""
    if _is_current(connection, url, new=new):
        return
    if reads and connection.only_reads:
        raise StoreRefusedError(f"{describe(url)} was left by an older release and cannot be written")
    connection.begin("write")
    try:
        if not _is_current(connection, url, new=new):  # another process may have been faster
            version = _version(connection, url)
            if not version:
                version = _create_tables(connection)
            for migration in MIGRATIONS[version - BASE :]:
                migration(connection)
            connection.execute("UPDATE setting SET value = :now WHERE key = 'schema'", {"now": str(SCHEMA)})
        connection.end("write", done=True)
    except BaseException:
        connection.end("write", done=False)
        raise


def _is_current(connection: "PostgresqlConnection", url: str, *, new: bool) -> bool:
    version = _version(connection, url)
    if not version and not new:
        raise StoreRefusedError(
            f"{describe(url)} is empty: everything the post knew is gone from it; put a backup in its place, or create "
            "a post there with `pbem init --database URL`, or bring one there with `pbem move --to URL`"
        )
    if version > SCHEMA:
        raise StoreRefusedError(
            f"the database has schema {version}, and this release knows schemas up to {SCHEMA}; "
            "use the release that wrote it, or a newer one"
        )
    return version == SCHEMA


def _was_moved(connection: "PostgresqlConnection") -> bool:
    names = [name for (name,) in connection.execute(_TABLES)]
    found = connection.execute("SELECT value FROM setting WHERE key = 'schema'").fetchone() if names else None
    return found is not None and is_moving(found[0])


_TABLES: Final = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"


def _version(connection: "PostgresqlConnection", url: str) -> int:
    names = [name for (name,) in connection.execute(_TABLES)]
    if "setting" not in names:
        if names:
            raise StoreRefusedError("there are tables in the database, but not those of a post; name another one")
        return 0
    found = connection.execute("SELECT value FROM setting WHERE key = 'schema'").fetchone()
    if found:
        refuse_left(str(found[0]), describe(url))
    return int(found[0]) if found and found[0].isdigit() else 0


def _create_tables(connection: "PostgresqlConnection") -> int:
    from pbem.store.sqlite import GENERATION, new_generation

    for statement in create_statements():
        connection.execute(statement)
    connection.execute("INSERT INTO tally (name, count) VALUES ('received', 0)")
    connection.execute("INSERT INTO setting (key, value) VALUES ('schema', '0')")
    values = {"key": GENERATION, "value": new_generation()}
    connection.execute("INSERT INTO setting (key, value) VALUES (:key, :value)", values)
    return BASE


def create_statements() -> Iterator[str]:
    """The statements that create all tables: text sorts by its bytes, and references can wait for the commit."""
    from sqlalchemy.dialects import postgresql

    from pbem.store import schema

    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]  # the library has no types here
    for statement in schema.create_statements(dialect):
        by_bytes = re.sub(r"\bTEXT\b", 'TEXT COLLATE "C"', statement)
        yield re.sub(r"(REFERENCES \S+ \([^)]*\))", r"\1 DEFERRABLE", by_bytes)
