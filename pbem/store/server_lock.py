"""The lock of a post on a server: an advisory lock that a connection of its own holds, and who is there.

The server releases it when that connection ends, however the process dies. A machine that vanishes is noticed within a
minute or two, by what `KEEPALIVE` asks of the network.
"""

import os
import socket
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import psycopg

from pbem.store.errors import StoreRefusedError
from pbem.store.postgresql_connection import KEEPALIVE, POST_NUMBER

LOCKED: Final = 2
"""The number of the lock; the post's own number is the other half of it."""
_NAME: Final = "caravan-post"
_TAKE: Final = "SELECT pg_try_advisory_lock(%s, %s)"
_HOLDER: Final = """
    SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND classid = %s::int::oid AND objid = %s AND objsubid = 2
        AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    LIMIT 1"""
_THERE: Final = """
    SELECT DISTINCT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE %s ORDER BY application_name"""


class Present(NamedTuple):
    """A process of ours that is connected to the server."""

    host: str
    process: str
    command: str


class ServerLock:
    """A connection that can hold the lock of a post; `command` is what its process does."""

    def __init__(self, url: str, password: str | None, timeout: float, command: str) -> None:
        self._url = url
        self._more: dict[str, Any] = {**KEEPALIVE, "connect_timeout": max(2, round(timeout))}
        if password is not None:
            self._more["password"] = password
        self._command = command
        self._post = 0
        try:
            self._driver = self._connect()
        except psycopg.Error as reason:
            raise StoreRefusedError(f"the post cannot be locked: {' '.join(str(reason).split())}") from reason

    def _connect(self) -> "psycopg.Connection[Any]":
        driver: psycopg.Connection[Any] = psycopg.connect(self._url, autocommit=True, **self._more)
        (self._post,) = driver.execute(POST_NUMBER).fetchone() or (0,)
        _say(driver, self._post, self._command)
        return driver

    def name(self, command: str) -> None:
        """Let others see what this process does."""
        self._command = command
        with suppress(psycopg.Error):
            _say(self._driver, self._post, command)

    def take(self) -> bool:
        """Take the lock, if nobody has it. A connection that was lost is opened anew; until then nothing is taken."""
        try:
            if self._driver.closed:
                self._driver = self._connect()
            return bool((self._driver.execute(_TAKE, (self._post, LOCKED)).fetchone() or (False,))[0])
        except psycopg.Error:
            return False

    def is_alive(self) -> bool:
        """Whether the connection is there, and with it the lock."""
        try:
            self._driver.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    def holder(self) -> Present | None:
        """Who has the lock; None if nobody does, or the server cannot be asked."""
        try:
            found = self._driver.execute(_HOLDER, (self._post, LOCKED)).fetchone()
        except psycopg.Error:
            return None
        return None if found is None else _read(str(found[0])) or Present("", "", "")

    def present(self) -> list[Present]:
        """The processes of this post that serve it or stand by."""
        names = self._driver.execute(_THERE, (f"{_NAME} {self._post} %",)).fetchall()
        return [found for (name,) in names if (found := _read(str(name))) is not None]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._driver.close()


def _say(driver: "psycopg.Connection[Any]", post: int, command: str) -> None:
    named = f"{_NAME} {post} {socket.gethostname()[:24]} {os.getpid()} {command}"
    driver.execute("SELECT set_config('application_name', %s, false)", (named,))


def _read(name: str) -> Present | None:
    parts = name.split()
    return Present(*parts[2:]) if len(parts) == 5 and parts[0] == _NAME else None
