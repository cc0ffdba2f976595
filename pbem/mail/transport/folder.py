"""Mails as `.eml` files in one folder, numbered as they come, for any mail program to open.

Also the functions by which transports make sure that a file and its name are on the disk.
"""

import os
from hashlib import sha256
from pathlib import Path

from pbem.mail.transport.protocols import Checked, Deferred, SendResult, Sent
from pbem.settings.sections import FolderMailerSettings


def write_through(path: Path, content: bytes) -> None:
    """Create a file with this content and flush it; an existing file is an error."""
    with path.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def flush_folder(folder: Path) -> None:
    """Flush a folder: names that were added or moved into it are on the disk when this returns."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def file_name(address: str) -> str:
    """An address as a file name: readable as a rule, and never outside the folder."""
    from urllib.parse import quote

    name = quote(address, safe="@+=_-.!#$&'^{}~")[:200]
    return name if name.strip(".") == name else name.replace(".", "%2E")


def check_writable(folder: Path) -> Checked:
    """Whether a folder can be written, or made."""
    place = next(each for each in (folder, *folder.parents) if each.exists())
    good = place.is_dir() and os.access(place, os.W_OK | os.X_OK)
    return Checked("mails out", good, f"{folder}" if good else f"{folder} cannot be written")


_DIGITS = 6


class FolderMailer:
    """Writes `000123-anna@example.org-1f2e3d4c.eml`. A mail that is there already is not written twice."""

    def __init__(self, settings: FolderMailerSettings, _sender: str) -> None:
        self._folder = settings.path
        self._last = 0
        self._there: set[str] = set()

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        """Write the whole file, then give it its name."""
        mark = f"{file_name(recipient)}-{sha256(raw).hexdigest()[:8]}.eml"
        try:
            if not self._there:
                self._read_folder()
            if mark not in self._there:
                self._write(raw, mark)
        except OSError as reason:
            return Deferred(f"{self._folder}: {reason.strerror or reason}", closed=True, tried=False)
        return Sent()

    def check(self) -> Checked:
        """Whether the folder can be written, or made."""
        return check_writable(self._folder)

    def close(self) -> None:
        """Nothing is open between mails."""

    def _read_folder(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        for path in self._folder.glob("*-*.eml"):
            number, _, mark = path.name.partition("-")
            self._there.add(mark)
            self._last = max(self._last, int(number) if number.isdigit() else 0)

    def _write(self, raw: bytes, mark: str) -> None:
        draft = self._folder / f".{mark}"
        draft.unlink(missing_ok=True)  # left by a crash
        write_through(draft, raw)
        self._last += 1
        draft.rename(self._folder / f"{self._last:0{_DIGITS}}-{mark}")
        flush_folder(self._folder)
        self._there.add(mark)
