"""A file as spans, from one place where a game seems to begin to the next, each with the key of its text.

A span whose key is known need not be read: its text alone was a whole game before, so it is that game here too, if
reading has come to its beginning. Where a comment quotes a game, reading has gone further by then.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from pbem.archive.seams import PIECE, SEAM
from pbem.catalogue.game_facts import bytes_key

LONGEST: Final = 1 << 22
"""Bytes of a span that gets a key. A longer one is read each time."""


class Span(NamedTuple):
    """A part of a file: where it begins, in bytes and lines; where the next one does, in lines; and its key."""

    begin: int
    line: int
    until: int | None
    size: int
    key: bytes | None


class FileSpans:
    """The spans of a file, read once from its beginning to its end; then the digest of all of it is known."""

    def __init__(self, path: Path, block: int = PIECE) -> None:
        self._path = path
        self._block = block
        self._digest = sha256()
        self.size = 0

    @property
    def digest(self) -> bytes:
        """The digest of what was read."""
        return self._digest.digest()

    def __iter__(self) -> Iterator[Span]:
        held = b""
        begin, line = 0, 1
        passed, lines = 0, 0
        """Bytes and lines of a span that is too long to be held."""
        with self._path.open("rb") as stream:
            while data := stream.read(self._block):
                self._digest.update(data)
                self.size += len(data)
                # A seam may lie across two blocks.
                looked = max(0, len(held) - _SEAM_AT_MOST)
                held += data
                cut = 0
                for found in SEAM.finditer(held, looked):
                    end = found.end()
                    until = line + lines + held.count(b"\n", cut, end)
                    size = passed + end - cut
                    yield Span(begin, line, until, size, None if passed else _key(held, cut, end))
                    begin, line, cut = begin + size, until, end
                    passed = lines = 0
                held = held[cut:]
                if len(held) > LONGEST:
                    gone, held = held[:-_SEAM_AT_MOST], held[-_SEAM_AT_MOST:]
                    passed, lines = passed + len(gone), lines + gone.count(b"\n")
        yield Span(begin, line, None, passed + len(held), None if passed else _key(held, 0, len(held)))


_SEAM_AT_MOST: Final = 1 << 12
"""Bytes in which a seam is looked for once more, behind the end of a block."""


def _key(data: bytes, begin: int, end: int) -> bytes | None:
    return bytes_key(data[begin:end]) if end - begin <= LONGEST else None
