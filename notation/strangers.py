"""Signs of other alphabets and of typographers, typed for plain ones: what they are called, what to write instead.

They are not guessed: a letter may be meant for what it looks like or for what it sounds like. But to the eye they are
nothing strange, so whoever typed one must be told.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

_GREEK: Final = "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
_LETTERS: Final = {
    **dict(zip("\u0410\u0415\u041a\u041c\u041e\u0422\u0406\u0408\u0405", "AEKMOTIJS", strict=True)),
    **dict(zip("\u0412\u041d\u0420\u0421\u0423\u0425", ("BV", "HN", "PR", "CS", "YU", "XH"), strict=True)),
    **dict(zip(_GREEK, "ABEZHIKMNOPTYX", strict=True)),
}
"""Cyrillic and Greek letters, and the Latin ones that they look or sound like."""

_MARKS: Final = {
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u2018\u2019\u201a\u201b", '"'),
    **{chr(0xFEE0 + ord(each)): each for each in '"[]{}()!?$|'},
}
"""Quotation marks of all countries, and signs of full width."""

_PLAIN: Final[Mapping[str, str]] = {
    **_LETTERS,
    **{sign.lower(): plain.lower() for sign, plain in _LETTERS.items()},
    **_MARKS,
}


class Stranger(NamedTuple):
    """A sign that is not the one it looks like: its name, and the signs of which one was meant."""

    sign: str
    name: str
    instead: tuple[str, ...]


def find_stranger(word: str) -> Stranger | None:
    """The first such sign of a word, or None. A letter among others of its alphabet is at home there."""
    letters = [each for each in word if each.isalpha()]
    mixed = len(letters) == 1 or any(each.isascii() for each in letters)
    found = next((each for each in word if each in _PLAIN and (mixed or each in _MARKS)), None)
    if found is None:
        return None
    from unicodedata import name  # needed only when something went wrong

    return Stranger(found, name(found), tuple(_PLAIN[found]))
