"""Players' own words, made safe to stand beside ours.

A name comes from a letter or a record and may hold anything. Control characters break markup, and characters
that turn the reading direction let one name pose as another or scramble a board: each is replaced by a visible
sign, never silently dropped. Escaping is left to the templates.
"""

import unicodedata
from typing import Final

SIGN: Final = "\N{REPLACEMENT CHARACTER}"
LONGEST: Final = 40
"""Longer names are cut with an ellipsis."""
MOST_MARKS: Final = 2
"""Accents upon one letter; further ones are dropped, for they only pile up."""

_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS: Final = frozenset("\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
"""Format characters that Persian names and emoji need; they turn nothing."""


def show_name(name: str, longest: int = LONGEST) -> str:
    """Write a name on one line, with a visible sign for every character that must not pass."""
    shown: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", " ".join(name.split())):
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            shown.append(SIGN if category in _UNSAFE and character not in _JOINERS else character)
    return shorten("".join(shown), longest)


def shorten(text: str, longest: int) -> str:
    """Cut a text that is too long, and show that it was cut."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
