"""What goes wrong while a chunk is read becomes a fault with a code, a line and a column.

This module knows which fault a failure of the grammars amounts to. It notes no more of them than anyone would read.
"""

import re
from functools import cached_property
from typing import Final

from notation import limits
from notation.chunks import Chunk
from notation.faults import Fault
from notation.format_rules import BY_CODE
from notation.lalr.automaton import END, Unexpected
from notation.phrases import Phrases

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


class Slips:
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
        if len(self._faults) >= limits.FAULTS and not last:
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
        if len(self._faults) >= limits.FAULTS:
            return
        from notation.explaining import explain  # needed only when something went wrong

        why = explain(reader, phrase, trouble)
        self.note(
            why.code,
            at + why.at,
            read=why.read,
            expected=why.expected,
            meant=why.meant,
            example=f"{head} {why.example}".lstrip(),
        )
