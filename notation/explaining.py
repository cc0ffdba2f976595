"""From the place where reading stopped to words that help a player.

A machine says which terminals it could have taken; a phrasebook says what players call them; what was perhaps meant is
the nearest word that the grammar itself would have taken there.
"""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final, NamedTuple

from notation.lalr.automaton import END, Unexpected
from notation.phrases import Phrases

_WORD: Final = re.compile(r"[\w-]+|\S")


class Explanation(NamedTuple):
    """What a fault in a phrase says; `example` is a whole phrase that can be read."""

    code: str
    at: int
    read: str
    expected: tuple[str, ...]
    meant: str
    example: str


def explain(reader: Phrases, text: str, trouble: Unexpected) -> Explanation:
    """Why `text` is no phrase of this game."""
    expected = tuple(dict.fromkeys(_said(reader, trouble)))
    if trouble.found == END:
        return Explanation("NT-M2", trouble.at, "", expected, "", reader.example)
    word = _WORD.search(text, trouble.at)
    read = word[0] if word else ""
    meant = _nearest(reader, trouble, read)
    mended = reader.read(text[: trouble.at] + meant + text[trouble.at + len(read) :]) if meant else trouble
    example = reader.example if isinstance(mended, Unexpected) else reader.book.phrase(mended)
    return Explanation("NT-M1", trouble.at, read, expected, meant, example)


def _said(reader: Phrases, trouble: Unexpected) -> Iterator[str]:
    """What could have followed, in a player's words."""
    for kind in trouble.expected:
        if kind == END:
            yield "the end of the turn"
        else:
            literal = reader.automaton.terminals[kind].literal
            yield reader.book.says.get(kind) or literal or kind.strip("_").replace("_", " ").lower()


def _nearest(reader: Phrases, trouble: Unexpected, read: str) -> str:
    """The word most like the one read among those that could have followed, or nothing."""
    words = reader.vocabulary(trouble.expected)
    return next((words[word] for word in get_close_matches(read.lower(), words, n=1)), "")
