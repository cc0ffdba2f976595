"""What a part says about itself: its type, its parameters, how it is packed, whether it is an attachment."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pbem.mail.reading.header import Head
from pbem.mail.reading.unreadable import Unreadable

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
    packing: str = ""
    attached: bool = False

    @property
    def family(self) -> str:
        """The type before the slash."""
        return self.kind.partition("/")[0]

    def says(self, parameter: str) -> str:
        """A parameter in small letters; empty where it is not given."""
        return self.parameters.get(parameter, "").lower()


def read_content(head: Head) -> Content | Unreadable:
    """What a head says about the part below it.

    What has two readings in practice is not read: the same line twice, the same parameter twice, or a boundary or
    character set cut in pieces (RFC 2231), which some programs join and others do not see.
    """
    for name in _ONLY_ONCE:
        if len(head.every(name)) > 1:
            return Unreadable("twice-said", name)
    packing = head.text("content-transfer-encoding")
    disposition = head.text("content-disposition")
    said = (head.first("content-type") or b"").decode("utf-8", "replace")
    attached = disposition.startswith("attachment") or "filename" in disposition
    if not said:
        return Content(packing=packing, attached=attached)
    kind = _TYPE.match(said)
    if kind is None:
        return Unreadable("odd-structure", f"not a content type: {said[:80]!r}")
    parameters: dict[str, str] = {}
    for found in _PARAMETER.finditer(said):
        name = found[1].lower()
        if name in parameters or name.startswith(("boundary*", "charset*")):
            return Unreadable("odd-structure", f"parameter {name} has two readings")
        parameters[name] = found[3] or re.sub(r"\\(.)", r"\1", found[2] or "")
    return Content(kind[1].lower(), parameters, packing, attached)


def read_boundary(content: Content) -> bytes | None:
    """The line that divides the parts of a multipart, where it is well-formed."""
    boundary = content.parameters.get("boundary", "")
    return boundary.encode("ascii") if _BOUNDARY.fullmatch(boundary) else None
