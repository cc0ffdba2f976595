"""The header of a mail or of one of its parts, and what it says about the content.

Stricter than the mail standard on purpose. Where programs are known to disagree (a blank before the colon, a line
without a colon, an empty continuation), the mail is refused. Values stay bytes; other modules interpret them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pbem.mail.format import LOOP_HEADER
from pbem.mail.reading import limits
from pbem.mail.reading.limits import Unreadable

_MESSAGE_ID: Final = re.compile(rb"<[!-;=?-~]{1,250}>")
_NAME: Final = re.compile(rb"([!-9;-~]{1,80}):")
_MAILBOX_LINE: Final = re.compile(rb">?From [!-9;-~]{1,320} {1,3}[A-Z][a-z]{2} [A-Z][a-z]{2} [^\n]{1,60}\n")
"""The first line in an mbox, also written by some pipes: `From anna@example.net Mon Nov 16 10:40:02 2026`."""

_WE_READ: Final = frozenset(
    {
        *("from", "to", "cc", "subject", "message-id", "in-reply-to", "return-path", "auto-submitted", "precedence"),
        *("delivered-to", "x-original-to", "envelope-to", LOOP_HEADER.lower(), "x-failed-recipients"),
        *("content-type", "content-transfer-encoding", "content-disposition"),
    }
)
"""Headers whose value we use, and whose length is therefore limited."""


class HeaderField(NamedTuple):
    """One header: its name in lower case and its value on one line."""

    name: str
    value: bytes


@dataclass(frozen=True, slots=True)
class Header:
    """All headers of a mail or part, in order."""

    fields: tuple[HeaderField, ...] = ()

    def every(self, name: str) -> list[bytes]:
        """The values of all headers of this name, from the top."""
        return [field.value for field in self.fields if field.name == name]

    def first(self, name: str) -> bytes | None:
        """The topmost value of this name."""
        return next((field.value for field in self.fields if field.name == name), None)

    def text(self, name: str) -> str:
        """The topmost value of this name as text in lower case; empty if there is none."""
        return (self.first(name) or b"").decode("ascii", "replace").strip().lower()

    def message_id(self, name: str) -> str | None:
        """The first Message-ID in the topmost value of this name."""
        found = _MESSAGE_ID.search(self.first(name) or b"")
        return found[0].decode("ascii") if found else None

    def names(self) -> frozenset[str]:
        """All names that occur."""
        return frozenset(field.name for field in self.fields)


def parse_header(raw: bytes) -> tuple[Header, bytes] | Unreadable:
    """The header, and the body after the blank line. Lines must end with a line feed."""
    if raw.startswith(b"\n"):
        return Header(), raw[1:]
    end = raw.find(b"\n\n", 0, limits.HEADER_BLOCK + 2)
    if end < 0 and len(raw) > limits.HEADER_BLOCK:
        return Unreadable("header-too-large", f"more than {limits.HEADER_BLOCK} bytes without a blank line")
    block, body = (raw, b"") if end < 0 else (raw[: end + 1], raw[end + 2 :])
    fields = _read_fields(block)
    return fields if isinstance(fields, Unreadable) else (Header(fields), body)


def without_mailbox_line(raw: bytes) -> bytes:
    """The mail without the `From` line that mailbox files put before each mail."""
    found = _MAILBOX_LINE.match(raw)
    return raw[found.end() :] if found else raw


def _read_fields(block: bytes) -> tuple[HeaderField, ...] | Unreadable:
    fields: list[tuple[str, list[bytes]]] = []
    for number, line in enumerate(block.removesuffix(b"\n").split(b"\n"), 1):
        if line[:1] in (b" ", b"\t"):
            if not fields or not line.strip():
                return Unreadable("odd-header", f"line {number} continues nothing, or with nothing")
            fields[-1][1].append(line)
        elif found := _NAME.match(line):
            if len(fields) == limits.HEADERS:
                return Unreadable("too-many-headers", f"more than {limits.HEADERS}")
            fields.append((found[1].decode("ascii").lower(), [line[found.end() :]]))
        else:
            return Unreadable("odd-header", f"line {number} is not a name, a colon and a value")
    unfolded = tuple(HeaderField(name, b"".join(lines).strip()) for name, lines in fields)
    for one in unfolded:
        if one.name in _WE_READ and len(one.value) > limits.HEADER:
            return Unreadable("header-too-long", f"{one.name}: {len(one.value)} bytes, at most {limits.HEADER}")
    return unfolded


_SIGN: Final = r"[A-Za-z0-9!#$%&'*+.^_`{|}~-]"
_TYPE: Final = re.compile(rf"({_SIGN}{{1,80}}/{_SIGN}{{1,80}})\s*+(?:;|$)")
_PARAMETER: Final = re.compile(rf';\s*+({_SIGN}{{1,40}}+)\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s;"]++))')
_BOUNDARY: Final = re.compile(r"[A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-]")

_ONLY_ONCE: Final = ("content-type", "content-transfer-encoding", "content-disposition")


@dataclass(frozen=True, slots=True)
class Content:
    """The description of a part, as far as we need it."""

    kind: str = "text/plain"
    parameters: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    attached: bool = False

    @property
    def family(self) -> str:
        """The type before the slash."""
        return self.kind.partition("/")[0]

    def parameter(self, name: str) -> str:
        """A parameter in lower case; empty if it is not given."""
        return self.parameters.get(name, "").lower()


def parse_content(head: Header) -> Content | Unreadable:
    """What a header says about the part below it.

    What programs read differently is refused: the same line twice, the same parameter twice, or a boundary or
    character set in several pieces (RFC 2231), which some programs join and others ignore.
    """
    for name in _ONLY_ONCE:
        if len(head.every(name)) > 1:
            return Unreadable("twice-said", name)
    encoding = head.text("content-transfer-encoding")
    disposition = head.text("content-disposition")
    said = (head.first("content-type") or b"").decode("utf-8", "replace")
    attached = disposition.startswith("attachment") or "filename" in disposition
    if not said:
        return Content(encoding=encoding, attached=attached)
    kind = _TYPE.match(said)
    if kind is None:
        return Unreadable("odd-structure", f"not a content type: {said[:80]!r}")
    parameters: dict[str, str] = {}
    for found in _PARAMETER.finditer(said):
        name = found[1].lower()
        if name in parameters or name.startswith(("boundary*", "charset*")):
            return Unreadable("odd-structure", f"parameter {name} has two readings")
        parameters[name] = found[3] or re.sub(r"\\(.)", r"\1", found[2] or "")
    return Content(kind[1].lower(), parameters, encoding, attached)


def parse_boundary(content: Content) -> bytes | None:
    """The boundary between the parts of a multipart; None if it is not well-formed."""
    boundary = content.parameters.get("boundary", "")
    return boundary.encode("ascii") if _BOUNDARY.fullmatch(boundary) else None
