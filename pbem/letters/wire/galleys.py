"""Galleys: whole lines of a body, set once and printed in as many mails as they stand in.

All mails about a position say the same of its board. Those lines are encoded with the first of the mails; the others
only copy them. Quoted-printable encodes every line by itself, so galleys one after the other are the same bytes as
their text in one piece.
"""

import binascii
from functools import cached_property


class UnfitError(ValueError):
    """Something that would not arrive as it is was about to be written."""


class Galley:
    """Lines of text, each with its end."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def plain(self) -> bytes:
        """The lines as they must arrive."""
        return self.text.replace("\n", "\r\n").encode()

    @cached_property
    def quoted(self) -> bytes:
        """The lines in quoted-printable, read back once to be sure of them."""
        quoted = binascii.b2a_qp(self.plain, istext=True)
        if binascii.a2b_qp(quoted) != self.plain:
            raise UnfitError("a text would not arrive as it is")
        return quoted
