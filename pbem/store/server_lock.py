"""The lock of a post on a server: an advisory lock that a connection of its own holds, and who holds it.

The server releases it when that connection ends, however the process dies. A machine that vanishes is noticed within a
minute or two, by what `KEEPALIVE` asks of the network.
"""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg

from pbem.store.errors import StoreRefusedError
from pbem.store.postgresql_connection import KEEPALIVE, POST_NUMBER

LOCKED: Final = 2
"""The number of the lock; the post's own number is the other half of it."""
_NAME: Final = "caravan-post"
_POLL: Final = 0.05
_HOLDER: Final = """
    SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND classid = %s::int::oid AND objid = %s AND objsubid = 2
        AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    LIMIT 1"""


class LockedError(Exception):
    """Somebody else holds the lock: the `host`, the `process` and the `command`, as far as the server knows."""

    def __init__(self, host: str, process: str, command: str) -> None:
        super().__init__(command)
        self.host, self.process, self.command = host, process, command


@contextmanager
def hold_lock(url: str, password: str | None, command: str, *, patience: float, serving: str) -> Iterator[None]:
    """Hold the lock while this lasts; wait for another command, but not for a service, whose command is `serving`."""
    more: dict[str, Any] = {**KEEPALIVE, "connect_timeout": max(2, round(patience))}
    if password is not None:
        more["password"] = password
    name = f"{_NAME} {socket.gethostname()[:20]} {os.getpid()} {command}"
    try:
        driver = psycopg.connect(url, autocommit=True, application_name=name, **more)
    except psycopg.Error as reason:
        raise StoreRefusedError(f"the post cannot be locked: {' '.join(str(reason).split())}") from reason
    with driver:
        (post,) = driver.execute(POST_NUMBER).fetchone() or (0,)
        _wait(driver, post, patience, serving)
        yield


def _wait(driver: "psycopg.Connection[Any]", post: int, patience: float, serving: str) -> None:
    end = time.monotonic() + patience
    while not (driver.execute("SELECT pg_try_advisory_lock(%s, %s)", (post, LOCKED)).fetchone() or (False,))[0]:
        found = driver.execute(_HOLDER, (post, LOCKED)).fetchone()
        parts = str(found[0]).split() if found else []
        host, process, command = parts[1:] if len(parts) == 4 and parts[0] == _NAME else ("", "", "")
        if command == serving or (found is not None and time.monotonic() >= end):
            raise LockedError(host, process, command)
        time.sleep(_POLL)
