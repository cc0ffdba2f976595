"""One line of a letter, and what it can turn out to be besides a command."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.game import GameRules
from engine.verdict import Rule
from notation import Fault
from notation.lookalikes import plain
from notation.speech import is_word_of_moves
from pbem.mail.commands import letter_rules
from pbem.mail.commands.half_moves import find_offer, find_whole
from pbem.mail.commands.parse_moves import Turn, explain_turn, looks_like_moves, parse_seat, parse_turn
from pbem.mail.commands.prepared_lines import prepare
from pbem.mail.commands.vocabulary import holds_doubt, patterns
from pbem.tables.play import Pending

if TYPE_CHECKING:
    from pbem.mail.commands.command import Command

_DECORATION: Final = " *_`\"'«»„“”\u2018\u2019•·👉🐪🐫"
_MARKS: Final = str.maketrans("«»„“”″", '""""""')
"""Quotation marks that telephones set."""
_SPLIT_PLACE: Final = re.compile(r"(?<![\w-])([A-Z]) ([1-9][0-9]?)(?!\w)", re.IGNORECASE)
_SPLIT_IN_PROSE: Final = re.compile(r"(?<=\w )(?:([A-HJ-Z])|([b-hjl-nqrt]))(?: )([1-9][0-9]?)(?![\w-])")
"""The same in a sentence, where some small letters are words: *a 6*, *i 2*, *z 4*."""
_MOST_MENDED: Final = 3
"""Misspelt words of a move that are mended."""
_NOT_LEGAL: Final = (
    "we ask first, because of line {line}; you wrote “{text}”. As things stand, {order} cannot be played"
)
_CANNOT: Final = "you cannot play {order} now; you wrote “{text}”"
_PLACE_FIRST: Final = re.compile(r"((?:[A-Z][0-9]{1,2}(?:, | and | |\b)){1,2})(?:\W*)([^\W\d_]{3,24})", re.IGNORECASE)
_PARTS: Final = re.compile(r"\s*[,;+&]\s*(?=[A-Z][0-9])", re.IGNORECASE)
_MOST_TURNED: Final = 2
"""Moves of a line that may all begin with their places."""
_DROPPED: Final = re.compile(r"[0-9]|[^\W\d_]{3,24}")
"""What may stand in a move by mistake: *2 lilac C5*, *lilac cammel C5*."""
_PLACES: Final = ("anywhere", "before", "after", "right_after", "between")
_SHOWN: Final = 200
"""Characters of a line that are given back."""


@cache
def _or() -> re.Pattern[str]:
    """An or between two moves, with a perhaps on either side of it."""
    perhaps = rf"(?:(?:{patterns('asks', 'perhaps')})(?!\w)\W*)?"
    return re.compile(rf"(?<!\w){perhaps}(?:{patterns('asks', 'or')})(?!\w)\W*{perhaps}", re.IGNORECASE)


@cache
def _beside() -> re.Pattern[str]:
    """A no, or words that name a place by another one."""
    said = "|".join([patterns("moves", "beside"), patterns("moves", "shuts_out"), patterns("answers", "no")])
    return re.compile(rf"(?<!\w)(?:{said})(?!\w)", re.IGNORECASE)


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

    def judged(self, pending: Pending) -> "Question":
        """The same with only such moves for an answer as can be played now."""
        legal = tuple(text for text in self.suggests if pending.allows(text))
        if legal == self.suggests:
            return self
        if not legal and {"text", "line", "order"} <= self.facts.keys():
            return replace(self, says=_NOT_LEGAL, suggests=())
        return replace(self, suggests=legal)


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
        return next((line for line in map(str.strip, self.lines) if line), "").startswith("{")

    @property
    def closed(self) -> bool:
        """True if they begin with a brace and end with one."""
        # Looked at for every line, so the lines are not put together each time.
        return self.braced and next((line for line in map(str.strip, reversed(self.lines)) if line), "").endswith("}")

    @property
    def text(self) -> str:
        """All that was said, with its braces."""
        return "\n".join(self.lines).strip()

    @property
    def words(self) -> str:
        """All that was said."""
        return self.text[1:-1].strip() if self.closed else self.text


@lru_cache(maxsize=16)
def _plain(text: str) -> str:
    """A line with plain signs and single blanks. Asked for many times while it is looked at, and then no more."""
    return " ".join(plain(text.translate(_MARKS)).split())


@lru_cache(maxsize=16)
def _bare(text: str) -> str:
    begun = _plain(text).lstrip(_DECORATION)
    bare = begun.rstrip(_DECORATION)
    # A move may end with words in quotation marks: offer "a fine one".
    return f'{bare}"' if bare.count('"') % 2 else bare


class LetterLine(NamedTuple):
    """A line of a letter, its number from 1."""

    number: int
    text: str
    said: str = ""
    """The line as it was written, where something that it leaves out was put in."""

    @property
    def plain(self) -> str:
        """The line with plain signs and single blanks."""
        return _plain(self.text)

    @property
    def shown(self) -> str:
        """The line as its writer knows it, to be quoted."""
        return _plain(self.said or self.text)

    @property
    def bare(self) -> str:
        """The line without bullets, the signs for bold, and quotation marks around all of it."""
        return _bare(self.text)

    def unread(self, why: Rule, fault: Fault | None = None, says: str = "", **facts: object) -> UnreadLine:
        """The line as one that was not read; with `says`, as a question."""
        about = {"line": self.number, "text": self.shown[:_SHOWN], **facts}
        question = Question(why, says, about, self.number) if says else None
        return UnreadLine(self.number, self.plain[:_SHOWN], why, fault, question)


class LineContext(NamedTuple):
    """A line, and what is known of the table that it was written for."""

    line: LetterLine
    game: GameRules | None = None
    playing: bool = True
    pending: Pending | None = None
    """What the writer can answer or do now, if that is known."""
    explains: bool = True
    """Whether it is found out what is wrong with a line that looks like a move."""

    def prepare(self, text: str) -> str:
        """A text in which what only this table knows, such as a player's name, is put into the game's own words."""
        return prepare(self.game, text, self.pending) if self.game is not None else text

    def read_turn(self, text: str, number: int | None = None) -> Turn | None:
        """The turn that a text is; the letter and the number of a place may stand apart: `place m 16`."""
        if self.game is None:
            return None
        turn = parse_turn(self.game, self.prepare(text), number=number)
        if turn is not None or self.pending is None:
            return turn
        places = self.pending.places
        joined = _SPLIT_PLACE.sub(lambda it: it[1] + it[2] if f"{it[1]}{it[2]}".upper() in places else it[0], text)
        return parse_turn(self.game, self.prepare(joined), number=number) if joined != text else None

    def join_places(self, text: str) -> str:
        """A sentence in which the letters and numbers of places do not stand apart: *put lemon on M 4*."""
        places = self.pending.places if self.pending is not None else ()

        def join(found: re.Match[str]) -> str:
            place = f"{found[1] or found[2]}{found[3]}"
            return place if place.upper() in places else found[0]

        return _SPLIT_IN_PROSE.sub(join, text)

    def seat_of(self, word: str) -> str:
        """The seat that a colour or a player's name stands for; another word comes back as it is."""
        named = self.pending.names.get(word.lower()) if self.pending is not None else None
        return named or parse_seat(self.game, word)

    def turn_of(self, text: str, number: int | None = None) -> Turn | UnreadLine:
        """The turn after a verb for moves; a question if the text only looks like one, else it is just a sentence."""
        if self.game is None:
            return self.line.unread(letter_rules.L7)
        turn = self.read_turn(text, number)
        if turn is not None:
            return turn
        if looks_like_moves(self.game, text):
            return self.ask_for_move(self.game, text)
        return self.line.unread(letter_rules.L7)

    def ask_for_move(self, game: GameRules, text: str) -> UnreadLine:
        """Ask about a text that looks like a move."""
        says = "we cannot read the move in line {line}"
        if not self.explains:
            return self.line.unread(letter_rules.L1, None, says)
        fault = explain_turn(game, text, self.line.number)
        offer = find_offer(game, self.prepare(text), self.pending) if self.pending is not None else ""
        own = offer or self._turned(game, text) or self._mend(game, text, fault) or self._drop_word(game, text, fault)
        is_open = own is not None and (self.pending is None or self.pending.allows(own))
        if fault is not None and fault.meant and not is_open and self.pending is not None:
            fault = fault._replace(meant="")  # a word that leads to no move of this moment helps nobody
        if own is not None and not is_open:
            return self.line.unread(letter_rules.L1, fault, _CANNOT, order=own)
        unread = self.line.unread(letter_rules.L1, fault, says)
        meant = (own,) if own is not None else find_whole(game, self.prepare(text), self.pending)
        if not meant or unread.question is None:
            return unread
        return replace(unread, question=replace(unread.question, suggests=meant))

    def _mend(self, game: GameRules, text: str, fault: Fault | None) -> str | None:
        """The move that a misspelt text was meant to be."""
        for _ in range(_MOST_MENDED):
            if fault is None or not fault.meant:
                return None
            at = fault.column - 1
            text = f"{text[:at]}{fault.meant}{text[at + len(fault.read) :]}"
            turn = parse_turn(game, text)
            if turn is not None:
                return turn.phrase
            fault = explain_turn(game, text, self.line.number)
        return None

    def _drop_word(self, game: GameRules, text: str, fault: Fault | None) -> str | None:
        """The move of a text without the one word, or the one figure, that is no part of it: *lilac cammel C5*.

        It is only asked about, and not at all where the word may say that the move is not wanted, or means another.
        """
        word = fault.read if fault is not None else ""
        if fault is None or not _DROPPED.fullmatch(word) or self.pending is None or is_word_of_moves(game.key, word):
            return None
        at = fault.column - 1
        if text[at : at + len(word)] != word or holds_doubt(text, *_PLACES) or _beside().search(text):
            return None
        turn = parse_turn(game, f"{text[:at]}{text[at + len(word) :].lstrip()}")
        return turn.phrase if turn is not None and self.pending.allows(turn.phrase) else None

    def _turned(self, game: GameRules, text: str) -> str | None:
        """The move of a text with places before the words for them: *C5 lilac*, *E4 mint, B5 lilac*."""
        found = [_PLACE_FIRST.fullmatch(part) for part in _PARTS.split(text.strip(" .!?"))]
        if len(found) > _MOST_TURNED or any(each is None for each in found):
            found = [_PLACE_FIRST.fullmatch(text.strip(" .!?"))]
        turn = parse_turn(game, ", ".join(f"{each[2]} {each[1]}" for each in found if each is not None))
        return turn.phrase if turn is not None else None

    def ask_which(self, game: GameRules, text: str) -> UnreadLine | None:
        """Ask which of two moves is meant that a line leaves open, if both can be played: *lilac C5 or C6?*."""
        one, *others = _or().split(text.strip(" .!?")) if len(text) <= _SHOWN else (text,)
        first = parse_turn(game, one.rstrip(" ,")) if len(others) == 1 else None
        if first is None or self.pending is None:
            return None
        verb = first.phrase.split(" ")[0]
        second = parse_turn(game, others[0]) or parse_turn(game, f"{verb} {others[0]}")
        if second is None or second == first or len(second.moves) != len(first.moves):
            return None
        suggests = (first.phrase, second.phrase)
        unread = self.line.unread(letter_rules.L1, None, "we cannot read the move in line {line}")
        if unread.question is None or not all(map(self.pending.allows, suggests)):
            return None
        return replace(unread, question=replace(unread.question, suggests=suggests))

    def announces_moves(self, text: str) -> bool:
        """Whether the text after a verb holds no moves, but announces some: `plan for next week:`."""
        if self.game is None or not self.line.bare.endswith(":"):
            return False
        return parse_turn(self.game, text) is None and not looks_like_moves(self.game, text)
