"""A file or standard input as lines of text, however large, packed or not, in constant memory.

The notation turns bytes into lines and says what is wrong with them. This module says, in one sentence, why something
cannot be opened or is not a text.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from notation import bounded_lines
from pbem.archive.packed import PackedFileError, Unpacked

STDIN: Final = "-"


class UnreadableFile(Exception):  # noqa: N818 - named for what the input is, as Fault and Verdict are
    """A file is not a text, or cannot be opened; in the second case `misuse` is true."""

    def __init__(self, message: str, *, misuse: bool) -> None:
        super().__init__(message)
        self.misuse = misuse


class Source:
    """One input, named as the user named it, `-` being standard input.

    It counts the bytes read, so that progress can be shown, passes those of the text to `on_block`, and remembers the
    last lines, so that a refusal can quote one; with `keep`, all that were not forgotten. It may begin in the middle of
    a file: at byte `begin`, which is in line `first`.
    """

    def __init__(
        self,
        name: str,
        on_block: Callable[[bytes], None] | None = None,
        *,
        begin: int = 0,
        first: int = 1,
        keep: bool = False,
    ) -> None:
        self.name = name
        self._begin = begin
        self._keep = keep
        self._on_block = on_block
        self.title = "standard input" if name == STDIN else name
        self.size = 0
        self.done = 0
        self._unpacked: Unpacked | None = None
        self._blocks: list[tuple[int, list[str]]] = [(first, [])]

    def lines(self) -> Iterator[str]:
        """All lines without their ends."""
        try:
            if self.name == STDIN:
                yield from self._split(sys.stdin.buffer)
            else:
                with self._open() as stream:
                    yield from self._split(stream)
        except PackedFileError as problem:
            raise UnreadableFile(f"{self.title}: {problem}", misuse=False) from problem
        except OSError as problem:
            raise UnreadableFile(f"{self.title}: {reason_for(problem)}", misuse=True) from problem

    @property
    def is_packed(self) -> bool:
        """Whether the text had to be unpacked, as far as it was read."""
        return self._unpacked is not None and self._unpacked.is_packed

    def quote(self, number: int) -> str | None:
        """Line `number`, if it was read not long ago."""
        for first, lines in self._blocks:
            if first <= number < first + len(lines):
                return lines[number - first]
        return None

    def text(self, first: int, end: int | None) -> str | None:
        """The lines from `first` up to `end`, as far as they are kept."""
        if not self._keep:
            return None
        lines = [line for number, some in self._blocks for line in some[max(0, first - number) :]]
        return "\n".join(lines if end is None else lines[: end - first])

    def forget(self, before: int | None) -> None:
        """Keep the lines before this one no longer."""
        if self._keep and before is not None:
            self._blocks = [each for each in self._blocks[:-1] if each[0] + len(each[1]) > before] + self._blocks[-1:]

    def _open(self) -> BinaryIO:
        path = Path(self.name)
        if path.is_dir():
            raise UnreadableFile(f"{self.name}: is a folder; name the record files in it", misuse=True)
        stream = path.open("rb")
        status = os.fstat(stream.fileno())
        self.size = status.st_size if stat.S_ISREG(status.st_mode) else 0
        if self._begin:
            stream.seek(self._begin)
            self.done = self._begin
        return stream

    def _split(self, stream: BinaryIO) -> Iterator[str]:
        self._unpacked = Unpacked(_Counted(stream, self))
        return bounded_lines(_Watched(self._unpacked, self._see), self._remember)

    def _see(self, block: bytes) -> None:
        if self._on_block is not None:
            self._on_block(block)
        if b"\0" in block:
            raise UnreadableFile(f"{self.title}: not a text file; records are plain UTF-8 text", misuse=False)

    def _remember(self, lines: list[str]) -> None:
        *_, (first, before) = self._blocks
        self._blocks = [*(self._blocks if self._keep else self._blocks[-1:]), (first + len(before), lines)]


class _Counted:
    """The bytes of a file as it is on the disk, counted for the progress bar."""

    def __init__(self, stream: BinaryIO, source: Source) -> None:
        # Take what a pipe has ready, instead of waiting for a whole block.
        self._read = getattr(stream, "read1", stream.read)
        self._source = source

    def read1(self, size: int) -> bytes:
        # Blocks begin at the same places wherever reading begins, so a damaged file is damaged in the same place.
        block: bytes = self._read(size - self._source.done % size if size > 1 else size)
        self._source.done += len(block)
        return block


class _Watched:
    """A stream that passes everything that is read to `see`."""

    def __init__(self, stream: Unpacked, see: Callable[[bytes], None]) -> None:
        self._stream = stream
        self._see = see

    def read(self, size: int) -> bytes:
        block = self._stream.read(size)
        self._see(block)
        return block


def reason_for(problem: OSError) -> str:
    """Why a file cannot be opened, in a few words."""
    if isinstance(problem, FileNotFoundError):
        return "no such file; check the name, or write - for standard input"
    if isinstance(problem, PermissionError):
        return "may not be read; check its permissions"
    return (problem.strerror or str(problem)).lower()
