"""`pbem serve` as a process, mail servers around it, and friends who are reached only through them."""

import json
import os
import signal
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.post.post_games import Friend

PBEM = (sys.executable, "-m", "pbem")


def until(holds: Callable[[], Any], seconds: float = 90.0) -> Any:
    """Wait for something to become true; what it came to."""
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)
    return found


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as one:
        return int(one.getsockname()[1])


def is_open(port: int) -> bool:
    with closing(socket.socket()) as knock:
        return knock.connect_ex(("127.0.0.1", port)) == 0


class Friends:
    """A mail server that hands every mail to the friend it is for; their mailboxes are in this process."""

    def __init__(self, friends: dict[str, Friend]) -> None:
        self._friends = {friend.address: friend for friend in friends.values()}
        self.strangers: list[str] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - the library's
        for recipient in envelope.rcpt_tos:
            friend = self._friends.get(recipient)
            if friend is None:
                self.strangers.append(recipient)
            else:
                friend.get(envelope.original_content or b"")
        return "250 taken"


@contextmanager
def mail_server(friends: dict[str, Friend]) -> Iterator[tuple[int, Friends]]:
    """The friends' mail server and its port."""
    hall = Friends(friends)
    port = free_port()
    server = Controller(hall, hostname="127.0.0.1", port=port)
    server.start()
    try:
        yield port, hall
    finally:
        server.stop()


class Served:
    """A post that is being served by a process of its own."""

    def __init__(self, config: Path) -> None:
        self.config = config
        self.process: subprocess.Popen[str] | None = None
        self.told: list[dict[str, Any]] = []

    def start(self) -> None:
        words = [*PBEM, "serve", "--config", str(self.config)]
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env={**os.environ, "NO_COLOR": "1"})

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Tell it to end; its exit code. What it told is kept as data."""
        assert self.process is not None
        self.process.send_signal(how)
        _, said = self.process.communicate(timeout=40)
        self.told += [json.loads(line) for line in said.splitlines()]
        code = self.process.returncode
        self.process = None
        return code

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None


@contextmanager
def serving(config: Path) -> Iterator[Served]:
    """A post served until the block ends."""
    post = Served(config)
    post.start()
    try:
        yield post
    finally:
        if post.process is not None:
            post.process.kill()
            post.process.communicate()


def hand_over(port: int, letter: bytes, sender: str, recipient: str) -> None:
    """Give the post a letter over LMTP, as a mail server does, which keeps it while the door is closed."""
    until(lambda: is_open(port))
    with smtplib.LMTP("127.0.0.1", port) as server:
        server.sendmail(sender, [recipient], letter)
