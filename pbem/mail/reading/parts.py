"""The parts of a mail as a tree.

Python's own mail parser recurses without bound and is quadratic in some lines, so the few rules of MIME that we need
are here, with limits from the first byte on. A test checks that this parser agrees with the library on well-formed
mail. Parts are not decoded here: an attachment is never opened.
"""

import re
from dataclasses import dataclass
from typing import Final

from pbem.mail.reading import limits
from pbem.mail.reading.encoding import is_encoded
from pbem.mail.reading.header import Content, Header, parse_boundary, parse_content, parse_header
from pbem.mail.reading.limits import Unreadable

_ENCRYPTED: Final = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})


@dataclass(frozen=True, slots=True)
class Part:
    """One part as it is in the mail; a multipart has parts `inside`."""

    content: Content
    data: bytes
    inside: tuple["Part", ...] = ()


@dataclass(slots=True)
class _Count:
    """How many parts have been seen in the whole mail."""

    parts: int = 0


def parse_structure(head: Header, body: bytes) -> Part | Unreadable:
    """The mail as a tree of parts."""
    return _read_part(head, body, depth=0, count=_Count())


def _read_part(head: Header, body: bytes, *, depth: int, count: _Count) -> Part | Unreadable:
    content = parse_content(head)
    if isinstance(content, Unreadable):
        return content
    if content.kind in _ENCRYPTED:
        return Unreadable("encrypted", content.kind)
    if content.family != "multipart":
        return Part(content, body)
    if depth == limits.NESTING:
        return Unreadable("nested-too-deep", f"more than {limits.NESTING} levels")
    if is_encoded(content.encoding):
        return Unreadable("odd-structure", f"{content.kind} encoded as {content.encoding[:40]!r}")
    pieces = _divide(content, body, count)
    if isinstance(pieces, Unreadable):
        return pieces
    inside: list[Part] = []
    for piece in pieces:
        opened = parse_header(piece)
        if isinstance(opened, Unreadable):
            return opened
        part = _read_part(*opened, depth=depth + 1, count=count)
        if isinstance(part, Unreadable):
            return part
        inside.append(part)
    return Part(content, b"", tuple(inside))


def _divide(content: Content, body: bytes, count: _Count) -> list[bytes] | Unreadable:
    """The pieces between the boundary lines. Text before the first or after the last is not part of the mail."""
    boundary = parse_boundary(content)
    if boundary is None:
        return Unreadable("odd-structure", f"{content.kind} without a sound boundary")
    pieces: list[bytes] = []
    start = None
    for line in re.finditer(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*+$", body, re.MULTILINE):
        if start is not None:
            pieces.append(body[start : max(start, line.start() - 1)])
            count.parts += 1
            if count.parts > limits.PARTS:
                return Unreadable("too-many-parts", f"more than {limits.PARTS}")
        start = line.end() + 1
        if line[1]:
            return pieces or Unreadable("odd-structure", f"{content.kind} with nothing inside")
    if start is None:
        return Unreadable("odd-structure", "the boundary never occurs")
    return Unreadable("truncated", f"{content.kind} is not closed")
