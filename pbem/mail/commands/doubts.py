"""Whether words beside a move put it off, doubt it or tie it to a condition; the words stand in `doubts.txt`.

Chat about anything else is no doubt, however many a no it holds. Which words stand where, `reading` knows.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

_HEADING: Final = re.compile(r"\[([a-z]+)\]")
_SENTENCE_ENDS: Final = re.compile(r"(?<![.])[.!]\W*\Z|[:;]-?[)D]\Z")
"""A smile ends one too. Three dots end none: who writes them goes on."""
_SENTENCES: Final = re.compile(r"[.!?]\s+(?=\S)")


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    """Each heading with all the patterns below it as one; made when the first letter is weighed, for it takes long."""
    listed: dict[str, list[str]] = {}
    for line in filter(None, Path(__file__).with_name("doubts.txt").read_text("utf-8").splitlines()):
        if heading := _HEADING.fullmatch(line):
            listed[heading[1]] = below = list[str]()
        elif not line.startswith("#"):
            below.append(line)
    return {
        heading: re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)
        for heading, patterns in listed.items()
    }


def puts_off(words: str) -> bool:
    """Whether a line says that what the letter holds is not to be done, not yet, or perhaps not."""
    return _holds("anywhere", words)


def leads_astray(words: str) -> bool:
    """Whether the last sentence of a line right above a move runs into it, and says that it may not be meant."""
    return _SENTENCE_ENDS.search(words) is None and _holds("above", _SENTENCES.split(words)[-1])


def goes_on_with_condition(words: str) -> bool:
    """Whether a line right below a move goes on with an if."""
    return _SENTENCE_ENDS.search(words) is None and _holds("below", words)


def _holds(heading: str, words: str) -> bool:
    # Telephones set apostrophes that nobody types.
    return _patterns()[heading].search(words.replace("\u2019", "'")) is not None
