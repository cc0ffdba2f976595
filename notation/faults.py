"""What could not be read, where, and what would have been understood.

A Fault is a value; nothing in this package raises one. This module prints it for a terminal and knows no grammar:
`expected` is already in a player's words. Characters of other alphabets that look like plain ones are named, with what
to write instead; they are not guessed, because a letter may be meant for its look or for its sound.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from engine.verdict import Rule
from notation.format_rules import BY_CODE

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


class Lookalike(NamedTuple):
    """A sign that is not the one it looks like: its name, and the signs of which one was meant."""

    sign: str
    name: str
    instead: tuple[str, ...]


def find_lookalike(word: str) -> Lookalike | None:
    """The first such sign of a word, or None. A letter among others of its alphabet is not one."""
    letters = [each for each in word if each.isalpha()]
    mixed = len(letters) == 1 or any(each.isascii() for each in letters)
    found = next((each for each in word if each in _PLAIN and (mixed or each in _MARKS)), None)
    if found is None:
        return None
    from unicodedata import name  # needed only when something went wrong

    return Lookalike(found, name(found), tuple(_PLAIN[found]))


FOUND_AND_EXPECTED: Final = "Found “{read}”; expected {expected}."
FOUND: Final = "Found “{read}”."
EXPECTED: Final = "The text ends here; expected {expected}."
MEANT: Final = "Did you mean {meant}?"
STRANGE: Final = "“{sign}” is the character {name}; write {instead}."

_WINDOW: Final = 100
"""Characters of a long line that are shown around the place of a fault."""


class Fault(NamedTuple):
    """One thing that could not be read.

    `line` and `column` count from 1, `text` is the line, `length` how much of it is meant. `read` is what stands
    there (empty at the end of the text), `expected` what could stand there instead, `meant` a word that the player
    may have meant, `example` a text that can be read.
    """

    code: str
    line: int
    column: int
    text: str
    read: str
    expected: tuple[str, ...]
    example: str
    length: int = 1
    meant: str = ""

    @property
    def rule(self) -> Rule:
        """The rule that the text breaks, as `pbem rule` prints it."""
        return BY_CODE[self.code]

    @property
    def message(self) -> str:
        """What is wrong, in a sentence or two."""
        facts = {"read": self.read, "expected": listing(self.expected), "meant": self.meant}
        sentences = [FOUND_AND_EXPECTED if self.read else EXPECTED] if self.expected else [FOUND] if self.read else []
        sentences += [MEANT] if self.meant else []
        said = [sentence.format_map(facts) for sentence in sentences]
        if (stranger := self.stranger) is not None:
            sign, name, instead = stranger
            said.append(STRANGE.format(sign=sign, name=name, instead=listing(instead)))
        return " ".join([*said, *([] if self.expected else [self.rule.text])])

    @property
    def stranger(self) -> Lookalike | None:
        """A sign in what was read that looks like another one; a letter by itself is a word of some language."""
        is_word = len(self.read) == 1 and self.read.isalpha() and self.text[self.column :][:1].isspace()
        return None if is_word else find_lookalike(self.read)

    def render(self) -> str:
        """The fault for a terminal: name and place, the line with a caret, what was expected, an example."""
        shown, before, length = _cut(self.text, self.column - 1, self.length)
        caret = " " * _width(before) + "^" * max(1, _width(shown[len(before) : len(before) + length]))
        return "\n".join(
            [
                f"{self.code} {self.rule.name}, line {self.line}, column {self.column}",
                f"  {shown}",
                f"  {caret}",
                f"  {self.message}",
                *(f"  {each}" for each in _example(self.example)),
            ]
        )


def listing(things: Sequence[str]) -> str:
    """``a, b or c``."""
    return " or ".join(part for part in (", ".join(things[:-1]), *things[-1:]) if part)


def printable(text: str) -> str:
    """The text with every character that could upset a terminal replaced by a sign for it."""
    return "".join(each if each.isprintable() else " " if each == "\t" else "\ufffd" for each in text)


def _example(text: str) -> list[str]:
    first, *more = text.split("\n")
    return [f"For example: {first}", *(f"             {each}" for each in more)]


def _cut(text: str, at: int, length: int) -> tuple[str, str, int]:
    """As much of a line as a terminal bears: the text, its part before the fault, and the fault's length in it."""
    begin = max(0, at - _WINDOW // 2) if len(text) > _WINDOW else 0
    end = begin + _WINDOW
    left, right = "…" if begin else "", "…" if end < len(text) else ""
    shown = left + printable(text[begin:end]) + right
    before = left + printable(text[begin:at])
    return shown, before, min(length, len(shown) - len(before))


def _width(text: str) -> int:
    from unicodedata import combining, east_asian_width  # needed only when something went wrong

    return sum(0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in text)
