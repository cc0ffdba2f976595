"""Galleys: whole lines of a body, set once and printed in as many mails as they stand in.

All mails about a position say the same of its board. Those lines are encoded and looked at with the first of the mails;
the others only copy them. Quoted-printable encodes every line by itself, so galleys one after the other are the same
bytes as their text in one piece.
"""

import binascii
from collections.abc import Sequence
from operator import methodcaller
from typing import Final, NamedTuple

from pbem.mail.writing.lines import find_flaw

BOUNDARY: Final = "=_"
"""What all our boundaries begin with: neither quoted-printable nor base64 ever writes these two signs."""
_LIMIT: Final = b"--" + BOUNDARY.encode("ascii")
_IS_WHOLE: Final = methodcaller("endswith", b"\r\n")


class UnfitError(ValueError):
    """Something that would not arrive as it is was about to be written."""


class Proven(NamedTuple):
    """Encoded lines that need no second look: their ends, their lengths, and that no boundary is in them."""

    raw: bytes


def prove(encoded: bytes) -> Proven:
    """Look at some encoded lines."""
    flaw = find_flaw(encoded) or ("a boundary is in it" if _LIMIT in encoded else "")
    if flaw:
        raise UnfitError(flaw)
    return Proven(encoded)


class Galley:
    """Lines of text, each with its end, and the same in quoted-printable, read back once to be sure of them."""

    __slots__ = ("plain", "quoted")

    def __init__(self, text: str) -> None:
        self.plain = text.replace("\n", "\r\n").encode()
        """The lines as they must arrive."""
        quoted = binascii.b2a_qp(self.plain, istext=True)
        # Where a text has no line end to go by, its long line would be folded by half of one.
        self.quoted = prove(quoted if b"\n" in self.plain else quoted.replace(b"\n", b"\r\n")).raw
        if binascii.a2b_qp(self.quoted) != self.plain:
            raise UnfitError("a text would not arrive as it is")


def join_galleys(galleys: Sequence[Galley]) -> Proven:
    """Galleys one after the other. Between whole lines nothing can come about that is in none of them."""
    quoted = [galley.quoted for galley in galleys if galley.quoted]
    if not all(map(_IS_WHOLE, quoted[:-1])):
        raise UnfitError("a line goes on in the next galley")
    return Proven(b"".join(quoted))
