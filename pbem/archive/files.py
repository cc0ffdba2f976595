"""Write files whole or not at all.

A draft is written beside the file and becomes it in one step, so neither a crash nor a full disk can lose a record. A
draft for standard output is printed when it is complete.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from pbem.archive.source import STDIN

_IN_MEMORY = 1 << 20
"""A longer draft for standard output goes to a temporary file."""


class FileDraft:
    """A new version of the file called `name` (of what it points to, if it is a link), or of standard input.

    The draft is created with the first `write`. Leaving the `with` block deletes it, unless `publish` was called.
    """

    def __init__(self, name: str, *, private: bool = False) -> None:
        self._private = private
        """Whether only its owner may read a file that was not there before."""
        self._path = None if name == STDIN else Path(name).resolve()
        self._stream: IO[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()
            if self._path is not None:
                Path(self._stream.name).unlink(missing_ok=True)

    def write(self, text: str) -> None:
        """Append to the draft."""
        if self._stream is None:
            self._stream = self._open()
        self._stream.write(text)

    def lines(self) -> Iterator[str]:
        """The draft so far, line by line."""
        if self._stream is None:
            return
        self._stream.seek(0)
        yield from (line.removesuffix("\n") for line in self._stream)
        self._stream.seek(0, os.SEEK_END)

    def publish(self) -> None:
        """Make the draft the file, flushed to the disk, with the file's permissions; or print it."""
        if self._stream is None:
            return
        self._stream.flush()
        if self._path is None:
            self._stream.seek(0)
            shutil.copyfileobj(self._stream, sys.stdout)
        else:
            os.fsync(self._stream.fileno())
            if self._path.exists():
                shutil.copymode(self._path, self._stream.name)
            elif not self._private:
                Path(self._stream.name).chmod(0o666 & ~_umask())
            Path(self._stream.name).replace(self._path)

    def _open(self) -> IO[str]:
        if self._path is None:
            return tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n")
        return tempfile.NamedTemporaryFile(
            "w+", encoding="utf-8", newline="\n", prefix=f".{self._path.name}.", dir=self._path.parent, delete=False
        )


def _umask() -> int:
    """What this process takes away from the permissions of new files."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def write_file(path: Path, content: bytes, *, private: bool) -> None:
    """Write a file; only its owner can read a private one.

    A private file is written as a new file that replaces the old one: somebody who has the old file open must not read
    what is written.
    """
    if not private or (path.exists() and not path.is_file()):
        path.write_bytes(content)  # a pipe or a terminal cannot be replaced
        return
    path = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
