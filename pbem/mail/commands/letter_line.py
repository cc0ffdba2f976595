"""One line of a letter, and what it can turn out to be besides a command."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.game import GameRules
from engine.verdict import Rule
from notation import Fault
from notation.lookalikes import plain
from pbem.mail.commands import letter_rules
from pbem.mail.commands.parse_moves import Turn, explain_turn, looks_like_moves, parse_turn
from pbem.tables.play import Pending

if TYPE_CHECKING:
    from pbem.mail.commands.command import Command

_DECORATION: Final = " *_`\"'«»„“”\u2018\u2019•·👉🐪🐫"
_MARKS: Final = str.maketrans("«»„“”″", '""""""')
"""Quotation marks that telephones set."""
_SHOWN: Final = 200
"""Characters of a line that are given back."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the player must be asked before anything is done."""

    rule: Rule
    says: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    line: int | None = None
    """The line that the question is about, where it is one."""
    suggests: tuple[str, ...] = ()
    """The player's own moves as they were read, in the game's notation: each can be the answer."""

    @property
    def detail(self) -> str:
        """The sentence in English."""
        return self.says.format_map(self.facts)


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that became no command: its number from 1, its text, and the rule that says why.

    `fault` says more exactly what could not be read; its `meant` and `example` are suggestions. A line without a
    `question` does no harm: the rest of the letter is carried out.
    """

    line: int
    text: str
    why: Rule
    fault: Fault | None = None
    question: Question | None = None


@dataclass(slots=True)
class MessageWords:
    """Words to be passed on, announced in a line, and what has been said so far.

    They end with an empty line. If they begin with an opening brace they end with the closing one, and may hold
    anything. Nothing in them is changed.
    """

    line: int
    to: str
    make: "Callable[[str], Command]"
    """Makes the command of the words."""
    if_none_follow: str
    """What the player is asked if no words follow."""
    is_private: bool
    lines: list[str] = field(default_factory=list)

    @property
    def braced(self) -> bool:
        """True if they begin with a brace."""
        return self.text.startswith("{")

    @property
    def closed(self) -> bool:
        """True if they begin with a brace and end with one."""
        return self.braced and self.text.endswith("}")

    @property
    def text(self) -> str:
        """All that was said, with its braces."""
        return "\n".join(self.lines).strip()

    @property
    def words(self) -> str:
        """All that was said."""
        return self.text[1:-1].strip() if self.closed else self.text


class LetterLine(NamedTuple):
    """A line of a letter, its number from 1."""

    number: int
    text: str

    @property
    def plain(self) -> str:
        """The line with plain signs and single blanks."""
        return " ".join(plain(self.text.translate(_MARKS)).split())

    @property
    def bare(self) -> str:
        """The line without bullets, the signs for bold, and quotation marks around all of it."""
        begun = self.plain.lstrip(_DECORATION)
        bare = begun.rstrip(_DECORATION)
        # A move may end with words in quotation marks: offer "a fine one".
        return f'{bare}"' if bare.count('"') % 2 else bare

    def unread(self, why: Rule, fault: Fault | None = None, says: str = "", **facts: object) -> UnreadLine:
        """The line as one that was not read; with `says`, as a question."""
        about = {"line": self.number, "text": self.plain[:_SHOWN], **facts}
        question = Question(why, says, about, self.number) if says else None
        return UnreadLine(self.number, self.plain[:_SHOWN], why, fault, question)


class LineContext(NamedTuple):
    """A line, and what is known of the table that it was written for."""

    line: LetterLine
    game: GameRules | None = None
    playing: bool = True
    pending: Pending | None = None
    """What the writer can answer or do now, if that is known."""

    def turn_of(self, text: str, number: int | None = None) -> Turn | UnreadLine:
        """The turn after a verb for moves; a question if the text only looks like one, else it is just a sentence."""
        if self.game is None:
            return self.line.unread(letter_rules.L7)
        turn = parse_turn(self.game, text, number=number)
        if turn is not None:
            return turn
        if looks_like_moves(self.game, text):
            return self.ask_for_move(self.game, text)
        return self.line.unread(letter_rules.L7)

    def ask_for_move(self, game: GameRules, text: str) -> UnreadLine:
        """Ask about a text that looks like a move."""
        says = "line {line} looks like a move but cannot be read: {text}"
        return self.line.unread(letter_rules.L1, explain_turn(game, text, self.line.number), says)

    def announces_moves(self, text: str) -> bool:
        """Whether the text after a verb holds no moves, but announces some: `plan for next week:`."""
        if self.game is None or not self.line.bare.endswith(":"):
            return False
        return parse_turn(self.game, text) is None and not looks_like_moves(self.game, text)
