"""Servers to carry mail to and from, all of them real and all of them here, and a letterbox to look into."""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext, create_default_context
from threading import Event, Thread
from typing import Any

import pytest
import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from imapclient import IMAPClient


@dataclass
class Box:
    """A letterbox of the mind, which can be made to fail."""

    letters: list[bytes] = field(default_factory=list)
    envelopes: list[tuple[str, str | None, tuple[str, ...]]] = field(default_factory=list)
    broken: bool = False
    no_room_for: bytes | None = None
    dropped: Event = field(default_factory=Event)

    def receive(
        self, raw: bytes, *, intake: str, env_from: str | None = None, env_to: Sequence[str] = ()
    ) -> int | None:
        if self.broken:
            raise RuntimeError("the disk is full")
        if self.no_room_for is not None and self.no_room_for in raw:
            return None
        self.letters.append(raw)
        self.envelopes.append((intake, env_from, tuple(env_to)))
        self.dropped.set()
        return len(self.letters)

    def receive_all(self, raws: Sequence[bytes], *, intake: str) -> list[int | None]:
        return [self.receive(raw, intake=intake) for raw in raws]


@pytest.fixture
def box() -> Box:
    return Box()


@dataclass(frozen=True)
class Papers:
    """A certificate for this machine, and the authority that vouches for it."""

    ca: Path
    chain: Path

    @property
    def context(self) -> SSLContext:
        context = SSLContext(PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.chain)
        return context


@pytest.fixture(scope="session")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    folder = tmp_path_factory.mktemp("papers")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    authority.issue_cert("localhost", "127.0.0.1").private_key_and_cert_chain_pem.write_to_path(folder / "chain.pem")
    return Papers(folder / "ca.pem", folder / "chain.pem")


@dataclass
class Sink:
    """A mail server that takes everything, or answers as it is told for a recipient or for a content."""

    port: int = 0
    taken: list[tuple[str | None, str, bytes]] = field(default_factory=list)
    sessions: list[tuple[bool, bool]] = field(default_factory=list)
    options: list[list[str]] = field(default_factory=list)
    to_recipient: dict[str, str] = field(default_factory=dict)
    to_sender: str = ""
    to_content: list[str] = field(default_factory=list)
    hang_up: int = 0
    goodbyes: int = 0
    connections: int = 0

    async def handle_MAIL(  # noqa: N802 - the library's names, here and below
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.hang_up:
            self.hang_up -= 1
            server.transport.close()  # type: ignore[union-attr]  # there is one while somebody talks
            return "221 bye"
        if self.goodbyes:
            self.goodbyes -= 1
            return "421 4.4.2 timeout exceeded"
        if self.to_sender:
            return self.to_sender
        self.options.append(options)
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802 - as above
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.to_recipient:
            return self.to_recipient[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - as above
        if self.to_content:
            return self.to_content.pop(0)
        content = envelope.original_content or b""
        self.taken.append((envelope.mail_from, envelope.rcpt_tos[0], content))
        self.sessions.append(
            (bool(server.transport and server.transport.get_extra_info("sslcontext")), session.authenticated is True)
        )
        return "250 taken"


def check_login(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
    good = isinstance(data, LoginPassword) and (data.login, data.password) == (b"caravan", b"open sesame")
    return AuthResult(success=good, handled=False)


@contextmanager
def serving(sink: Sink, *, ssl: SSLContext | None = None, **options: Any) -> Iterator[Sink]:
    """A server in a thread of its own."""
    ready, stop = Event(), Event()

    async def serve() -> None:
        loop = asyncio.get_running_loop()

        def talk() -> SMTP:
            sink.connections += 1
            return SMTP(sink, enable_SMTPUTF8=True, loop=loop, **options)

        server = await loop.create_server(talk, "127.0.0.1", sink.port, ssl=ssl)
        sink.port = server.sockets[0].getsockname()[1]
        ready.set()
        await loop.run_in_executor(None, stop.wait)
        server.close()

    thread = Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(10)
    try:
        yield sink
    finally:
        stop.set()
        thread.join(10)


@pytest.fixture
def sink() -> Iterator[Sink]:
    with serving(Sink()) as started:
        yield started


def free_port() -> int:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def until(holds: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


@dataclass
class Mailbox:
    """A mailbox at an IMAP server, one folder of which is ours."""

    port: int
    papers: Papers
    process: "subprocess.Popen[bytes] | None" = None

    @contextmanager
    def visit(self) -> Iterator[IMAPClient]:
        context = create_default_context(cafile=self.papers.ca)
        client = IMAPClient("127.0.0.1", self.port, ssl=False, timeout=20)
        client.starttls(context)
        client.login("anna", "open sesame")
        try:
            yield client
        finally:
            with suppress(Exception):
                client.logout()

    def start(self) -> None:
        words = ["-c", "from pymap.main import main; main()", "--host", "127.0.0.1", "--port", str(self.port)]
        words += ["--cert", str(self.papers.chain), "--key", str(self.papers.chain)]
        words += ["dict", "--demo-data", "--demo-user", "anna", "--demo-password", "open sesame"]
        self.process = subprocess.Popen([sys.executable, *words], stderr=subprocess.DEVNULL)
        until(self._open)

    def _open(self) -> bool:
        with closing(socket.socket()) as knock:
            return knock.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def put(self, folder: str, *letters: bytes) -> None:
        with self.visit() as client:
            if not client.folder_exists(folder):
                client.create_folder(folder)
            for letter in letters:
                client.append(folder, letter)

    def look(self, folder: str) -> list[bytes]:
        with self.visit() as client:
            if not client.folder_exists(folder):
                return []
            client.select_folder(folder)
            found = client.fetch(client.search("ALL"), ["BODY.PEEK[]"])
            return [found[uid][b"BODY[]"] for uid in sorted(found)]


@pytest.fixture(scope="module")
def mailbox(papers: Papers) -> Iterator[Mailbox]:
    started = Mailbox(free_port(), papers)
    started.start()
    yield started
    started.stop()


@pytest.fixture
def unused_port() -> int:
    return free_port()


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A server that takes calls and says nothing."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        yield int(listener.getsockname()[1])


@pytest.fixture
def serve() -> Iterator[Callable[..., Sink]]:
    """Start a mail server with options of the library; `login` asks for the one good name and password."""
    with ExitStack() as stack:

        def start(*, login: bool = False, **options: Any) -> Sink:
            if login:
                options["authenticator"] = check_login
            return stack.enter_context(serving(Sink(), **options))

        yield start
