"""The seal: no mail leaves before its bytes have been read again and say what they should.

A header that a player's name or a bug has added, taken away or changed is found here, whatever the code that wrote
it promises. So is a boundary too many: then somebody's words would be read as a part of their own.
"""

import re
from collections.abc import Iterator, Sequence
from email.header import decode_header, make_header
from typing import Final

from pbem.letters.wire.mime import BOUNDARY, Field

LONGEST_LINE: Final = 998
"""RFC 5322, 2.1.1."""

_HEADER: Final = re.compile(rb"([!-9;-~]+): ?([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)\r\n")
"""A name, a colon, and a value that may go on in lines that are set in (RFC 5322, 2.2)."""
_LIMIT: Final = b"\r\n--" + BOUNDARY.encode("ascii")


class BrokenSealError(Exception):
    """A mail does not say what was composed. It must not be sent, and whoever sees this has found a bug."""


def seal(raw: bytes, fields: Sequence[Field], limits: int) -> None:
    """Read a mail again and compare it with what it should be: its headers, and how many boundary lines it has."""
    _check_lines(raw)
    head, _, body = raw.partition(b"\r\n\r\n")
    found = list(_read_head(head + b"\r\n"))
    meant = [(name, value) for name, _, value in fields]
    if found != meant:
        raise BrokenSealError(f"headers are {found}, should be {meant}")
    found_limits = (b"\r\n" + body).count(_LIMIT)
    if found_limits != limits:
        raise BrokenSealError(f"{found_limits} boundary lines, should be {limits}")


def _check_lines(raw: bytes) -> None:
    """Lines end with both characters, are short enough, and hold nothing that servers stumble over."""
    ends = raw.count(b"\r\n")
    if raw.count(b"\n") != ends or raw.count(b"\r") != ends or b"\0" in raw:
        raise BrokenSealError("a line ends in another way")
    if max(map(len, raw.split(b"\r\n"))) > LONGEST_LINE:
        raise BrokenSealError("a line is too long")


def _read_head(head: bytes) -> Iterator[tuple[str, str]]:
    """The names and meanings of headers, one after the other without anything between them."""
    at = 0
    while at < len(head):
        header = _HEADER.match(head, at)
        if header is None:
            raise BrokenSealError(f"no header: {head[at : at + LONGEST_LINE]!r}")
        yield header[1].decode("ascii"), _meaning(header[2])
        at = header.end()


def _meaning(value: bytes) -> str:
    """What a reader finds in a header."""
    unfolded = value.replace(b"\r\n", b"").decode("utf-8", "replace")
    return str(make_header(decode_header(unfolded))) if "=?" in unfolded else unfolded
