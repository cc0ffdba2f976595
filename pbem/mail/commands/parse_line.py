"""Words for somebody: what a player wants to be passed on, over one line or several.

They end with an empty line; if they begin with an opening brace, with the closing one, and may then hold
anything. Nothing in them is changed.

What was made of a letter: commands, lines that were not read and why, or a question.

With a question nothing is done: a letter is understood as a whole or asked about.

One line of a letter, sorted: an order, moves, the beginning of words for somebody, or none of these and why.

Lines are looked at alone here; what they mean together is for `reading`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard

from engine.game import Game
from engine.verdict import Rule
from notation import Fault
from notation.lookalikes import plain
from notation.player_text import is_bare_standing, read_standing, write_standing
from pbem.mail.commands import commands, letter_rules
from pbem.mail.commands.commands import Appeal, Command, Pending, Press
from pbem.mail.commands.parse_moves import (
    Turn,
    is_of_a_record,
    looks_like_moves,
    name_seat,
    read_turn,
    why_no_turn,
)
from pbem.mail.commands.verbs import (
    BOOK,
    PLAN,
    PREVIEW,
    Below,
    EndOfOrders,
    Misdated,
    NotAnOrder,
    accepts,
    begins_answer,
    declines,
    has_doubts,
    read_order,
)


@dataclass(slots=True)
class MessageWords:
    """Words that were announced in a line, and what has been said so far."""

    line: int
    to: str
    lines: list[str] = field(default_factory=list)
    appeal: Appeal | None = None
    """Set if they call the referee about a turn."""

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
        """All that was said."""
        return "\n".join(self.lines).strip()

    @property
    def command(self) -> Press | Appeal:
        """The command they make."""
        words = self.text[1:-1].strip() if self.closed else self.text
        return Press(self.to, words) if self.appeal is None else Appeal(words, self.appeal.turn)


@dataclass(frozen=True, slots=True)
class Question:
    """What the player must be asked before anything is done."""

    rule: Rule
    says: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    line: int | None = None
    """The line that the question is about, where it is one."""

    @property
    def detail(self) -> str:
        """The sentence in English."""
        return self.says.format_map(self.facts)


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that became no command: its number from 1, its text, and the rule that says why.

    `fault` tells more exactly what could not be read; its `meant` and `example` are suggestions. A line without a
    `question` does no harm: the rest of the letter is carried out.
    """

    line: int
    text: str
    why: Rule
    fault: Fault | None = None
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Orders:
    """A letter, understood. Every line that is not empty is among `read` or `unread`."""

    commands: tuple[Command, ...] = ()
    unread: tuple[UnreadLine, ...] = ()
    question: Question | None = None
    read: tuple[int, ...] = ()
    """The numbers of the lines that were understood."""


_DECORATION: Final = " *_`\"'«»„“”\u2018\u2019•·👉🐪🐫"
_MARKS: Final = str.maketrans("«»„“”″", '""""""')
"""Quotation marks that telephones set."""
_QUOTED: Final = (">", "|")
_SHOWN: Final = 200
"""Characters of a line that are given back."""
_ALIKE: Final = 0.8
_LONG_ENOUGH: Final = 4
_SHORT: Final = 6
"""How like a verb a word is that is taken for one, its letters, and the words of such a line."""
_REFEREE: Final = "referee"
"""To whom the words of an appeal go."""


class Planned(NamedTuple):
    """Turns for later; none: forget those that were planned before."""

    turns: tuple[Turn, ...]


Sorted: TypeAlias = Command | EndOfOrders | Turn | Planned | Below | MessageWords | UnreadLine


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
        # Words of a player's own may end a move: offer "a fine one".
        return f'{bare}"' if bare.count('"') % 2 else bare

    def unread(self, why: Rule, fault: Fault | None = None, says: str = "", **facts: object) -> UnreadLine:
        """Say of the line that it was not read; with `says`, as a question."""
        about = {"line": self.number, "text": self.plain[:_SHOWN], **facts}
        question = Question(why, says, about, self.number) if says else None
        return UnreadLine(self.number, self.plain[:_SHOWN], why, fault, question)


def sort(game: Game[Any] | None, line: LetterLine, *, playing: bool = True, pending: Pending | None = None) -> Sorted:
    """What a line is that is not empty.

    Some games have moves that are called like orders: an offer is accepted, a turn is ended. Once such a game is being
    played, the move is meant; what it could be mistaken for has another name too, or no sense any more. Of other words
    with two meanings, `pending` tells which makes sense now; without it, or if both do, it is a question.
    """
    if line.plain.startswith(_QUOTED):
        return line.unread(letter_rules.L8)
    words = _announcement(game, line)
    if words is not None:
        return words
    order = read_order(line.bare)
    if not playing and (order == commands.Agree() or accepts(line.bare)):
        return commands.AcceptInvitation()
    if not playing and (order == commands.Object() or declines(line.bare) or _is_doubtful(order)):
        return _ask_for_answer(line, playing=playing)  # whoever declines ends the game for all
    turn = read_turn(game, line.bare) if game is not None else None
    if game is not None and turn is not None:
        if isinstance(order, NotAnOrder):
            return turn
        if _gives_way(order):
            return turn if playing else order
        return _choose(game, line, order, turn, pending)
    match order:
        case NotAnOrder():
            return _pass_over(game, line, order, playing=playing)
        case Misdated(date() as first):
            says = "line {line} does not say until when; write vacation {first} to, and then the last day"
            return line.unread(letter_rules.L3, None, says, first=first.isoformat())
        case Misdated():
            says = "it cannot be told which days are meant in line {line}; write 2026-12-20 to 2027-01-02"
            return line.unread(letter_rules.L3, None, says)
        case commands.Appeal(text):
            return MessageWords(line.number, _REFEREE, [text], order)
        case commands.AcceptInvitation() if playing and _may_be_standing(game, line):
            says = "line {line} may mean an offer or a standing order; write accept and whose, or standing {text}"
            return line.unread(letter_rules.L6, None, says)
        case commands.AcceptInvitation() | commands.DeclineInvitation() if playing and _knows_offers(game):
            return _ask_for_answer(line, playing=playing)
        case commands.AcceptInvitation() if _is_doubtful(order):
            return _ask_for_answer(line, playing=playing)
        case commands.SetStanding():
            return _bidding_of(game, line, order)
        case commands.Play(text, number):
            return _turn_of(game, line, text, number)
        case commands.Preview(text) if _announces(game, line, text):
            return Below(PREVIEW)
        case commands.Plan((text,)) if _announces(game, line, text):
            return Below(PLAN)
        case commands.Plan(texts):
            return _planned_of(game, line, texts)
        case Below() if game is None:
            return line.unread(letter_rules.L7)
        case _:
            return order


_Order: TypeAlias = Command | EndOfOrders | Below | Misdated


def _gives_way(order: _Order | NotAnOrder) -> TypeGuard[Command | EndOfOrders]:
    """Whether an order gives way to a move of the same name once a game is being played."""
    return (
        isinstance(order, commands.AcceptInvitation | commands.DeclineInvitation | EndOfOrders)
        or order == commands.Object()
    )


def _is_doubtful(order: _Order | NotAnOrder) -> bool:
    """Whether somebody accepts and may not mean it; other words beside an acceptance stir the draws."""
    return isinstance(order, commands.AcceptInvitation) and has_doubts(order.entropy)


def _choose(game: Game[Any], line: LetterLine, order: _Order, turn: Turn, pending: Pending | None) -> Sorted:
    """What a line means that is an order and a move: the one that can be meant now, or else a question."""
    match order:
        case commands.Play(text):
            # A verb for moves whose rest is none is itself the move: zet N16.
            meant = read_turn(game, text)
            if meant is None or meant.moves == turn.moves:
                return turn
        case commands.Agree() | commands.Ask() if pending is not None:
            can_be_order = isinstance(order, commands.Ask) or pending.has_votes
            if can_be_order != pending.allows(turn.phrase):
                return order if can_be_order else turn
    spoken, written = BOOK.phrase((order,)), read_order(turn.phrase)
    move = turn.phrase if isinstance(written, NotAnOrder) or _gives_way(written) else f"move {turn.phrase}"
    if read_turn(game, spoken) is not None:
        return line.unread(
            letter_rules.L6, None, "“{text}” is an order and a move; for the move write: {move}", move=move
        )
    says = "“{text}” is an order and a move; for the order write: {order}; for the move write: {move}"
    return line.unread(letter_rules.L6, None, says, order=spoken, move=move)


def _announcement(game: Game[Any] | None, line: LetterLine) -> MessageWords | None:
    """The words for somebody that a line begins, if it does."""
    head, colon, words = line.text.partition(":")
    press = read_order(LetterLine(line.number, head).bare + ":") if colon else None
    return MessageWords(line.number, name_seat(game, press.to), [words]) if isinstance(press, commands.Press) else None


def _turn_of(game: Game[Any] | None, line: LetterLine, text: str, number: int | None = None) -> Turn | UnreadLine:
    """The turn after a verb for moves; a question if the text only looks like one, else it is just a sentence."""
    if game is None:
        return line.unread(letter_rules.L7)
    turn = read_turn(game, text, number=number)
    if turn is not None:
        return turn
    return _ask_for_move(game, line, text) if looks_like_moves(game, text) else line.unread(letter_rules.L7)


def _announces(game: Game[Any] | None, line: LetterLine, text: str) -> bool:
    """Whether the text after a verb holds no moves, but announces some: `plan for next week:`, `what if I play:`."""
    if game is None or not line.bare.endswith(":"):
        return False
    return read_turn(game, text) is None and not looks_like_moves(game, text)


def _planned_of(game: Game[Any] | None, line: LetterLine, texts: Iterable[str]) -> Planned | UnreadLine:
    """The turns after the verb for plans."""
    turns = [_turn_of(game, line, text) for text in texts]
    unread = next((turn for turn in turns if isinstance(turn, UnreadLine)), None)
    return unread or Planned(tuple(turn for turn in turns if isinstance(turn, Turn)))


def _bidding_of(
    game: Game[Any] | None, line: LetterLine, bid: commands.SetStanding
) -> commands.SetStanding | UnreadLine:
    """A standing order that can be read; a question if it cannot. A game that knows none is asked at the table."""
    read = read_standing(game, bid.text) if game is not None else None
    if game is None or read is None:
        return bid
    if not isinstance(read, Fault):
        return replace(bid, text=write_standing(game, read))
    says = "line {line} begins like a standing order but cannot be read: {text}"
    # What can be read instead is shown as it is written in a letter: with the word for it.
    readable = not isinstance(read_standing(game, read.example), Fault)
    example = f"standing {read.example}" if readable else "standing"
    return line.unread(letter_rules.L3, read._replace(line=line.number, example=example), says)


def _may_be_standing(game: Game[Any] | None, line: LetterLine) -> bool:
    """Whether a line would be a standing order if that were said."""
    order = read_standing(game, line.bare) if game is not None else None
    return order is not None and not isinstance(order, Fault)


def _knows_offers(game: Game[Any] | None) -> bool:
    """Whether a game has moves that are called like the answers to an invitation."""
    return game is not None and all(read_turn(game, word) is not None for word in ("accept", "decline"))


def _ask_for_answer(line: LetterLine, *, playing: bool) -> UnreadLine:
    """Ask what is meant by an answer that is not clear: to an offer in the game, or else to the invitation."""
    if playing:
        says = "line {line} is no clear answer to an offer: {text}; write accept or decline alone or as in your mail"
        return line.unread(letter_rules.L3, None, says)
    says = "line {line} is no clear answer to the invitation: {text}; write accept, or decline, and nothing else"
    return line.unread(letter_rules.L3, None, says)


def _pass_over(game: Game[Any] | None, line: LetterLine, order: NotAnOrder, *, playing: bool) -> Command | UnreadLine:
    """A line that is neither an order nor a move; a few standing orders are known without being announced."""
    bid = read_order(f"standing {line.bare}")
    if game is not None and isinstance(bid, commands.SetStanding) and is_bare_standing(game, bid.text):
        return _bidding_of(game, line, bid)
    if begins_answer(line.bare) and (not playing or (_knows_offers(game) and not any(map(str.isdecimal, line.bare)))):
        return _ask_for_answer(line, playing=playing)
    if game is not None and looks_like_moves(game, line.bare):
        if is_of_a_record(game, line.bare):
            says = "line {line} is written as in a record; to play it, send the move alone"
            return line.unread(letter_rules.L8, None, says)
        return _ask_for_move(game, line, line.bare)
    if order.begun:
        says = "line {line} begins like an order but cannot be read: {text}"
        return line.unread(letter_rules.L3, order.explain(line.number), says)
    return line.unread(letter_rules.L7, _slip(line, order))


def _ask_for_move(game: Game[Any], line: LetterLine, text: str) -> UnreadLine:
    says = "line {line} looks like a move but cannot be read: {text}"
    return line.unread(letter_rules.L1, why_no_turn(game, text, line.number), says)


def _slip(line: LetterLine, order: NotAnOrder) -> Fault | None:
    """What is wrong with a short line whose first word is so near to a verb that little else can have been meant."""
    words = line.bare.split()
    if not 0 < len(words) <= _SHORT or len(words[0]) < _LONG_ENOUGH:
        return None
    fault = order.explain(line.number)
    return fault if SequenceMatcher(None, fault.read.lower(), fault.meant).ratio() >= _ALIKE else None
