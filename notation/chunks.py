"""From bytes to lines to chunks, with limits: no text may cost more than its length deserves.

A chunk is a line, with the following ones as long as a comment or a variation is open; what opens and closes is taken
from the grammar of records. A comment or variation that is never closed costs only its own line: the lines after it are
read as if it had not been opened, so that one mistake hides no other. One that is closed but too long is skipped as a
whole and reported once. No line is looked at more than a few times.

Bytes that are not UTF-8 become lone surrogates, which no honest text holds, and a line that is too long is cut one
character beyond the limit; the reader finds both and says where they are.

Annotations have a limit of their own. Programs write them, and the proof of a game that was played by mail is made of
them: everything that was said at the table is in it, every character perhaps escaped twice. So a line holds the longest
letter that the post takes (8,192 characters, each at most 14 once it is escaped), even where an event says it twice.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple, Protocol

from notation.lalr.grammar import make_parser, read_grammar
from notation.lalr.parser import LalrParser

TURN: Final = 262_144
"""Characters in a turn with all its remarks, over all its lines."""

LINE: Final = TURN
"""Characters in a line: in canonical form a turn is one."""

DEPTH: Final = 64
"""Variations inside one another."""

GAME: Final = 2_097_152
"""Characters in a game besides its annotations."""

ANNOTATIONS: Final = 33_554_432
"""Characters in the annotations of a game."""

ANNOTATION: Final = 128
"""Characters that an annotation counts for at least: even a short one takes memory."""

FAULTS: Final = 100
"""Faults reported of one game."""


BOM: Final = "\ufeff"
"""The mark that some programs put before the first line."""

HEADER: Final = re.compile(r"[ \t]*\[(?!%)")
"""How a line of headers begins."""

NEW_GAME: Final = re.compile(r"[ \t]*\[[ \t]*format\b", re.IGNORECASE)
"""How the first header of a game begins."""

_COMMENT_END: Final = re.compile(r"(?<!\\)(?:\\\\)*\}")

_UNCLOSED: Final = ("{", '"', "[%")
"""What opens something that does not end on the same line. Only a comment may go on."""


class Chunk(NamedTuple):
    """A piece of text that is read as one: where it begins, and what is wrong with it as a whole, if anything.

    `fault` is the code of a fault and `at` its place in the text.
    """

    line: int
    text: str
    fault: str = ""
    at: int = 0


@cache
def record_parser() -> LalrParser:
    """The parser of the grammar of records."""
    return make_parser(read_grammar("record"), "line", "headers", "record", "plain")


class LineSource:
    """Numbered lines, some of which may be given again. After the last line comes None, as often as asked."""

    def __init__(self, lines: Iterable[str], first: int = 1, no_comment_ends_before: int = 0) -> None:
        self.number = first - 1
        """The number of the line given last."""
        self.single = False
        """Set by an unclosed variation until the game is over: variations then end with their line."""
        self._again: deque[tuple[int, str]] = deque()
        self.no_comment_ends_before = no_comment_ends_before
        """The line up to which it is known that no comment ends, because one that was opened above it did not."""
        self.lines = self._give(lines)

    def _give(self, lines: Iterable[str]) -> Iterator[str | None]:
        again = self._again
        for line in lines:
            self.number += 1
            yield line.rstrip("\r\n")
            while again:
                self.number, line = again.popleft()
                yield line
        while True:
            yield None
            while again:
                self.number, line = again.popleft()
                yield line

    def gather(self, first: str) -> Chunk:
        """The chunk that begins with the line just given."""
        brackets = _Brackets()
        brackets.scan(first)
        taken = [(self.number, first)]
        while brackets.open and not brackets.too_deep:
            given_up = self.number < self.no_comment_ends_before if brackets.in_comment else self.single
            line = None if given_up else next(self.lines)
            if line is not None:
                taken.append((self.number, line))
            if line is None or brackets.must_end_before(line):
                return self._unclosed(taken, brackets)
            brackets.scan(line)
        if brackets.too_deep:
            return self._broken(taken, "NT-R3", brackets.too_deep)
        chunk = _chunk(taken)
        return chunk if len(chunk.text) <= TURN else chunk._replace(fault="NT-F3", at=TURN)

    def _unclosed(self, taken: list[tuple[int, str]], brackets: "_Brackets") -> Chunk:
        """A chunk in which something is open still where it must be closed."""
        if brackets.in_comment:
            self.no_comment_ends_before = max(self.no_comment_ends_before, self.number)
        else:
            self.single = True
        if brackets.cut_at:
            # Lines that are too long were cut before: what closes it may have been lost.
            return self._broken(taken, "NT-F3", brackets.cut_at)
        if brackets.in_comment:
            return self._broken(taken, "NT-R1", brackets.comment_at)
        return self._broken(taken, "NT-R2", brackets.variation_at)

    def _broken(self, taken: list[tuple[int, str]], fault: str, at: int) -> Chunk:
        """A chunk that ends with the line in which its fault stands; the other lines will be given again."""
        held, size = 0, 0
        while size <= at:
            size += len(taken[held][1]) + 1
            held += 1
        self._again.extendleft(reversed(taken[held:]))
        return _chunk(taken[:held])._replace(fault=fault, at=at)


def is_blank(line: str) -> bool:
    """Whether a line is empty to the eye."""
    return not line.strip(" \t")


def _chunk(taken: list[tuple[int, str]]) -> Chunk:
    return Chunk(taken[0][0], "\n".join(line for _, line in taken))


class _Brackets:
    """What is open after some lines: variations, and perhaps a comment. Places count over all lines."""

    def __init__(self) -> None:
        self.depth = 0
        self.in_comment = False
        self.comment_at = 0
        self.variation_at = 0
        """Where the outermost variation was opened."""
        self.too_deep = 0
        """Where variations were first nested too deep, or 0."""
        self.cut_at = 0
        """Where a line was first too long, or 0."""
        self.end = 0

    @property
    def open(self) -> bool:
        """Whether the next line belongs to this chunk."""
        return self.in_comment or self.depth > 0

    def must_end_before(self, line: str) -> bool:
        """Whether `line` cannot stand inside what is open.

        In a variation that is an empty line or a header. A comment may hold anything; but one that is too long already
        holds no other game, and nothing is longer than a game.
        """
        if not self.in_comment and (is_blank(line) or HEADER.match(line) is not None):
            return True
        size = self.end + len(line)
        return size > GAME or (size > TURN and NEW_GAME.match(line) is not None)

    def scan(self, line: str) -> None:
        """Take in one more line."""
        begin, at = self.end, 0
        self.end += len(line) + 1
        if len(line) > LINE:
            self.cut_at = self.cut_at or begin + LINE
        if self.in_comment:
            closing = _COMMENT_END.search(line)
            if closing is None:
                return
            self.in_comment, at = False, closing.end()
        for found in _signs().finditer(line, at):
            sign, place = found[0], begin + found.start()
            if sign == "(":
                self.depth += 1
                if self.depth == 1:
                    self.variation_at = place
                elif self.depth > DEPTH:
                    self.too_deep = self.too_deep or place
            elif sign == ")":
                self.depth = max(0, self.depth - 1)
            elif sign in _UNCLOSED:
                self.in_comment, self.comment_at = sign == "{", place
                return


@cache
def _signs() -> re.Pattern[str]:
    """Whole comments, texts and annotations, in which brackets mean nothing; their beginnings; brackets."""
    return re.compile(record_parser().regexp("COMMENT", "STRING", "ANNOTATION") + r"|\[%|[{\"()]")


_CHUNK: Final = 1 << 16
_LONGEST: Final = 4 * (LINE + 1)
"""Bytes that surely hold one character more than a line may have."""


class Bytes(Protocol):
    """A binary stream."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""
        ...


def bounded_lines(stream: Bytes, tell: Callable[[list[str]], None] | None = None) -> Iterator[str]:
    """The lines of a stream of bytes, without their ends; `tell` gets all that were read at once before any."""
    rest = b""
    while chunk := stream.read(_CHUNK):
        whole, end, tail = chunk.rpartition(b"\n")
        if end:
            yield from _decode(rest + whole, tell)
            rest = b""
        # Of an endless line only as much is kept as proves that it is too long.
        rest = (rest + tail)[:_LONGEST]
    if rest:
        yield from _decode(rest, tell)


def _decode(block: bytes, tell: Callable[[list[str]], None] | None) -> list[str]:
    lines = [line[: LINE + 2] for line in block.decode("utf-8", "surrogateescape").split("\n")]
    if tell is not None:
        tell(lines)
    return lines
