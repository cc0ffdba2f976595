"""The key of a post, which only one process holds: a lock on a file beside the database that says who has it.

Whoever takes letters from received to their fate, or looks at the clocks, holds the key. Two clerks at one desk
would try the same letter twice; so the second leaves it to a service that is open, and waits for an errand that
will soon be over.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from pbem.service.post_folder import database_of
from pbem.settings.access import explain_os_error
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.store.sqlite import check_present

SERVING: Final = "serve"
"""The errand that has no end of its own."""

_PAUSE: Final = 0.02
_LONGEST: Final = 60


class PostBusyError(Exception):
    """Another process is the clerk now: a service, if the post is `served`, or one that took longer than we wait."""

    def __init__(self, words: str, *, served: bool) -> None:
        super().__init__(words)
        self.served = served


@dataclass(frozen=True, slots=True)
class _Holder:
    """Who has the key, as he wrote it down: the number of his process, and which command it runs."""

    process: str
    errand: str

    def __str__(self) -> str:
        if self.errand == SERVING:
            return f"the post is being served by process {self.process}"
        doing = f" (`pbem {self.errand}`)" if self.errand else ""
        return f"process {self.process}{doing} is at work on the post"


@contextmanager
def take_lock(settings: Settings, errand: str, *, patience: timedelta | None = None) -> Iterator[None]:
    """Be the clerk while this lasts; the system takes the key back from a process that dies.

    `errand` is the command that wants it. Another errand is waited for, as long as the settings wait for a writer
    unless `patience` says otherwise.
    """
    database = database_of(settings)
    check_present(str(database))
    place = database.with_name(f"{database.name}.lock")
    try:
        key = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as problem:
        raise _refusal(problem, place) from problem
    try:
        _wait(key, settings.store.patience if patience is None else patience)
        try:
            os.ftruncate(key, 0)
            os.pwrite(key, f"{os.getpid()} {errand}\n".encode(), 0)
        except OSError as problem:
            raise _refusal(problem, place) from problem
        yield
    finally:
        os.close(key)


def _wait(key: int, patience: timedelta) -> None:
    """Lock the file; or say who has it, if that is a service or he does not come to an end."""
    end, before = time.monotonic() + patience.total_seconds(), None
    while True:
        try:
            fcntl.flock(key, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _read(key)
        else:
            return
        # Said twice, it is true: who has only just taken the key may not have written his name over the last one.
        if holder == before and holder.errand == SERVING:
            raise PostBusyError(str(holder), served=True)
        if time.monotonic() >= end and before is not None:
            raise PostBusyError(str(holder), served=False)
        before = holder
        time.sleep(_PAUSE)


def _read(key: int) -> _Holder:
    process, _, errand = os.pread(key, _LONGEST, 0).decode("ascii", "replace").strip().partition(" ")
    return _Holder(process or "unknown", errand)


def _refusal(problem: OSError, place: Path) -> StoreRefusedError:
    why = explain_os_error(problem, place)
    return StoreRefusedError(f"nobody can be the clerk of this post: {why.wrong}; {why.write}")
