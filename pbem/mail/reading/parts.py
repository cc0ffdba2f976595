"""The parts of a mail: which stand beside each other and which inside another.

Python's own mail parser recurses without bound and is quadratic in some lines, so the few rules of MIME that we
need stand here, within limits from the first byte on. A test holds this reading equal to the library's on sound
mail. Parts are not unpacked: an attachment is never opened.
"""

import re
from dataclasses import dataclass
from typing import Final

from pbem.mail.reading import limits
from pbem.mail.reading.encoding import is_packed
from pbem.mail.reading.header import Content, Header, parse_header, read_boundary, read_content
from pbem.mail.reading.limits import Unreadable

_ENCRYPTED: Final = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})


@dataclass(frozen=True, slots=True)
class Part:
    """One part as it stands in the mail. Those with parts inside are bundles: `inside` is not empty."""

    content: Content
    data: bytes
    inside: tuple["Part", ...] = ()


@dataclass(slots=True)
class _Count:
    """How many parts have been seen in the whole mail."""

    parts: int = 0


def read_structure(head: Header, body: bytes) -> Part | Unreadable:
    """The mail as a tree of parts."""
    return _read_part(head, body, depth=0, count=_Count())


def _read_part(head: Header, body: bytes, *, depth: int, count: _Count) -> Part | Unreadable:
    content = read_content(head)
    if isinstance(content, Unreadable):
        return content
    if content.kind in _ENCRYPTED:
        return Unreadable("encrypted", content.kind)
    if content.family != "multipart":
        return Part(content, body)
    if depth == limits.NESTING:
        return Unreadable("nested-too-deep", f"more than {limits.NESTING} levels")
    if is_packed(content.packing):
        return Unreadable("odd-structure", f"{content.kind} packed as {content.packing[:40]!r}")
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
    """The pieces between the boundary lines. What stands before the first or after the last is not part of the mail."""
    boundary = read_boundary(content)
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
