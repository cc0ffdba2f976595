"""Letters from a mailbox at a provider, over IMAP: by polling, and at once where the server pushes (IDLE).

A letter is moved away or marked as read only when it is stored. If the connection breaks in between, the same bytes
are fetched again, and the store knows them.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ssl import create_default_context
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Final

from pbem.mail.transport.protocols import Accepted, Checked, Letterbox, TransportError
from pbem.mail.transport.retry import LeftLetters, describe_failure, reconnect_delay
from pbem.settings.sections import ImapSettings

if TYPE_CHECKING:
    from imapclient import IMAPClient

_BATCH: Final = 20
_LONGEST_IDLE: Final = 9 * 60.0
"""Seconds after which IDLE is started again: servers may drop a silent client after half an hour, routers sooner."""

_POLL: Final = 1.0
"""Seconds between two looks at whether to stop, and at a folder that has just had letters."""

_LOG: Final = logging.getLogger(__name__)


class ImapIntake:
    """One folder of one mailbox."""

    name = "imap"
    listens = False

    def __init__(self, settings: ImapSettings, accepted: Accepted) -> None:
        self.address = f"{settings.user} at {settings.host}:{settings.port}"
        self._settings = settings
        self._accepted = accepted
        self._left = LeftLetters()

    def collect(self, box: Letterbox) -> int:
        """Connect, take everything that is there now, and disconnect."""
        from imapclient.exceptions import IMAPClientError

        try:
            with self._mailbox() as server:
                return self._take(server, box)
        except IMAPClientError as reason:
            raise TransportError(describe_failure(reason)) from reason

    def watch(self, box: Letterbox, stop: Event) -> None:
        """Stay connected and take letters as they come; reconnect after growing waits if the server is gone."""
        from imapclient.exceptions import IMAPClientError

        failures = 0
        while not stop.is_set():
            try:
                with self._mailbox() as server:
                    failures = 0
                    while not stop.is_set():
                        took = self._take(server, box)
                        self._wait(server, stop, _POLL if took else self._settings.every.total_seconds())
            except (IMAPClientError, OSError) as reason:
                failures += 1
                _LOG.warning("%s: %s", self._settings.host, describe_failure(reason))
                stop.wait(reconnect_delay(failures))

    def check(self) -> Checked:
        """Connect, log in and open the folder."""
        from imapclient.exceptions import IMAPClientError

        try:
            with self._mailbox():
                return Checked(self.name, good=True, text=f"{self.address} answers")
        except (IMAPClientError, OSError) as reason:
            return Checked(self.name, good=False, text=f"{self.address}: {describe_failure(reason)}")

    def _take(self, server: "IMAPClient", box: Letterbox) -> int:
        """Fetch, store, and only then move or mark. What the post has no room for stays as it is."""
        found = [uid for uid in server.search("ALL" if self._moves else "UNSEEN") if uid not in self._left]
        taken = 0
        for start in range(0, len(found), _BATCH):
            batch = found[start : start + _BATCH]
            letters = self._fetch(server, batch, self._accepted.largest)
            large = [uid for uid, raw in letters.items() if len(raw) > self._accepted.largest]
            taken += self._store(server, box, {uid: letters[uid] for uid in sorted(letters.keys() - set(large))})
            for uid in large:
                # One at a time, for each may be as large as forty others.
                taken += self._store(server, box, self._fetch(server, [uid], self._accepted.limit(letters[uid])))
        return taken

    def _fetch(self, server: "IMAPClient", batch: list[int], largest: int) -> dict[int, bytes]:
        """The letters in order, each up to the first byte too many if it is too large."""
        answers = server.fetch(batch, [f"BODY.PEEK[]<0.{largest + 1}>"])
        found = {
            uid: content
            for uid, answer in answers.items()
            for part, content in answer.items()
            if part.startswith(b"BODY[]") and content is not None
        }
        return dict(sorted(found.items()))

    def _store(self, server: "IMAPClient", box: Letterbox, letters: dict[int, bytes]) -> int:
        """Store letters and move or mark those that are on the disk; how many they are."""
        answers = box.receive_all([*letters.values()], intake=self.name)
        stored = [uid for uid, answer in zip(letters, answers, strict=True) if answer is not None]
        for uid in letters.keys() - set(stored):
            self._left.leave(uid)
        self._finish(server, stored)
        return len(stored)

    def _finish(self, server: "IMAPClient", letters: list[int]) -> None:
        if not letters:
            return
        if not self._moves:
            server.add_flags(letters, [rb"\Seen"])
        elif server.has_capability("MOVE"):
            server.move(letters, self._settings.done)
        else:
            server.copy(letters, self._settings.done)
            server.delete_messages(letters)
            server.expunge(letters if server.has_capability("UIDPLUS") else None)

    def _wait(self, server: "IMAPClient", stop: Event, seconds: float) -> None:
        """Wait until there may be something new.

        A letter that arrives between our search and IDLE is announced before we listen, and not again: so we look
        again after a while even if nothing is announced, and soon while letters are coming in.
        """
        if not (self._settings.idle and server.has_capability("IDLE")):
            stop.wait(seconds)
            return
        server.idle()
        try:
            end = monotonic() + min(seconds, _LONGEST_IDLE)
            while not stop.is_set() and monotonic() < end and not server.idle_check(timeout=_POLL):
                pass
        finally:
            server.idle_done()

    @property
    def _moves(self) -> bool:
        return self._settings.after == "move"

    @contextmanager
    def _mailbox(self) -> Iterator["IMAPClient"]:
        """A connection, logged in, with our folder open."""
        from imapclient import IMAPClient, SocketTimeout

        settings = self._settings
        seconds = settings.timeout.total_seconds()
        context = None if settings.security == "none" else create_default_context(cafile=settings.ca_file)
        server = IMAPClient(
            settings.host,
            settings.port,
            ssl=settings.security == "tls",
            ssl_context=context,
            timeout=SocketTimeout(connect=seconds, read=seconds),
        )
        try:
            if settings.security == "starttls":
                server.starttls(context)
            server.login(settings.user, settings.password.reveal() if settings.password is not None else "")
            if self._moves and not server.folder_exists(settings.done):
                server.create_folder(settings.done)
            server.select_folder(settings.folder)
            yield server
        finally:
            with suppress(Exception):  # the server may be gone
                server.logout()
