"""From bytes to lines, without ever holding more than a line and what was read at once.

Bytes that are not UTF-8 become lone surrogates, which no honest text holds, and a line that is too long is cut one
character beyond the limit; the reader finds both and says where they stand.
"""

from collections.abc import Callable, Iterator
from typing import Final, Protocol

from notation import limits

_CHUNK: Final = 1 << 16
_LONGEST: Final = 4 * (limits.LINE + 1)
"""Bytes that surely hold one character more than a line may have."""


class Bytes(Protocol):
    """A binary stream."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""
        ...


def bounded_lines(stream: Bytes, tell: Callable[[list[str]], None] | None = None) -> Iterator[str]:
    """The lines of a stream of bytes, without their ends; `tell` is told those that were read at once, before any."""
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
    lines = [line[: limits.LINE + 2] for line in block.decode("utf-8", "surrogateescape").split("\n")]
    if tell is not None:
        tell(lines)
    return lines
