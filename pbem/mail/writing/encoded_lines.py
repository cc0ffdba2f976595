"""Lines of a mail's body: folded, encoded as quoted-printable, checked once and used in many mails.

All mails about a position say the same about its board. Those lines are encoded and checked for the first of the mails;
the others copy the bytes. Quoted-printable encodes every line by itself, so encoded lines one after the other are the
same bytes as their text encoded in one piece.
"""

import binascii
from collections.abc import Sequence
from functools import lru_cache
from operator import methodcaller
from textwrap import TextWrapper
from typing import Final, NamedTuple

from pbem.mail.format import BAR, FENCES

WIDTH: Final = 76
UNBROKEN: Final = "\N{NO-BREAK SPACE}"
WRAP_CACHE: Final = 512
"""How many folded long lines are cached."""


def fold(text: str) -> str:
    """Text in lines of at most WIDTH characters, without an empty line at the top or two in a row."""
    folded: list[str] = []
    before = ""
    for line in text.splitlines():
        kept = line.rstrip() if len(line) <= WIDTH else _wrap(line)
        if kept or before:
            folded.append(kept)
        before = kept
    return "".join([f"{line}\n" for line in folded])


_FENCES: Final = tuple(fence for both in FENCES.values() for fence in both)


@lru_cache(maxsize=WRAP_CACHE)
def _wrap(line: str) -> str:
    """A long line on several lines, each with the same indent and behind the same bar.

    A fence is never broken, because players copy it as it is.
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
    for fence in _FENCES:
        rest = rest.replace(fence, fence.replace(" ", UNBROKEN))
    folded = wrapper.fill(rest.strip())
    for fence in _FENCES:
        folded = folded.replace(fence.replace(" ", UNBROKEN), fence)
    return folded


LONGEST: Final = 998
"""RFC 5322, 2.1.1."""


def find_flaw(raw: bytes) -> str:
    """Why mail servers would not take some bytes: every line must end with CR LF, be short enough and hold no NUL."""
    said = raw.replace(b"\r\n", b"")
    if b"\r" in said or b"\n" in said or b"\0" in said:
        return "a line ends in another way"
    if len(raw) > LONGEST and max(map(len, raw.split(b"\r\n"))) > LONGEST:
        return "a line is too long"
    return ""


BOUNDARY: Final = "=_"
"""All our MIME boundaries begin with this: neither quoted-printable nor base64 ever writes these two characters."""
_LIMIT: Final = b"--" + BOUNDARY.encode("ascii")
_IS_WHOLE: Final = methodcaller("endswith", b"\r\n")


class UnsendableError(ValueError):
    """Content that would not arrive as it was written."""


class CheckedLines(NamedTuple):
    """Encoded lines that were checked: their ends and lengths are right, and no boundary is in them."""

    raw: bytes


def check_lines(encoded: bytes) -> CheckedLines:
    """Check some encoded lines; UnsendableError if they would not arrive as they are."""
    flaw = find_flaw(encoded) or ("a boundary is in it" if _LIMIT in encoded else "")
    if flaw:
        raise UnsendableError(flaw)
    return CheckedLines(encoded)


class EncodedLines:
    """Lines of text, each with its line end, and the same in quoted-printable, decoded once to be sure."""

    __slots__ = ("plain", "quoted")

    def __init__(self, text: str) -> None:
        self.plain = text.replace("\n", "\r\n").encode()
        """The lines as they must arrive."""
        quoted = binascii.b2a_qp(self.plain, istext=True)
        # b2a_qp takes its line ends from the text; a text without one would be folded with LF alone.
        self.quoted = check_lines(quoted if b"\n" in self.plain else quoted.replace(b"\n", b"\r\n")).raw
        if binascii.a2b_qp(self.quoted) != self.plain:
            raise UnsendableError("a text would not arrive as it is")


def join_encoded_lines(parts: Sequence[EncodedLines]) -> CheckedLines:
    """Encoded lines one after the other. All are whole lines, so joining them adds nothing that was not checked."""
    quoted = [part.quoted for part in parts if part.quoted]
    if not all(map(_IS_WHOLE, quoted[:-1])):
        raise UnsendableError("a line goes on in the next part")
    return CheckedLines(b"".join(quoted))
