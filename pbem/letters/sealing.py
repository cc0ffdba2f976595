"""The seal: no mail leaves before its bytes have been read again and say what they should.

A header that a player's name or a bug has added, taken away or changed is found here, whatever the code that wrote
it promises. So is a boundary too many: then somebody's words would be read as a part of their own.
"""

from collections.abc import Sequence
from email.header import decode_header, make_header
from email.parser import BytesHeaderParser
from typing import Final

from pbem.letters.mime import BOUNDARY, Field

LONGEST_LINE: Final = 998
"""RFC 5322, 2.1.1."""

_HEADERS: Final = BytesHeaderParser()
_LIMIT: Final = b"\r\n--" + BOUNDARY.encode("ascii")


class BrokenSealError(Exception):
    """A mail does not say what was composed. It must not be sent, and whoever sees this has found a bug."""


def seal(raw: bytes, fields: Sequence[Field], limits: int) -> None:
    """Read a mail again and compare it with what it should be: its headers, and how many boundary lines it has."""
    _check_lines(raw)
    head, _, body = raw.partition(b"\r\n\r\n")
    found = [(name, _meaning(value)) for name, value in _HEADERS.parsebytes(head + b"\r\n\r\n").items()]
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


def _meaning(value: str) -> str:
    """What a reader finds in a header."""
    unfolded = value.replace("\r\n", "").replace("\n", "")
    if "=?" in unfolded:
        return str(make_header(decode_header(unfolded)))
    return unfolded.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
