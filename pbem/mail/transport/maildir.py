"""Maildirs: letters from one, and mails into one for each recipient on the same machine.

Letters are taken from `new` and moved to `cur` only when they are stored.
"""

import logging
import os
import re
from pathlib import Path
from threading import Event
from typing import Final

from pbem.mail.transport.folder import check_writable, file_name, flush_folder
from pbem.mail.transport.protocols import Accepted, Checked, Deferred, Letterbox, SendResult, Sent
from pbem.mail.transport.retry import LeftLetters
from pbem.settings.sections import MaildirIntakeSettings, MaildirMailerSettings

_BATCH: Final = 50
_BATCH_BYTES: Final = 16_000_000
_SEEN: Final = ":2,S"
_NUMBER: Final = re.compile(r"\d+")
_DIGITS: Final = 20
_LOG: Final = logging.getLogger(__name__)


class MaildirIntake:
    """Reads one Maildir. If we die before a letter is moved, the same bytes come again, and the store knows them."""

    name = "maildir"
    listens = False

    def __init__(self, settings: MaildirIntakeSettings, accepted: Accepted) -> None:
        self.address = str(settings.path)
        self._path = settings.path
        self._new = settings.path / "new"
        self._cur = settings.path / "cur"
        self._every = settings.every.total_seconds()
        self._accepted = accepted
        self._left = LeftLetters()

    def collect(self, box: Letterbox) -> int:
        """Take everything that is there now, in the order of the file names, which begin with the time.

        A letter that cannot be read does not keep the others waiting; it is reported when they are stored. One that the
        post has no room for stays where it is.
        """
        there = (path for path in self._new.iterdir() if _is_letter(path) and path.name not in self._left)
        found = sorted(there, key=_sort_key)
        taken, trouble = 0, None
        letters: dict[Path, bytes] = {}
        for at, path in enumerate(found, 1):
            try:
                letters[path] = self._read(path)
            except OSError as reason:
                trouble = reason
            if at == len(found) or len(letters) == _BATCH or sum(map(len, letters.values())) > _BATCH_BYTES:
                taken += self._store(letters, box)
                letters.clear()
        if trouble is not None:
            raise trouble
        return taken

    def _store(self, letters: dict[Path, bytes], box: Letterbox) -> int:
        """Store some letters, and only then move them; how many they are."""
        answers = box.receive_all([*letters.values()], intake=self.name)
        stored = [path for path, answer in zip(letters, answers, strict=True) if answer is not None]
        for path in stored:
            path.rename(self._cur / (path.name.partition(":")[0] + _SEEN))
        for path in letters.keys() - set(stored):
            self._left.leave(path.name)
        flush_folder(self._cur)
        return len(stored)

    def watch(self, box: Letterbox, stop: Event) -> None:
        """Look again after every interval."""
        while not stop.is_set():
            try:
                self.collect(box)
            except OSError as reason:
                _LOG.warning("%s: %s", self._new, reason)
            stop.wait(self._every)

    def check(self) -> Checked:
        """Whether the folders of a Maildir are there and can be used."""
        missing = [name for name in ("new", "cur", "tmp") if not (self._path / name).is_dir()]
        if missing:
            return Checked(
                self.name, good=False, text=f"{self._path} is no Maildir: it has no {' and no '.join(missing)}"
            )
        if not all(os.access(folder, os.R_OK | os.W_OK | os.X_OK) for folder in (self._new, self._cur)):
            return Checked(self.name, good=False, text=f"{self._path} cannot be read and written")
        return Checked(self.name, good=True, text=str(self._path))

    def _read(self, path: Path) -> bytes:
        """The letter, up to the first byte too many if it is too large."""
        largest = self._accepted.largest
        with path.open("rb") as stream:
            raw = stream.read(largest + 1)
            return raw if len(raw) <= largest else raw + stream.read(max(0, self._accepted.limit(raw) - largest))


def _is_letter(path: Path) -> bool:
    """Whether a file is a letter: other programs may have folders and marker files beside them."""
    return not path.name.startswith(".") and path.is_file()


def _sort_key(path: Path) -> str:
    """A sort key by time: numbers in the name count as numbers, because few programs pad them with zeros."""
    return _NUMBER.sub(lambda number: number[0].zfill(_DIGITS), path.name)


class MaildirMailer:
    """Puts a mail into `folder/anna@example.org/new`."""

    def __init__(self, settings: MaildirMailerSettings, _sender: str) -> None:
        self._folder = settings.path

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

    def check(self) -> Checked:
        """Whether the folder can be written, or made."""
        return check_writable(self._folder)

    def close(self) -> None:
        """Nothing is open between mails."""
