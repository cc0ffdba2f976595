"""The seal: no mail leaves before its bytes have been read again and say what they should.

A header that a player's name or a bug has added, taken away or changed is found here, whatever the code that wrote
it promises. So is a boundary too many: then somebody's words would be read as a part of their own. Encoded lines were
proven when they were set, once for all mails in which they stand; here is held that they stand alone between ours.
"""

import re
from collections.abc import Sequence
from email.header import decode_header, make_header
from itertools import pairwise
from typing import Final

from pbem.mail.writing.encoded_lines import BOUNDARY, Proven, find_flaw
from pbem.mail.writing.mime import OutField, Piece

_FOLD: Final = re.compile(r"\r\n(?=[ \t])")
"""Where a header goes on in a line that is set in (RFC 5322, 2.2)."""
_LIMIT: Final = b"\r\n--" + BOUNDARY.encode("ascii")


class BrokenSealError(Exception):
    """A mail does not say what was composed. It must not be sent, and whoever sees this has found a bug."""


def seal(pieces: Sequence[Piece], fields: Sequence[OutField], limits: int) -> None:
    """Read a mail again and compare it with what it should be: its headers, and how many boundary lines it has."""
    ours = b"".join([piece for piece in pieces if not isinstance(piece, Proven)])
    flaw = find_flaw(ours) or _find_loose(pieces)
    if flaw:
        raise BrokenSealError(flaw)
    head, _, body = ours.partition(b"\r\n\r\n")
    found = _read_head(head.decode("utf-8", "replace"))
    meant = [(name, value) for name, _, value in fields]
    if found != meant:
        raise BrokenSealError(f"headers are {found}, should be {meant}")
    found_limits = (b"\r\n" + body).count(_LIMIT)
    if found_limits != limits:
        raise BrokenSealError(f"{found_limits} boundary lines, should be {limits}")


def _find_loose(pieces: Sequence[Piece]) -> str:
    """Whether something of ours is not kept apart by a line end from lines that were proven alone."""
    for before, after in pairwise((b"", *pieces, b"\r\n")):
        if isinstance(after, Proven) and (isinstance(before, Proven) or not before.endswith(b"\r\n")):
            return "encoded lines do not begin on a line of their own"
        if isinstance(before, Proven) and (isinstance(after, Proven) or not after.startswith(b"\r\n")):
            return "encoded lines do not end on a line of their own"
    return ""


def _read_head(head: str) -> list[tuple[str, str]]:
    """The names and meanings of headers; a line that is none has a name that nothing of ours has."""
    headers = [line.partition(": ") for line in _FOLD.sub("", head).split("\r\n")]
    return [(name, _decode(value) if "=?" in value else value) for name, _, value in headers]


def _decode(value: str) -> str:
    """What a reader finds in a header with encoded words."""
    return str(make_header(decode_header(value)))
