"""The lock of a post: a file beside the database that one process locks, with the number and command of that process.

A process that handles letters or checks the clocks holds the lock. Two of them would try the same letter twice; so the
second one leaves the work to a running service, and waits for a command that will soon be done.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pbem.settings.access import explain_os_error
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.store.sqlite import check_present

if TYPE_CHECKING:
    from pbem.store.server_lock import ServerLock

SERVING: Final = "serve"
"""The command that does not end by itself."""

STANDING_BY: Final = "stand-by"
"""What a service does whose post another host serves: it takes letters in, and takes over when the other is gone."""

_POLL: Final = 0.02
_HOLDER_LENGTH: Final = 60


class PostBusyError(Exception):
    """Another process has the lock: a service, if the post is `served`, or a command that took longer than we wait."""

    def __init__(self, words: str, *, served: bool) -> None:
        super().__init__(words)
        self.served = served


@dataclass(frozen=True, slots=True)
class _Holder:
    """The process that has the lock, as it wrote itself into the file: its number and its command."""

    process: str
    command: str

    def __str__(self) -> str:
        if self.command == SERVING:
            return f"the post is being served by process {self.process}"
        doing = f" (`pbem {self.command}`)" if self.command else ""
        return f"process {self.process}{doing} is at work on the post"


@contextmanager
def take_lock(
    settings: Settings, command: str, *, patience: timedelta | None = None, may_be_missing: bool = False
) -> Iterator[None]:
    """Hold the lock while this lasts; the system releases the lock of a process that dies.

    `command` is the one that takes it. Another command is waited for as long as the settings wait for a writer, unless
    `patience` says otherwise. There must be a database, unless it `may_be_missing`.
    """
    if settings.store.is_on_server:
        with _lock_on_server(settings, command, settings.store.patience if patience is None else patience):
            yield
        return
    database = settings.database
    if not may_be_missing:
        check_present(str(database))
    place = database.with_name(f"{database.name}.lock")
    try:
        opened = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as problem:
        raise _refusal(problem, place) from problem
    try:
        _wait(opened, settings.store.patience if patience is None else patience)
        try:
            os.ftruncate(opened, 0)
            os.pwrite(opened, f"{os.getpid()} {command}\n".encode(), 0)
        except OSError as problem:
            raise _refusal(problem, place) from problem
        yield
    finally:
        os.close(opened)


@contextmanager
def _lock_on_server(settings: Settings, command: str, patience: timedelta) -> Iterator[None]:
    """The same on a server, for all machines."""
    with open_lock(settings, command) as lock:
        end = time.monotonic() + patience.total_seconds()
        while not lock.take():
            holder = lock.holder()
            served = holder is not None and holder.command == SERVING
            if holder is not None and (served or time.monotonic() >= end):
                process = f"{holder.process or 'unknown'}{f' on {holder.host}' if holder.host else ''}"
                raise PostBusyError(str(_Holder(process, holder.command)), served=served)
            time.sleep(_POLL)
        yield


def open_lock(settings: Settings, command: str) -> "ServerLock":
    """A connection to the server that can hold the lock of the post; nobody holds it yet."""
    from pbem.store.server_lock import ServerLock  # loads the driver

    return ServerLock(**settings.store.address, command=command)


def _wait(opened: int, patience: timedelta) -> None:
    """Lock the file; raise if a service has it, or a command that does not end in time."""
    end, before = time.monotonic() + patience.total_seconds(), None
    while True:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _read(opened)
        else:
            return
        # Read twice: a process that has just taken the lock may not have replaced the last holder's name yet.
        if holder == before and holder.command == SERVING:
            raise PostBusyError(str(holder), served=True)
        if time.monotonic() >= end and before is not None:
            raise PostBusyError(str(holder), served=False)
        before = holder
        time.sleep(_POLL)


def _read(opened: int) -> _Holder:
    process, _, command = os.pread(opened, _HOLDER_LENGTH, 0).decode("ascii", "replace").strip().partition(" ")
    return _Holder(process or "unknown", command)


def _refusal(problem: OSError, place: Path) -> StoreRefusedError:
    why = explain_os_error(problem, place)
    return StoreRefusedError(f"the post cannot be locked: {why.mistake}; {why.advice}")
