"""Characters typed for plain ones: full-width letters, dashes of all lengths, blanks of all kinds.

Each is replaced by one plain character, so that places in the text stay the same. What stands in comments, annotations
or quotation marks is not touched.
"""

import re
from functools import cache
from string import ascii_letters, digits
from typing import Final

from notation.chunks import record_parser

_FULL_WIDTH: Final = {0xFEE0 + ord(each): each for each in ascii_letters + digits + "#%&'*+,-./:;<=>@^_`~"}
"""Full-width forms of what can stand in a word; those of brackets and marks are not replaced."""

_BLANKS: Final = dict.fromkeys(
    [
        *map(ord, "\t\r\u00a0\u00ad\u1680\u180e\u202f\u205f\u3000\ufeff"),
        *range(0x2000, 0x2010),  # blanks of all widths, and marks for the direction of writing
        *range(0x2028, 0x202F),
        *range(0x2060, 0x206A),
    ],
    " ",
)
_DASHES: Final = dict.fromkeys([*range(0x2010, 0x2016), 0x2212], "-")
_PLAIN: Final = _FULL_WIDTH | _BLANKS | _DASHES


def plain(text: str) -> str:
    """The text with look-alikes replaced, character by character."""
    if text.isascii() and "\t" not in text:
        return text
    pieces = _literal().split(text)
    pieces[::2] = [piece.translate(_PLAIN) for piece in pieces[::2]]
    return "".join(pieces)


def literals(text: str) -> list[str]:
    """The comments, texts and annotations in a text, as they stand; the last one may not be closed."""
    found: list[str] = _literal().findall(text)
    return found


@cache
def _literal() -> re.Pattern[str]:
    """What is kept as it is: whole literals, and the rest of the text after one that is not closed."""
    return re.compile(f"({record_parser().regexp('COMMENT', 'STRING', 'ANNOTATION')}" + r"|(?:\{|\"|\[%)[\s\S]*)")
