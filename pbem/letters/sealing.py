"""The seal: no mail leaves before its bytes have been read again and say what they should.

A header that a player's name or a bug has added, taken away or changed is found here, whatever the library that wrote
it promises. So is a part too many, or one that says something else than was composed.
"""

from collections.abc import Sequence
from email import message_from_bytes
from email.header import decode_header, make_header
from typing import TYPE_CHECKING, Final

from pbem.letters.mime import Field

if TYPE_CHECKING:
    from email.message import Message

LONGEST_LINE: Final = 998
"""RFC 5322, 2.1.1."""


class BrokenSealError(Exception):
    """A mail does not say what was composed. It must not be sent, and whoever sees this has found a bug."""


def seal(raw: bytes, fields: Sequence[Field], parts: Sequence[tuple[str, str | None]]) -> None:
    """Read a mail again and compare it with what it should be.

    `parts` are the content types of all its parts from outside in, each with its text; None where there is none to
    compare.
    """
    _check_lines(raw)
    read = message_from_bytes(raw)
    found = [(name, _meaning(value)) for name, value in read.items() if not name.startswith("Content-")]
    meant = [(name, value) for name, _, value in fields]
    if found != meant:
        raise BrokenSealError(f"headers are {found}, should be {meant}")
    shapes = [part.get_content_type() for part in read.walk()]
    if shapes != [kind for kind, _ in parts] or any(part.defects for part in read.walk()):
        raise BrokenSealError(f"parts are {shapes}")
    for part, (kind, text) in zip(read.walk(), parts, strict=True):
        if text is not None and _text(part) != text:
            raise BrokenSealError(f"the {kind} part says something else")


def _check_lines(raw: bytes) -> None:
    """Lines end with both characters, are short enough, and hold nothing that servers stumble over."""
    ends = raw.count(b"\r\n")
    if raw.count(b"\n") != ends or raw.count(b"\r") != ends or b"\0" in raw:
        raise BrokenSealError("a line ends in another way")
    if max(map(len, raw.split(b"\r\n"))) > LONGEST_LINE:
        raise BrokenSealError("a line is too long")


def _meaning(value: str) -> str:
    if "=?" not in value:
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return str(make_header(decode_header(value)))


def _text(part: "Message[str, str]") -> str:
    content = part.get_payload(decode=True)
    return content.decode("utf-8").replace("\r\n", "\n") if isinstance(content, bytes) else ""
