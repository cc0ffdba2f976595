"""The lines that we put into our own mails so that an answer to them can be read without guessing.

Signs in our mails that the intake knows again, so that an answer can be read without guessing.
"""

import re
from typing import Final

ABOVE: Final = "##- caravan-post -##"
"""Stands at the top of every mail of ours: an answer is written above it."""

FENCE: Final = ("--- orders ---", "--- end ---")
"""Between these two lines, if a player writes them, stand all orders of a mail."""

# Phones turn hyphens into dashes and programs wrap stars around; the words stay.
_DASHES: Final = r"[-\u2010-\u2015\u2212]"
_ABOVE: Final = re.compile(rf"##\s?{_DASHES}{{1,3}}\s?caravan{_DASHES}post\s?{_DASHES}{{1,3}}\s?##", re.IGNORECASE)
_OPENING: Final = re.compile(rf"{_DASHES}{{1,9}}\s{{0,3}}orders:?\s{{0,3}}{_DASHES}{{1,9}}", re.IGNORECASE)
_CLOSING: Final = re.compile(
    rf"{_DASHES}{{1,9}}\s{{0,3}}end(?:\sof\sorders)?\s{{0,3}}{_DASHES}{{1,9}}|sign\s?off\.?", re.IGNORECASE
)


def is_our_mark(line: str) -> bool:
    """Whether a line holds the mark from the top of our mails."""
    return "##" in line and _ABOVE.search(line) is not None


def opens_fence(line: str) -> bool:
    """Whether a line opens a fence of orders."""
    return _OPENING.fullmatch(line.strip()) is not None


def closes_fence(line: str) -> bool:
    """Whether a line ends the orders: the closing line of a fence, or the old judges' word SIGNOFF."""
    return _CLOSING.fullmatch(line.strip()) is not None


OWN: Final = "X-Loop"
"""The header in which our mails carry our address, so that none is ever answered."""
