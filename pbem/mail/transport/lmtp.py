"""Letters handed over by the mail server on this machine, over LMTP.

Every recipient gets an answer of its own: 250 only when the letter is on the disk, 4xx for whatever is our own
trouble, so that the mail server keeps the letter and comes back, and 5xx for what will never be taken.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from pbem.mail.transport.protocols import Letterbox
from pbem.settings.sections import LmtpSettings as Settings

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope, Session

_TAKEN: Final = "250 2.0.0 kept"
_OUR_TROUBLE: Final = "451 4.3.0 our own trouble, try again later"
_UNKNOWN: Final = "550 5.1.1 nobody here by that name"
_ODD_LINES: Final = "554 5.6.0 some lines do not end with CRLF"
_NOBODY: Final = "<>"
"""The sender of a bounce, as the library hands it on."""

_MOST_RECIPIENTS: Final = 100
_LONGEST_GOODBYE: Final = 10.0

_LOG: Final = logging.getLogger(__name__)


class LmtpIntake:
    """Listens on one port. `knows` says whether an address is ours."""

    name = "lmtp"

    def __init__(self, settings: Settings, largest: int, knows: Callable[[str], bool]) -> None:
        self._wishes = settings
        self._largest = largest
        self._knows = knows
        self.listening = Event()
        self.port = settings.port

    def collect(self, box: Letterbox) -> int:
        """Nothing: the mail server calls us."""
        return 0

    def watch(self, box: Letterbox, stop: Event) -> None:
        """Listen until told to stop; what is being taken then is taken to its end."""
        asyncio.run(self._listen(box, stop))

    async def _listen(self, box: Letterbox, stop: Event) -> None:
        loop = asyncio.get_running_loop()
        hall = _Handler(box, self._knows)
        server = await loop.create_server(self._make_talk(hall), self._wishes.host, self._wishes.port)
        self.port = server.sockets[0].getsockname()[1]
        self.listening.set()
        try:
            await loop.run_in_executor(None, stop.wait)
        finally:
            server.close()
            self.listening.clear()
            await hall.empty()

    def _make_talk(self, hall: "_Handler") -> "Callable[[], SMTP]":
        from aiosmtpd.lmtp import LMTP

        largest = self._largest

        class Talk(LMTP):
            """One conversation, which answers for every recipient even where the library answers once for all."""

            line_length_limit = largest  # how long a line may be is for those who read it

            async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - the library's name
                with hall.visited():
                    await super().smtp_DATA(arg)

            async def push(self, status: Any) -> None:
                envelope = self.envelope
                if envelope is not None and str(status).startswith(("552 Error: Too much", "500 Line too long")):
                    status = _to_each(envelope, f"552 5.3.4 at most {largest} bytes")
                await super().push(status)

        def talk() -> Talk:
            return Talk(
                hall,
                data_size_limit=largest,
                enable_SMTPUTF8=True,
                hostname="localhost",
                ident="Caravan Post LMTP",
                timeout=self._wishes.timeout.total_seconds(),
                loop=asyncio.get_running_loop(),
            )

        return talk


class _Handler:
    """What is answered to whom. Named after what the library calls."""

    def __init__(self, box: Letterbox, knows: Callable[[str], bool]) -> None:
        self._box = box
        self._knows = knows
        self._visits = 0

    @contextmanager
    def visited(self) -> Iterator[None]:
        """While a letter is being handed over and answered."""
        self._visits += 1
        try:
            yield
        finally:
            self._visits -= 1

    async def empty(self) -> None:
        """Wait until nobody is in the middle of a letter, but not for ever."""
        end = monotonic() + _LONGEST_GOODBYE
        while self._visits and monotonic() < end:
            await asyncio.sleep(0.02)

    async def handle_RCPT(  # noqa: N802 - the library's name
        self, server: "SMTP", session: "Session", envelope: "Envelope", address: str, options: list[str]
    ) -> str:
        if not self._knows(address):
            return _UNKNOWN
        if len(envelope.rcpt_tos) >= _MOST_RECIPIENTS:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 known"

    async def handle_DATA(self, server: "SMTP", session: "Session", envelope: "Envelope") -> str:  # noqa: N802 - as above
        raw = envelope.original_content or b""
        if raw.count(b"\n") != raw.count(b"\r\n") or raw.count(b"\r") != raw.count(b"\r\n"):
            return _to_each(envelope, _ODD_LINES)
        sender = "" if envelope.mail_from == _NOBODY else envelope.mail_from
        try:
            await asyncio.to_thread(
                self._box.receive, raw, intake="lmtp", env_from=sender, env_to=tuple(envelope.rcpt_tos)
            )
        except Exception:
            _LOG.exception("a letter could not be stored; the mail server is asked to try again")
            return _to_each(envelope, _OUR_TROUBLE)
        return _to_each(envelope, _TAKEN)

    async def handle_exception(self, error: Exception) -> str:
        _LOG.error("a conversation went wrong", exc_info=error)
        return _OUR_TROUBLE


def _to_each(envelope: "Envelope", answer: str) -> str:
    """The same answer for every recipient, each on a line of its own."""
    return "\r\n".join([answer] * max(1, len(envelope.rcpt_tos)))
