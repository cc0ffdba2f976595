"""Where a file of games can be cut, so that several readers share it, and whether a cut was right.

A seam is guessed: an empty line, and then the first header of a game. It may be wrong, for a comment can quote a whole
game. So each piece says where its last game ended, and a piece that began before the one in front of it had ended is
read again from the true place. What is found is the same as without any cut, with the same lines.
"""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

from notation.reader import GameStream, Reading
from pbem.archive.packed import GZIP, ZSTD
from pbem.archive.source import STDIN, Source, UnreadableFile

R = TypeVar("R")

PIECE: Final = 1 << 20
"""Bytes of a piece: what a reader gets at once."""

SEAM: Final = re.compile(rb"\n[ \t\r]*\n(?=(?:\xef\xbb\xbf)?[ \t]*\[[ \t]*format\b)", re.IGNORECASE)
_PACKED_AT_ONCE: Final = 1 << 22
"""Bytes of a packed file that may be read as one piece; a longer one is read game by game."""


class Piece(NamedTuple):
    """A part of a file: from byte `begin`, which is in line `first`, to the last game that begins before line `until`.

    `size` is how many bytes of the disk it takes, to show progress.
    """

    name: str
    size: int = 0
    begin: int = 0
    first: int = 1
    until: int | None = None
    no_comment_ends_before: int = 0
    is_shared: bool = True
    """Whether another process can read it; standard input and long packed files can be read only here."""


class GameInFile(NamedTuple):
    """One game as it was read, the file it is from, and its number in that file, from 1."""

    source: Source
    reading: Reading
    number: int
    next_line: int | None = None
    """Where the next game begins, or None at the end of the file."""

    def text(self) -> str | None:
        """The game as it stands in the file, if the source was asked to keep it."""
        return self.source.text(self.reading.line, self.next_line)


class PieceResult(NamedTuple, Generic[R]):
    """What came of the games of a piece: of each its line and its result; and how the reading of it ended."""

    games: list[tuple[int, R]]
    next_line: int | None
    no_comment_ends_before: int
    problem: tuple[str, bool] | None = None
    """Why the file could be read no further, and whether that is misuse."""


def cut(name: str, size: int = PIECE) -> Iterator[Piece]:
    """The pieces of a file, or the whole as one if it cannot be cut."""
    if name == STDIN:
        yield Piece(name, is_shared=False)
        return
    try:
        path = Path(name)
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            yield Piece(name, is_shared=False)
            return
        with path.open("rb") as stream:
            head = stream.read(4)
            if head.startswith((GZIP, ZSTD)):
                yield Piece(name, status.st_size, is_shared=status.st_size <= _PACKED_AT_ONCE)
                return
            stream.seek(0)
            yield from _cut(name, stream.read, size, status.st_size)
    except OSError:
        yield Piece(name)  # the reader says why


def _cut(name: str, read: Callable[[int], bytes], size: int, whole: int) -> Iterator[Piece]:
    begin, first = 0, 1
    at, line = 0, 1
    while block := read(size):
        found = SEAM.search(block) if at else None
        if found is not None:
            seam, seam_line = at + found.end(), line + block.count(b"\n", 0, found.end())
            yield Piece(name, seam - begin, begin, first, seam_line)
            begin, first = seam, seam_line
        at += len(block)
        line += block.count(b"\n")
    yield Piece(name, whole - begin, begin, first)


def gather(pieces: Iterable[Piece], size: int = PIECE) -> Iterator[tuple[Piece, ...]]:
    """Small pieces together, so that each reader gets enough at once."""
    held: list[Piece] = []
    for piece in pieces:
        if held and (not piece.is_shared or sum(each.size for each in held) + piece.size > size or len(held) >= 1000):
            yield tuple(held)
            held = []
        held.append(piece)
        if not piece.is_shared:
            yield tuple(held)
            held = []
    if held:
        yield tuple(held)


def games_of(piece: Piece, *, keep: bool = False) -> tuple[GameStream, Iterator[GameInFile]]:
    """The games of a piece, read one by one, numbered from 1; `keep` lets each give its text."""
    source = Source(piece.name, begin=piece.begin, first=piece.first, keep=keep)
    stream = GameStream(
        source.lines(), first=piece.first, until=piece.until, no_comment_ends_before=piece.no_comment_ends_before
    )

    def games() -> Iterator[GameInFile]:
        for count, reading in enumerate(stream, start=1):
            yield GameInFile(source, reading, count, stream.next_line)
            source.forget(stream.next_line)

    return stream, games()


def work_on_pieces(work: Callable[[GameInFile], R], keep: bool, pieces: Iterable[Piece]) -> list[PieceResult[R]]:
    """What `work` makes of every game of some pieces."""
    return [_work_on_piece(work, keep, piece) for piece in pieces]


def _work_on_piece(work: Callable[[GameInFile], R], keep: bool, piece: Piece) -> PieceResult[R]:
    stream, games = games_of(piece, keep=keep)
    done: list[tuple[int, R]] = []
    problem = None
    try:
        done.extend((item.reading.line, work(item)) for item in games)
    except UnreadableFile as found:
        problem = (str(found), found.misuse)
    return PieceResult(done, stream.next_line, stream.no_comment_ends_before, problem)


class Joint:
    """Where one piece of a file ended, and whether the next one began there."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = 0
        """How many games the file had so far."""
        self._next_line: int | None = 1
        self._no_comment_ends_before = 0

    def correct(self, piece: Piece) -> Piece | None:
        """The piece as it should have been read; None if all of it belongs to a game before it."""
        if self._next_line is None or (piece.until is not None and self._next_line >= piece.until):
            return None
        if self._next_line == piece.first and self._no_comment_ends_before <= piece.first:
            return piece
        return piece._replace(
            begin=_find_line(piece, self._next_line),
            first=self._next_line,
            no_comment_ends_before=self._no_comment_ends_before,
        )

    def go_on(self, next_line: int | None, no_comment_ends_before: int) -> None:
        """Go on behind a piece: where the next game begins, or None if nothing more can be read."""
        self._next_line = next_line
        self._no_comment_ends_before = no_comment_ends_before


def _find_line(piece: Piece, line: int) -> int:
    """The byte at which a line of a piece, or after it, begins."""
    at, missing = piece.begin, line - piece.first
    with Path(piece.name).open("rb") as stream:
        stream.seek(at)
        while missing and (block := stream.readline(1 << 16)):
            at += len(block)
            missing -= block.endswith(b"\n")
    return at


def size_of(name: str) -> int:
    """The bytes of a file on the disk, to show progress; 0 if that is not known."""
    try:
        return 0 if name == STDIN else os.stat(name).st_size  # noqa: PTH116 - one call, for a million files
    except OSError:
        return 0
