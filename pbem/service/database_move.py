"""Bringing a post from one database to another, between a file and a server or between two of a kind.

All rows are copied, read again in both and compared; every chain is checked where it arrived. Then the database that
was left is marked, and refuses to be opened from then on. A move that was killed can be run again: until the old
database is marked it is the post, and from then on only the end of the move is missing.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pbem.service.folder_checks import BAD, check_store
from pbem.service.lock import take_lock
from pbem.settings.delivery import SQLITE
from pbem.settings.sections import Settings
from pbem.store.errors import StoreError, StoreFailedError, StoreRefusedError
from pbem.store.left import ARRIVING, LEFT
from pbem.store.moving import VERSION, connect_for_move, copy_rows, digest_rows, mark, refuse_taken, state_of
from pbem.store.queries import Connection, Purpose
from pbem.store.sqlite import GENERATION, check_present
from pbem.store.store import Store
from pbem.store.timestamps import utc_now

MOVE: Final = "move"
_COUNTS: Final = "SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM event), (SELECT count(*) FROM inbox)"

Tell = Callable[[int, str], None]


@dataclass(frozen=True, slots=True)
class Moved:
    """What was moved, and where it is now."""

    url: str
    games: int
    events: int
    letters: int
    digests: dict[str, str]
    """Of every table, equal in both databases."""


def describe_url(url: str) -> str:
    """The address of a database as it may be shown."""
    if url.startswith(SQLITE):
        return url
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path}"


def move(settings: Settings, url: str, tell: Tell) -> Moved:
    """Copy the post, check the copy, and let it be the post from now on."""
    if url == settings.store.url:
        raise StoreRefusedError("the post is there already")
    if settings.store.url.startswith(SQLITE):
        check_present(settings.store.url.removeprefix(SQLITE))
    if url.startswith(SQLITE):
        _refuse_file(Path(url.removeprefix(SQLITE)))
    there = replace(settings, store=replace(settings.store, url=url))
    with _connected(settings) as source, _connected(there) as target:
        state, here = state_of(source), describe_url(settings.store.url)
        if state.startswith(ARRIVING):
            raise StoreRefusedError(f"a move to {here} has not ended; run it again with the settings it began with")
        if state.startswith(LEFT):
            return _finish(source, target, there, state)
        with take_lock(settings, MOVE), _inside(source, "write"):
            (generation,) = source.execute("SELECT value FROM setting WHERE key = :key", {"key": GENERATION}).fetchone()
            name = describe_url(url)
            refuse_taken(target, name)
            with _inside(target, "write"):
                copy_rows(source, target, tell)
                mark(target, f"{ARRIVING}{generation}")
            _compare(source, target, tell)
            _check(target, there)
            mark(source, f"{LEFT}{name}")
        return _finish(source, target, there, f"{LEFT}{name}")


def _refuse_file(path: Path) -> None:
    if not path.absolute().parent.is_dir():
        raise StoreRefusedError(f"{path.absolute().parent} is not a folder")


@contextmanager
def _connected(settings: Settings) -> Iterator[Connection]:
    found = connect_for_move(**settings.store.address)
    try:
        yield found
    except found.failures as reason:
        explained = found.explain(reason, reading=False)
        raise (explained if isinstance(explained, StoreError) else StoreFailedError(str(reason))) from reason
    finally:
        found.close()


@contextmanager
def _inside(connection: Connection, purpose: Purpose) -> Iterator[None]:
    connection.begin(purpose)
    try:
        yield
        connection.end(purpose, done=True)
    except BaseException:
        connection.end(purpose, done=False)
        raise
    finally:
        connection.settle(purpose)


def _compare(source: Connection, target: Connection, tell: Tell) -> None:
    before = digest_rows(source, tell)
    with _inside(target, "read"):
        after = digest_rows(target, tell)
    if different := [table for table in before if before[table] != after[table]]:
        raise StoreRefusedError(f"nothing was moved: {', '.join(different)} did not arrive as they were; try again")


def _check(target: Connection, there: Settings) -> None:
    """Look at every chain where it arrived, as `pbem doctor --quick` does."""
    wrong = [found.text for found in check_store(Store(target, utc_now), there, quick=True) if found.state == BAD]
    if wrong:
        raise StoreRefusedError(f"nothing was moved: {wrong[0]}; see `pbem doctor`")


def _finish(source: Connection, target: Connection, there: Settings, state: str) -> Moved:
    """Let the new database be opened, now that the old one cannot be."""
    if state != f"{LEFT}{describe_url(there.store.url)}":
        raise StoreRefusedError(f"the post has {state}; this copy is dead and cannot be moved")
    (generation,) = source.execute("SELECT value FROM setting WHERE key = :key", {"key": GENERATION}).fetchone()
    with _inside(target, "write"):
        if state_of(target) == f"{ARRIVING}{generation}":
            mark(target, VERSION)
    with _inside(target, "read"):
        games, events, letters = target.execute(_COUNTS).fetchone()
        digests = digest_rows(target, lambda *_: None)
    return Moved(there.store.url, int(games), int(events), int(letters), digests)
