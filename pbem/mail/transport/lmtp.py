"""Letters handed over by the mail server on this machine, over LMTP.

Every recipient gets an answer of its own: 250 only when the letter is on the disk, 4xx for failures on our side, so
that the mail server keeps the letter and tries again, and 5xx for what is never accepted.
"""

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from pbem.mail.transport.envelope_check import envelope_problem
from pbem.mail.transport.protocols import Accepted, Checked, Letterbox
from pbem.settings.sections import LmtpSettings

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope, Session

_STORED: Final = "250 2.0.0 kept"
_TRY_LATER: Final = "451 4.3.0 our own trouble, try again later"
_TOO_MUCH: Final = "452 4.2.2 too much from this sender is here, try again later"
_UNKNOWN: Final = "550 5.1.1 nobody here by that name"
_BAD_ADDRESS: Final = "553 5.1.3 {}"
_TOO_LARGE: Final = "552 5.3.4 at most {} bytes"
_BARE_LINE_ENDS: Final = "554 5.6.0 some lines do not end with CRLF"
_NULL_SENDER: Final = "<>"
"""The sender of a bounce, as the library passes it."""

_MOST_RECIPIENTS: Final = 100
_LONGEST_CLOSE: Final = 10.0

_LOG: Final = logging.getLogger(__name__)


class LmtpIntake:
    """Listens on one port."""

    name = "lmtp"
    listens = True

    def __init__(self, settings: LmtpSettings, accepted: Accepted) -> None:
        self.address = f"{settings.host}:{settings.port}"
        self._settings = settings
        self._accepted = accepted
        self.listening = Event()
        self.port = settings.port

    def collect(self, box: Letterbox) -> int:
        """Nothing: the mail server connects to us."""
        return 0

    def watch(self, box: Letterbox, stop: Event) -> None:
        """Listen until told to stop; a letter that is being taken then is taken to its end."""
        asyncio.run(self._listen(box, stop))

    def check(self) -> Checked:
        """Whether the port is free to listen on."""
        try:
            with closing(socket.create_server((self._settings.host, self._settings.port))):
                return Checked(self.name, good=True, text=f"{self.address} is free to listen on")
        except OSError as reason:
            return Checked(self.name, good=False, text=f"{self.address}: {reason.strerror or reason}")

    async def _listen(self, box: Letterbox, stop: Event) -> None:
        loop = asyncio.get_running_loop()
        handler = _Handler(box, self._accepted)
        server = await loop.create_server(self._make_protocol(handler), self._settings.host, self._settings.port)
        self.port = server.sockets[0].getsockname()[1]
        self.listening.set()
        try:
            await loop.run_in_executor(None, stop.wait)
        finally:
            server.close()
            self.listening.clear()
            await handler.finish()

    def _make_protocol(self, handler: "_Handler") -> "Callable[[], SMTP]":
        from aiosmtpd.lmtp import LMTP

        # The handler knows how large each letter may be; a connection has one size for all.
        largest = max(self._accepted.largest, self._accepted.most)

        class Protocol(LMTP):
            """One connection, which answers for every recipient even where the library answers once for all."""

            line_length_limit = largest  # the reader of letters has a limit of its own

            async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - the library's name
                with handler.letter():
                    await super().smtp_DATA(arg)

            async def push(self, status: Any) -> None:
                envelope = self.envelope
                if envelope is not None and str(status).startswith(("552 Error: Too much", "500 Line too long")):
                    status = _to_each(envelope, _TOO_LARGE.format(largest))
                await super().push(status)

        def make() -> Protocol:
            return Protocol(
                handler,
                data_size_limit=largest,
                enable_SMTPUTF8=True,
                hostname="localhost",
                ident="Caravan Post LMTP",
                timeout=self._settings.timeout.total_seconds(),
                loop=asyncio.get_running_loop(),
            )

        return make


class _Handler:
    """Answers to the commands of a mail server. The library calls its methods by their names."""

    def __init__(self, box: Letterbox, accepted: Accepted) -> None:
        self._box = box
        self._accepted = accepted
        self._letters = 0

    @contextmanager
    def letter(self) -> Iterator[None]:
        """Lasts while a letter is handed over and answered."""
        self._letters += 1
        try:
            yield
        finally:
            self._letters -= 1

    async def finish(self) -> None:
        """Wait until no letter is half handed over, but not for ever."""
        end = monotonic() + _LONGEST_CLOSE
        while self._letters and monotonic() < end:
            await asyncio.sleep(0.02)

    async def handle_RCPT(  # noqa: N802 - the library's name
        self, server: "SMTP", session: "Session", envelope: "Envelope", address: str, options: list[str]
    ) -> str:
        if problem := envelope_problem([address]):
            return _BAD_ADDRESS.format(problem)
        if not self._accepted.owns(address):
            return _UNKNOWN
        if len(envelope.rcpt_tos) >= _MOST_RECIPIENTS:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 known"

    async def handle_MAIL(  # noqa: N802 - the library's name
        self, server: "SMTP", session: "Session", envelope: "Envelope", address: str, options: list[str]
    ) -> str:
        if problem := envelope_problem([address]):
            return _BAD_ADDRESS.format(problem)
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 heard"

    async def handle_DATA(self, server: "SMTP", session: "Session", envelope: "Envelope") -> str:  # noqa: N802 - as above
        raw = envelope.original_content or b""
        if raw.count(b"\n") != raw.count(b"\r\n") or raw.count(b"\r") != raw.count(b"\r\n"):
            return _to_each(envelope, _BARE_LINE_ENDS)
        if len(raw) > (largest := self._largest(raw, envelope)):
            return _to_each(envelope, _TOO_LARGE.format(largest))
        sender = "" if envelope.mail_from == _NULL_SENDER else envelope.mail_from
        try:
            taken = await asyncio.to_thread(
                self._box.receive, raw, intake="lmtp", env_from=sender, env_to=tuple(envelope.rcpt_tos)
            )
        except Exception:
            _LOG.exception("a letter could not be stored; the mail server is asked to try again")
            return _to_each(envelope, _TRY_LATER)
        return _to_each(envelope, _STORED if taken is not None else _TOO_MUCH)

    def _largest(self, raw: bytes, envelope: "Envelope") -> int:
        accepted = self._accepted
        return accepted.largest if len(raw) <= accepted.largest else accepted.limit(raw, tuple(envelope.rcpt_tos))

    async def handle_exception(self, error: Exception) -> str:
        _LOG.error("an LMTP connection failed", exc_info=error)
        return _TRY_LATER


def _to_each(envelope: "Envelope", answer: str) -> str:
    """The same answer for every recipient, each on a line of its own."""
    return "\r\n".join([answer] * max(1, len(envelope.rcpt_tos)))
