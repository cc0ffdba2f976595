"""From bytes to lines, without ever holding more than a line.

Bytes that are not UTF-8 become lone surrogates, which no honest text holds, and a line that is too long is cut one
character beyond the limit; the reader finds both and says where they stand.
"""

from collections.abc import Iterator
from typing import Final, Protocol

from notation.reading import limits

_CHUNK: Final = 1 << 16
_LONGEST: Final = 4 * (limits.LINE + 1)
"""Bytes that surely hold one character more than a line may have."""


class Bytes(Protocol):
    """A binary stream."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""
        ...


def bounded_lines(stream: Bytes) -> Iterator[str]:
    """The lines of a stream of bytes, without their ends."""
    rest = b""
    while chunk := stream.read(_CHUNK):
        *whole, tail = chunk.split(b"\n")
        for line in whole:
            yield _decode(rest + line)
            rest = b""
        # Of an endless line only as much is kept as proves that it is too long.
        rest = (rest + tail)[:_LONGEST]
    if rest:
        yield _decode(rest)


def _decode(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")[: limits.LINE + 2]
