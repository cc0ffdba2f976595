"""One line of a letter, sorted: an order, moves, the beginning of words for somebody, or none of these and why.

Lines are looked at alone here; what they mean together is for `reading`.
"""

from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple, TypeAlias

from engine.game import Game
from engine.verdict import Rule
from notation import Fault
from notation.lookalikes import plain
from pbem.orders import commands, rules
from pbem.orders.commands import Command
from pbem.orders.moving import Turn, is_of_a_record, looks_like_moves, name_seat, read_turn
from pbem.orders.understood import Question, UnreadLine
from pbem.orders.verbs import End, Misdated, NotAnOrder, read_order
from pbem.orders.words import Words

_DECORATION: Final = " *_`\"'«»„“”\u2018\u2019•·"
_QUOTED: Final = (">", "|")
_SHOWN: Final = 200
"""Characters of a line that are given back."""
_ALIKE: Final = 0.8
_LONG_ENOUGH: Final = 4


class Planned(NamedTuple):
    """Turns for later; none: forget those that were planned before."""

    turns: tuple[Turn, ...]


Sorted: TypeAlias = Command | End | Turn | Planned | Words | UnreadLine


class Line(NamedTuple):
    """A line of a letter, its number from 1."""

    number: int
    text: str

    @property
    def plain(self) -> str:
        """The line without what only the eye needs."""
        return plain(self.text).strip()

    @property
    def bare(self) -> str:
        """The line without bullets, quotation marks and the signs for bold."""
        return self.plain.strip(_DECORATION)

    def unread(self, why: Rule, fault: Fault | None = None, says: str = "", **facts: object) -> UnreadLine:
        """Say of the line that it was not read; with `says`, as a question."""
        about = {"line": self.number, "text": self.plain[:_SHOWN], **facts}
        question = Question(why, says, about, self.number) if says else None
        return UnreadLine(self.number, self.plain[:_SHOWN], why, fault, question)


def sort(game: Game[Any] | None, line: Line) -> Sorted:
    """What a line is that is not empty."""
    if line.plain.startswith(_QUOTED):
        return line.unread(rules.L8)
    words = _announcement(game, line)
    if words is not None:
        return words
    order = read_order(line.bare, line.number)
    turn = read_turn(game, line.bare, line=line.number) if game is not None else None
    if isinstance(turn, Turn):
        if isinstance(order, NotAnOrder):
            return turn
        return line.unread(rules.L6, None, "“{text}” is an order and a move; for the move write: move {text}")
    match order:
        case NotAnOrder():
            return _pass_over(game, line, order, turn)
        case Misdated():
            says = "it cannot be told which days are meant in line {line}; write 2026-12-20 to 2027-01-02"
            return line.unread(rules.L3, None, says)
        case commands.Play(text, number):
            return _turn_of(game, line, text, number)
        case commands.Plan(texts):
            turns = [_turn_of(game, line, text) for text in texts]
            unread = next((turn for turn in turns if isinstance(turn, UnreadLine)), None)
            return unread or Planned(tuple(turn for turn in turns if isinstance(turn, Turn)))
        case _:
            return order


def _announcement(game: Game[Any] | None, line: Line) -> Words | None:
    """The words for somebody that a line begins, if it does."""
    head, colon, words = line.text.partition(":")
    press = read_order(Line(line.number, head).bare + ":") if colon else None
    return Words(line.number, name_seat(game, press.to), [words]) if isinstance(press, commands.Press) else None


def _turn_of(game: Game[Any] | None, line: Line, text: str, number: int | None = None) -> Turn | UnreadLine:
    """The turn after a verb for moves; a question if the text only looks like one, else it is just a sentence."""
    if game is None:
        return line.unread(rules.L7)
    turn = read_turn(game, text, line=line.number, number=number)
    if isinstance(turn, Turn):
        return turn
    return _ask_for_move(line, turn) if looks_like_moves(game, text) else line.unread(rules.L7)


def _pass_over(game: Game[Any] | None, line: Line, order: NotAnOrder, fault: Fault | None) -> UnreadLine:
    """A line that is neither an order nor a move."""
    if game is not None and fault is not None and looks_like_moves(game, line.bare):
        if is_of_a_record(game, line.bare):
            says = "line {line} is written as in a record; to play it, send the move alone"
            return line.unread(rules.L8, None, says)
        return _ask_for_move(line, fault)
    if order.begun:
        return line.unread(rules.L3, order.fault, "line {line} begins like an order but cannot be read: {text}")
    return line.unread(rules.L7, order.fault if _is_a_slip(order.fault) else None)


def _is_a_slip(fault: Fault) -> bool:
    """True if a word is so near to an order's that hardly anything else can have been meant."""
    likeness = SequenceMatcher(None, fault.read.lower(), fault.meant).ratio()
    return likeness >= _ALIKE and len(fault.read) >= _LONG_ENOUGH


def _ask_for_move(line: Line, fault: Fault) -> UnreadLine:
    return line.unread(rules.L1, fault, "line {line} looks like a move but cannot be read: {text}")
