"""A site on the disk: only what changed is written, each file whole or not at all.

A list of the files that are ours stands in the folder, so that what is no longer public can be taken away and nothing
else ever is. A file comes before what links to it, and goes after it.
"""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

LIST: Final = ".caravan-site"
"""The names of all files of the site, one a line."""


class Written(NamedTuple):
    """What became of a site."""

    written: tuple[str, ...]
    same: int
    removed: tuple[str, ...]


class SiteFolder:
    """Takes the files of a site one by one, in the order in which they may be seen."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._before = self._read_list()
        self._now: dict[str, None] = {}
        self._written: list[str] = []
        self._same = 0

    def keep(self, names: Iterable[str]) -> None:
        """Leave files as they are; they belong to the site."""
        self._now.update(dict.fromkeys(names))

    def put(self, name: str, content: bytes) -> None:
        """Write a file of the site, if it is not there with this content."""
        if name in self._now:
            return
        self._now[name] = None
        path = self._folder / name
        if path.is_file() and path.read_bytes() == content:
            self._same += 1
            return
        if name not in self._before:
            # If this ends here, the next one finds what is ours.
            self._before[name] = None
            self._write_list(self._before)
        _replace(path, content)
        self._written.append(name)

    def finish(self) -> Written:
        """Take away what belonged to the site and does no longer."""
        gone = [name for name in self._before if name not in self._now]
        for name in gone:
            (self._folder / name).unlink(missing_ok=True)
        self._write_list(self._now)
        return Written(tuple(self._written), self._same, tuple(gone))

    def _read_list(self) -> dict[str, None]:
        try:
            lines = (self._folder / LIST).read_text("utf-8").splitlines()
        except FileNotFoundError:
            return {}
        return dict.fromkeys(line for line in lines if line and ".." not in line and not line.startswith("/"))

    def _write_list(self, names: Iterable[str]) -> None:
        content = "".join(f"{name}\n" for name in sorted(names)).encode()
        path = self._folder / LIST
        if not (path.is_file() and path.read_bytes() == content):
            _replace(path, content)


def _replace(path: Path, content: bytes) -> None:
    """A file in one step; everybody may read it, because a web server does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(prefix=".draft-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(draft).chmod(0o644)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
