"""Text folded to lines that every program can show; what stands behind a bar stays behind it.

Lines that every mail server takes, whatever they say.

Galleys: whole lines of a body, set once and printed in as many mails as they stand in.

All mails about a position say the same of its board. Those lines are encoded and looked at with the first of the mails;
the others only copy them. Quoted-printable encodes every line by itself, so galleys one after the other are the same
bytes as their text in one piece.
"""

import binascii
from collections.abc import Sequence
from functools import lru_cache
from operator import methodcaller
from textwrap import TextWrapper
from typing import Final, NamedTuple

from pbem.mail.format import BAR, FENCE

WIDTH: Final = 76
UNBROKEN: Final = "\N{NO-BREAK SPACE}"
WRAP_CACHE: Final = 512
"""Long lines that are kept as they were folded."""


def fold(text: str) -> str:
    """Lines of a letter's width, with no two empty ones one after the other and none at the top."""
    folded: list[str] = []
    before = ""
    for line in text.splitlines():
        kept = line.rstrip() if len(line) <= WIDTH else _wrap(line)
        if kept or before:
            folded.append(kept)
        before = kept
    return "".join([f"{line}\n" for line in folded])


@lru_cache(maxsize=WRAP_CACHE)
def _wrap(line: str) -> str:
    """A line goes on below with its own indent, a barred one behind its bar. Many stand in every mail.

    A fence is to be written as it stands, so it is not broken.
    """
    bar = BAR if line.startswith(BAR) else ""
    rest = line.removeprefix(bar)
    indent = rest[: len(rest) - len(rest.lstrip())]
    wrapper = TextWrapper(
        WIDTH,
        initial_indent=bar + indent,
        subsequent_indent=bar + indent + ("  " if bar or indent else ""),
        break_on_hyphens=False,
    )
    for fence in FENCE:
        rest = rest.replace(fence, fence.replace(" ", UNBROKEN))
    folded = wrapper.fill(rest.strip())
    for fence in FENCE:
        folded = folded.replace(fence.replace(" ", UNBROKEN), fence)
    return folded


LONGEST: Final = 998
"""RFC 5322, 2.1.1."""


def find_flaw(raw: bytes) -> str:
    """What is wrong with some lines: each ends with both characters, is short enough, and holds no zero."""
    said = raw.replace(b"\r\n", b"")
    if b"\r" in said or b"\n" in said or b"\0" in said:
        return "a line ends in another way"
    if len(raw) > LONGEST and max(map(len, raw.split(b"\r\n"))) > LONGEST:
        return "a line is too long"
    return ""


BOUNDARY: Final = "=_"
"""What all our boundaries begin with: neither quoted-printable nor base64 ever writes these two signs."""
_LIMIT: Final = b"--" + BOUNDARY.encode("ascii")
_IS_WHOLE: Final = methodcaller("endswith", b"\r\n")


class UnsendableError(ValueError):
    """Something that would not arrive as it is was about to be written."""


class CheckedLines(NamedTuple):
    """Encoded lines that need no second look: their ends, their lengths, and that no boundary is in them."""

    raw: bytes


def check_lines(encoded: bytes) -> CheckedLines:
    """Look at some encoded lines."""
    flaw = find_flaw(encoded) or ("a boundary is in it" if _LIMIT in encoded else "")
    if flaw:
        raise UnsendableError(flaw)
    return CheckedLines(encoded)


class EncodedLines:
    """Lines of text, each with its end, and the same in quoted-printable, read back once to be sure of them."""

    __slots__ = ("plain", "quoted")

    def __init__(self, text: str) -> None:
        self.plain = text.replace("\n", "\r\n").encode()
        """The lines as they must arrive."""
        quoted = binascii.b2a_qp(self.plain, istext=True)
        # Where a text has no line end to go by, its long line would be folded by half of one.
        self.quoted = check_lines(quoted if b"\n" in self.plain else quoted.replace(b"\n", b"\r\n")).raw
        if binascii.a2b_qp(self.quoted) != self.plain:
            raise UnsendableError("a text would not arrive as it is")


def join_encoded_lines(galleys: Sequence[EncodedLines]) -> CheckedLines:
    """Galleys one after the other. Between whole lines nothing can come about that is in none of them."""
    quoted = [lines.quoted for lines in galleys if lines.quoted]
    if not all(map(_IS_WHOLE, quoted[:-1])):
        raise UnsendableError("a line goes on in the next galley")
    return CheckedLines(b"".join(quoted))
