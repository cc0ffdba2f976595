"""Entering a post that was founded: its store, its office, and the one key that only one process holds.

Whoever takes letters from received to their fate, or looks at the clocks, holds the key. Two clerks at one desk
would try the same letter twice; so the second is told to leave it to the first.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from pbem.clerk.office import Office, open_office, utc_now
from pbem.service.founding import database_of
from pbem.service.signing import why_no_signing
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.store.store import Store


class BusyOfficeError(Exception):
    """Another process is the clerk now."""


@contextmanager
def open_store(settings: Settings) -> Iterator[Store]:
    """The store alone, for whoever only keeps letters or looks at them."""
    _find_database(settings)
    with Store.open(settings.store.url, patience=settings.store.patience) as store:
        yield store


@contextmanager
def enter(settings: Settings, now: Callable[[], datetime] = utc_now) -> Iterator[Office]:
    """The office, without the key: for looking, and for inviting people to a new table."""
    _find_database(settings)
    if settings.post.ticket_key is None:
        raise StoreRefusedError("there is no key for reply addresses; name its file in post.ticket_key_file")
    if (why := why_no_signing(settings)) is not None:
        raise StoreRefusedError(why)
    office = open_office(settings, now=now)
    with office.store:
        yield office


@contextmanager
def take_key(settings: Settings) -> Iterator[None]:
    """Be the clerk while this lasts; the system takes the key back from a process that dies."""
    database = _find_database(settings)
    key = os.open(database.with_name(f"{database.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(key, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(key, 20, 0).decode("ascii", "replace").strip()
            raise BusyOfficeError(f"the post is being served by process {holder or 'unknown'}") from None
        os.ftruncate(key, 0)
        os.pwrite(key, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(key)


def _find_database(settings: Settings) -> Path:
    """The database, which must be there: one made in passing would hide that the right one is missing."""
    database = database_of(settings)
    if not database.is_file():
        raise StoreRefusedError(f"{database} is not there; `pbem init` founds a new post")
    return database
