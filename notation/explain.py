"""From the place where reading stopped to a fault that helps a player.

The parser says which terminals it could have taken; a phrasebook says what players call them; what was perhaps meant is
the nearest word that the grammar itself would have taken there. This module knows which fault a failure of the grammars
amounts to, and gives it a code, a line and a column. It reports no more of them than anyone would read.
"""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from notation import chunks
from notation.chunks import Chunk
from notation.faults import Fault
from notation.format_rules import BY_CODE
from notation.lalr.parser import END, Unexpected
from notation.phrases import Phrases

_LONGEST_WORD: Final = 60
"""Letters of a word that may be a misspelt one; no word of a game has half as many."""
_WORD_OR_SIGN: Final = re.compile(r"[\w-]+|\S")


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
    read, meant = find_meant(reader, text, trouble)
    mended = reader.read(text[: trouble.at] + meant + text[trouble.at + len(read) :]) if meant else trouble
    example = reader.example if isinstance(mended, Unexpected) else reader.book.phrase(mended)
    return Explanation("NT-M1", trouble.at, read, expected, meant, example)


def _said(reader: Phrases, trouble: Unexpected) -> Iterator[str]:
    """What could have followed, in a player's words."""
    for kind in trouble.expected:
        if kind == END:
            yield "the end of the turn"
        else:
            literal = reader.parser.terminals[kind].literal
            yield reader.book.says.get(kind) or literal or kind.strip("_").replace("_", " ").lower()


def find_meant(reader: Phrases, text: str, trouble: Unexpected) -> tuple[str, str]:
    """The word where reading stopped, and the one most like it among those that could have followed, or nothing."""
    word = _WORD_OR_SIGN.search(text, trouble.at) if trouble.found != END else None
    read = word[0] if word else ""
    return read, _nearest_word(reader, trouble.expected, read.lower()) if 0 < len(read) <= _LONGEST_WORD else ""


@lru_cache(maxsize=1_024)
def _nearest_word(reader: Phrases, expected: tuple[str, ...], read: str) -> str:
    words = reader.vocabulary(expected)
    word = closest_word(read, words)
    return words[word] if word else ""


def closest_word(word: str, words: Iterable[str], *, cutoff: float = 0.6) -> str:
    """The word most like another one; empty if none is like it. The same that `difflib` finds, but much sooner.

    Two words are as much alike as they have letters in common, at most, and most words have few.
    """
    has, size = frozenset(word).__contains__, len(word)
    near = [each for each in words if 2 * sum(map(has, each)) >= cutoff * (size + len(each))]
    return next(iter(get_close_matches(word, near, n=1, cutoff=cutoff)), "") if near else ""


_STRAY: Final = {
    "}": "a { before it",
    ")": "a ( before it",
    "]": "a [% before it",
    "[": "[% and the name of an annotation",
    '"': "a second quotation mark",
    "$": "the number of a judgement after it",
    "|": "it only between the turns of a variation",
}
_UNCLOSED: Final = {
    "NT-R1": ("a } at the end of the comment",),
    "NT-R2": ("a ) at the end of the variation",),
}
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_WORD: Final = re.compile(r"\S{1,40}")


class FaultLog:
    """Notes the faults of one chunk in the list of its game."""

    def __init__(self, chunk: Chunk, faults: list[Fault], *, example: str = "") -> None:
        """`example` is a turn that can be read in this game, for faults whose own example is of another."""
        self._chunk = chunk
        self._faults = faults
        self._example = example

    @cached_property
    def _lines(self) -> list[str]:
        """The lines of the chunk as they are shown; all faults of a line share it, for it may be long."""
        return _SURROGATE.sub("\ufffd", self._chunk.text).split("\n")

    @property
    def count(self) -> int:
        """How many faults the game has so far."""
        return len(self._faults)

    def note(
        self,
        code: str,
        at: int,
        *,
        read: str | None = None,
        expected: tuple[str, ...] = (),
        meant: str = "",
        example: str = "",
        last: bool = False,
    ) -> None:
        """Note a fault at a place in the chunk; what is not said is taken from the text and from the fault's rule.

        After a certain number no more are noted, but for the `last` one, which says so.
        """
        if len(self._faults) >= chunks.FAULTS and not last:
            return
        before = self._chunk.text[:at]
        line, column = before.count("\n"), at - before.rfind("\n") - 1
        text = self._lines[line]
        if read is None:
            word = _WORD.match(text, column)
            read = word[0] if word else ""
        self._faults.append(
            Fault(
                code=code,
                line=self._chunk.line + line,
                column=column + 1,
                text=text,
                read=_SURROGATE.sub("\ufffd", read),
                expected=expected,
                example=example or (not code.startswith("NT-H") and self._example) or BY_CODE[code].obeys,
                length=max(1, len(read)),
                meant=meant,
            )
        )

    def unclosed(self, code: str, at: int) -> None:
        """Note that what is opened at a place is not closed, or not soon enough."""
        self.note(code, at, read="" if code == "NT-F3" else None, expected=_UNCLOSED.get(code, ()))

    def misread_headers(self, trouble: Unexpected) -> None:
        """Note why the chunk is no line of headers."""
        self.note("NT-H1", trouble.at, expected=("a name and a text in quotation marks between [ and ]",))

    def misread_line(self, trouble: Unexpected) -> None:
        """Note why the chunk is no line of turns and remarks."""
        text, at = self._chunk.text, trouble.at
        sign = text[at : at + 1]
        if text.startswith("[%", at):
            self.note("NT-R5", at, expected=("a ] at the end of the annotation",))
        elif sign in _STRAY:
            self.note("NT-T3", at, read=sign, expected=(_STRAY[sign],))
        elif trouble.found == END:
            self.unclosed("NT-R2", at)
        else:
            self.note("NT-T1", at, expected=("a turn: its number, the seat and a colon",))

    def misread_phrase(self, trouble: Unexpected, phrase: str, at: int, *, reader: Phrases, head: str = "") -> None:
        """Note why a phrase that begins at a place in the chunk holds no moves; `head` stands before the example."""
        if len(self._faults) >= chunks.FAULTS:
            return
        # needed only when something went wrong

        why = explain(reader, phrase, trouble)
        self.note(
            why.code,
            at + why.at,
            read=why.read,
            expected=why.expected,
            meant=why.meant,
            example=f"{head} {why.example}".lstrip(),
        )
