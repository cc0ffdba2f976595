"""Letters from a Maildir: taken from `new`, and moved to `cur` only when they are kept.

Mails into Maildirs, one for each recipient, for players on the same machine.
"""

import logging
import re
from pathlib import Path
from threading import Event
from typing import Final

from pbem.mail.transport.folder import file_name, flush_folder
from pbem.mail.transport.protocols import Deferred, Letterbox, SendResult, Sent
from pbem.settings.sections import MaildirIntakeSettings as Settings

_BATCH: Final = 50
_SEEN: Final = ":2,S"
_NUMBER: Final = re.compile(r"\d+")
_DIGITS: Final = 20
_LOG: Final = logging.getLogger(__name__)


class MaildirIntake:
    """Looks into one Maildir. If we die before the move, the same bytes come again, and the store knows them."""

    name = "maildir"

    def __init__(self, settings: Settings, largest: int) -> None:
        self._new = settings.path / "new"
        self._cur = settings.path / "cur"
        self._every = settings.every.total_seconds()
        self._largest = largest

    def collect(self, box: Letterbox) -> int:
        """Take everything that lies there now, in the order of its names, which begin with the time.

        No letter waits for one that cannot be read; that there is such a one is said when the others are taken.
        """
        found = sorted((path for path in self._new.iterdir() if _is_letter(path)), key=_moment)
        taken, trouble = 0, None
        for start in range(0, len(found), _BATCH):
            letters: dict[Path, bytes] = {}
            for path in found[start : start + _BATCH]:
                try:
                    letters[path] = self._read(path)
                except OSError as reason:
                    trouble = reason
            box.receive_all([*letters.values()], intake=self.name)
            for path in letters:
                path.rename(self._cur / (path.name.partition(":")[0] + _SEEN))
            flush_folder(self._cur)
            taken += len(letters)
        if trouble is not None:
            raise trouble
        return taken

    def watch(self, box: Letterbox, stop: Event) -> None:
        """Look every so often."""
        while not stop.is_set():
            try:
                self.collect(box)
            except OSError as reason:
                _LOG.warning("%s: %s", self._new, reason)
            stop.wait(self._every)

    def _read(self, path: Path) -> bytes:
        """The letter; of one that is too large as much as shows that it is."""
        with path.open("rb") as stream:
            return stream.read(self._largest + 1)


def _is_letter(path: Path) -> bool:
    """Whether a name stands for a letter: others may keep folders and marks of their own beside them."""
    return not path.name.startswith(".") and path.is_file()


def _moment(path: Path) -> str:
    """A name by which letters come in order: numbers in it count as numbers, for few programs write their noughts."""
    return _NUMBER.sub(lambda number: number[0].zfill(_DIGITS), path.name)


class MaildirMailer:
    """Puts a mail into `folder/anna@example.org/new`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        """Write it in tmp, flush it, move it to new, flush that."""
        from mailbox import Maildir

        place = self._folder / file_name(recipient)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            box = Maildir(place)
            box.add(raw)
            flush_folder(place / "new")
        except OSError as reason:
            return Deferred(f"{place}: {reason.strerror or reason}", closed=True, tried=False)
        return Sent()

    def close(self) -> None:
        """Nothing is kept open."""
