"""Words without what people leave out when they search: capitals, accents, points, and marks inside abbreviations.

`Żółw` and `zolw`, `ещё` and `еще`, `שָׁלוֹם` and `שלום`, `צה״ל` and `צהל`, `één` and `een` are the same word each. But `й`
is a letter of its own, and not `и`.
"""

import re
import unicodedata
from typing import Final

BETWEEN: Final = " ␞ "
"""Parts one text from the next, so that no phrase is found across them: no word looks like it."""

_UNDECOMPOSED: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "\u0131": "i", "æ": "ae", "œ": "oe", "й": "\ue000", "ў": "\ue001"}
)
"""Letters that Unicode takes for others than those without their stroke; and two that must not be decomposed."""
_COMPOSED: Final = str.maketrans({"\ue000": "й", "\ue001": "ў"})
_INSIDE: Final = re.compile(r"(?<=[א-ת])[\"'\u05f3\u05f4](?=[א-ת])|(?<=[^\W\d_])[\u2019'](?=[^\W\d_])")
"""Marks inside a word: those of Hebrew abbreviations, and apostrophes."""
_WORD: Final = re.compile(r"[^\W_]+")


def fold(text: str) -> str:
    """A text as it is compared: small letters, without accents, points and strokes."""
    if text.isascii():
        return text.lower()
    small = unicodedata.normalize("NFC", text).casefold().translate(_UNDECOMPOSED)
    apart = unicodedata.normalize("NFKD", small)
    bare = "".join([each for each in apart if not unicodedata.combining(each)])
    return unicodedata.normalize("NFC", bare).translate(_COMPOSED)


def plain_words(text: str) -> str:
    """The words of a text, folded, parted by one blank."""
    return " ".join(_WORD.findall(_INSIDE.sub("", fold(text))))


def holds_phrase(words: str, phrase: str, *, begun: bool = False) -> bool:
    """Whether words that stand one after the other are among plain words; of the last only the beginning if `begun`."""
    return f" {phrase}{'' if begun else ' '}" in f" {words} "
