"""Letters from a mailbox at a provider, over IMAP: by looking every so often, and told by the server (IDLE) at once.

A letter is moved away, or marked as read, only when it is kept. If the connection breaks in between, the same bytes
are fetched again, and the store knows them.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ssl import create_default_context
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Final

from pbem.mail.transport.protocols import Letterbox
from pbem.mail.transport.retry import reconnect_delay
from pbem.mail.transport.smtp import describe_failure
from pbem.settings.sections import ImapSettings as Settings

if TYPE_CHECKING:
    from imapclient import IMAPClient

_BATCH: Final = 20
_LONGEST_IDLE: Final = 9 * 60.0
"""Seconds after which IDLE is begun anew: servers may drop a silent client after half an hour, and routers sooner."""

_GLANCE: Final = 1.0
"""Seconds between two glances: at whether we are told to stop, and at a folder that has just had letters."""

_LOG: Final = logging.getLogger(__name__)


class ImapIntake:
    """One folder of one mailbox."""

    name = "imap"

    def __init__(self, settings: Settings, largest: int) -> None:
        self._wishes = settings
        self._largest = largest

    def collect(self, box: Letterbox) -> int:
        """Connect, take everything that lies there now, and leave."""
        with self._mailbox() as server:
            return self._take(server, box)

    def watch(self, box: Letterbox, stop: Event) -> None:
        """Stay connected and take letters as they come; knock again, more and more patiently, if the server is gone."""
        from imapclient.exceptions import IMAPClientError

        failures = 0
        while not stop.is_set():
            try:
                with self._mailbox() as server:
                    failures = 0
                    while not stop.is_set():
                        took = self._take(server, box)
                        self._wait(server, stop, _GLANCE if took else self._wishes.every.total_seconds())
            except (IMAPClientError, OSError) as reason:
                failures += 1
                _LOG.warning("%s: %s", self._wishes.host, describe_failure(reason))
                stop.wait(reconnect_delay(failures))

    def check(self) -> str | None:
        """Connect, log in and look; what is wrong, if anything."""
        from imapclient.exceptions import IMAPClientError

        try:
            with self._mailbox():
                return None
        except (IMAPClientError, OSError) as reason:
            return describe_failure(reason)

    def _take(self, server: "IMAPClient", box: Letterbox) -> int:
        """Fetch, keep, and only then put away."""
        found = server.search("ALL" if self._moves else "UNSEEN")
        for start in range(0, len(found), _BATCH):
            batch = found[start : start + _BATCH]
            # Of a letter that is too large as much is fetched as shows that it is.
            answers = server.fetch(batch, [f"BODY.PEEK[]<0.{self._largest + 1}>"])
            letters = {
                uid: content
                for uid, answer in answers.items()
                for part, content in answer.items()
                if part.startswith(b"BODY[]") and content is not None
            }
            box.receive_all([letters[uid] for uid in sorted(letters)], intake=self.name)
            self._put_away(server, sorted(letters))
        return len(found)

    def _put_away(self, server: "IMAPClient", letters: list[int]) -> None:
        if not letters:
            return
        if not self._moves:
            server.add_flags(letters, [rb"\Seen"])
        elif server.has_capability("MOVE"):
            server.move(letters, self._wishes.done)
        else:
            server.copy(letters, self._wishes.done)
            server.delete_messages(letters)
            server.expunge(letters if server.has_capability("UIDPLUS") else None)

    def _wait(self, server: "IMAPClient", stop: Event, seconds: float) -> None:
        """Until there may be something new.

        A letter that came between our search and IDLE was told in an answer that nobody listened to, and is not told
        again: so we look again even if nothing is told, and soon where letters are coming in.
        """
        if not (self._wishes.idle and server.has_capability("IDLE")):
            stop.wait(seconds)
            return
        server.idle()
        try:
            end = monotonic() + min(seconds, _LONGEST_IDLE)
            while not stop.is_set() and monotonic() < end and not server.idle_check(timeout=_GLANCE):
                pass
        finally:
            server.idle_done()

    @property
    def _moves(self) -> bool:
        return self._wishes.after == "move"

    @contextmanager
    def _mailbox(self) -> Iterator["IMAPClient"]:
        """A connection, logged in, with our folder open."""
        from imapclient import IMAPClient, SocketTimeout

        settings = self._wishes
        seconds = settings.timeout.total_seconds()
        safely = None if settings.security == "none" else create_default_context(cafile=settings.ca_file)
        server = IMAPClient(
            settings.host,
            settings.port,
            ssl=settings.security == "tls",
            ssl_context=safely,
            timeout=SocketTimeout(connect=seconds, read=seconds),
        )
        try:
            if settings.security == "starttls":
                server.starttls(safely)
            server.login(settings.user, settings.password.reveal() if settings.password is not None else "")
            if self._moves and not server.folder_exists(settings.done):
                server.create_folder(settings.done)
            server.select_folder(settings.folder)
            yield server
        finally:
            with suppress(Exception):  # a server that is gone needs no goodbye
                server.logout()
