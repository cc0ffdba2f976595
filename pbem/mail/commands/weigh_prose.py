"""The prose of a whole letter, weighed against its moves: whether they are played, pencilled or asked about.

The lists of words in `prose` know what is harmless and what takes a move back. The model in `prose_model` has learned
from letters how far they can be relied on, and what else people write. It says how likely the words take the move back.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from engine.game import GameRules
from notation import write_moves
from notation.phrases import phrases
from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import Command
from pbem.mail.commands.half_moves import find_longer, find_offer, find_whole
from pbem.mail.commands.letter_line import LetterLine, Question, UnreadLine
from pbem.mail.commands.move_spans import AFTER, AND, BEFORE, BETWEEN, SKIPPED, TurnInProse, leaves_piece
from pbem.mail.commands.parse_moves import MOVE, Turn, read_phrase
from pbem.mail.commands.prose import Bearing, judge_line, judge_prose
from pbem.mail.commands.prose_model import doubt, is_foreign
from pbem.mail.commands.questions import begins_question
from pbem.mail.commands.rival_words import speaks_of_others
from pbem.mail.commands.submit_moves import Play
from pbem.tables.play import Pending

IN_DOUBT: Final = "we ask first, because of line {line}; you wrote “{text}”. To do this, send it alone: {order}"
_NO_ANSWER: Final = "line {line} is not a clear answer to the offer; write accept or decline"
_ANSWERS: Final = ("accept", "decline")
_NOT_KNOWN: Final = "we are not sure about line {line}; you wrote “{text}”. To play this, send it alone: {order}"
_WORDS: Final = re.compile(r"[^\W\d_]{3,}")
_SENTENCE_END: Final = re.compile(r"[.!?…]")
_NEAREST: Final = 6
"""Words after a move that may be the rest of it."""
_SHOWN: Final = 200
"""Characters of a line that are given back."""
PLAYED_BELOW: Final = 0.08
"""A move is played at once if it is less likely than this that the words beside it take it back."""
KNOWN_BELOW: Final = 0.2
"""The same where the lists know all the words beside it as harmless."""
DOUBTED_BELOW: Final = 0.0
"""Never at once beside a word that the lists know as a doubt, though it may be none: *no idea who drew this map*."""
ASKED_ABOVE: Final = 0.36
"""It is asked about if that is more likely than this, and pencilled between the two."""
SURELY_NOT: Final = 0.4
"""Beside a word that is known to take moves back, it is pencilled only if that is less likely than this."""


class MoveNeighbour(NamedTuple):
    """A line of prose, of moves, or of both."""

    line: LetterLine
    meaning: Turn | TurnInProse | UnreadLine
    is_retold: bool = False
    """Whether it is prose that tells the same moves once more."""

    @property
    def is_unclear(self) -> bool:
        """Whether it may say another move than the one that was read."""
        return self.is_retold or (isinstance(self.meaning, TurnInProse) and self.meaning.is_unclear)

    def judge(self, letter: "Sequence[MoveNeighbour]", at: int, names: frozenset[str], *, below: bool) -> Bearing:
        """What the line's prose means for the moves of its letter, in which it stands at some place.

        `below` says whether a move stands above it.
        """
        if isinstance(self.meaning, Turn):
            return Bearing.HARMLESS
        if isinstance(self.meaning, TurnInProse):
            return max(judge_prose(piece.text, piece.place, names) for piece in self.meaning.prose)
        after = at + 1 < len(letter) and letter[at + 1].has_moves
        before = at > 0 and letter[at - 1].has_moves and letter[at - 1].line.number == self.line.number - 1
        return judge_line(self.line.plain, names, below=below, close=before if below else after)

    def tell(self) -> str:
        """The line as the model reads it, with MOVE for every move."""
        if isinstance(self.meaning, Turn):
            return MOVE
        if isinstance(self.meaning, UnreadLine):
            return self.line.plain
        pieces = self.meaning.prose
        before = [piece.text for piece in pieces if piece.place == BEFORE]
        after = [piece.text for piece in pieces if piece.place == AFTER]
        if pieces[0].place == SKIPPED:
            return pieces[0].text
        among = [f"{piece.text} {MOVE}" for piece in pieces if piece.place == BETWEEN]
        return " ".join((*before, MOVE, *among, *after))

    @property
    def has_moves(self) -> bool:
        """Whether the line holds moves."""
        return not isinstance(self.meaning, UnreadLine)


def weigh_prose(
    letter: Sequence[MoveNeighbour],
    play: Play,
    game: GameRules,
    pending: Pending | None,
    known: UnreadLine | None = None,
) -> Question | None:
    """A question about words beside the moves: those that put them in doubt first, then those that are not known.

    `known` is a line that puts them in doubt wherever it stands. The rule of the second kind is PO-L11: such a letter
    is pencilled.
    """
    move, order = play.text, play.format()
    rest = _with_rest(letter, move, game, pending) if pending is not None else None
    if rest is not None:
        line, whole = rest
        return Question(letter_rules.L10, IN_DOUBT, _facts(line.shown, line.number, whole), line.number, (whole, move))
    for each in letter:
        if isinstance(each.meaning, TurnInProse) and each.meaning.is_shut_out:
            facts = _facts(each.line.shown, each.line.number, order)
            return Question(letter_rules.L10, IN_DOUBT, facts, each.line.number, (move,))
    reader = phrases(game.key)
    for line in (each.line for each in letter if isinstance(each.meaning, UnreadLine)):
        if reader is not None and leaves_piece(reader, move, [line.plain]):
            return Question(letter_rules.L10, IN_DOUBT, _facts(line.shown, line.number, order), line.number, (move,))
    names = frozenset(pending.names) if pending is not None else frozenset[str]()
    first = next((at for at, each in enumerate(letter) if each.has_moves), len(letter))
    found = [(each.judge(letter, at, names, below=at > first), each.line) for at, each in enumerate(letter)]
    worst, line = max(found, key=lambda judged: judged[0])
    text, number = (line.shown, line.number) if known is None else (known.text, known.line)
    facts = _facts(text, number, order)
    bearing = _weigh(worst if known is None else Bearing.DOUBT, letter, names)
    beside = "\n".join(each.tell().replace(MOVE, "") for each in letter)
    if bearing is Bearing.HARMLESS and (known is not None or speaks_of_others(game, move, beside, pending)):
        bearing = Bearing.UNKNOWN
    if bearing is Bearing.DOUBT:
        return Question(letter_rules.L10, IN_DOUBT, facts, number, (move,))
    if bearing is Bearing.HARMLESS or (pending is not None and not pending.allows(move)):
        return None  # a move that is not legal will be refused, and the rule says more than a question
    longer = find_longer(game, move, beside, pending) if pending is not None else ()
    if longer:
        return Question(letter_rules.L10, IN_DOUBT, _facts(text, number, longer[0]), number, longer)
    return Question(letter_rules.L11, _NOT_KNOWN, facts, number, (move,))


def _facts(text: str, number: int, order: str) -> dict[str, str | int]:
    return {"text": text[:_SHOWN], "line": number, "order": order}


def _with_rest(
    letter: Sequence[MoveNeighbour], move: str, game: GameRules, pending: Pending
) -> tuple[LetterLine, str] | None:
    """The turn with a word that was taken for prose, if it may be the rest of it: *guard 3, end so that is that*.

    Such a word is a whole move by itself, is legal after the others, and stands in the sentence that follows them. To
    play the turn without it could be to play a part only.
    """
    for above, each in pairwise((None, *letter)):
        if each is None or isinstance(each.meaning, Turn):
            continue
        if isinstance(each.meaning, TurnInProse):
            said = [piece.text for piece in each.meaning.prose if piece.place in (BETWEEN, AFTER)]
        else:
            said = [each.line.plain] if above is not None and above.has_moves else []
        for word in (word for text in said for word in _nearest(text)):
            rest = read_phrase(game, word) or (read_phrase(game, word[1:]) if word.startswith(AND) else None)
            if rest is not None and pending.allows(whole := f"{move}, {write_moves(game, rest)}"):
                return each.line, whole
    return None


def _nearest(text: str) -> list[str]:
    """The first words after a move: of the sentence that goes on there, and how the next one begins."""
    goes_on, *others = _SENTENCE_END.split(text)
    return [*_WORDS.findall(goes_on)[:_NEAREST], *_WORDS.findall("".join(others[:1]))[:1]]


def _weigh(listed: Bearing, letter: Sequence[MoveNeighbour], names: frozenset[str]) -> Bearing:
    """What the words of a letter mean for its moves; `listed` is the worst that the lists say of them."""
    if all(isinstance(each.meaning, Turn) for each in letter):
        return Bearing.HARMLESS  # nothing stands beside them
    told = "\n".join(each.tell() for each in letter)
    likely = doubt(told, names)
    if likely > (SURELY_NOT if listed is Bearing.DOUBT else ASKED_ABOVE):
        return Bearing.DOUBT
    if is_foreign(told):
        return Bearing.UNKNOWN
    is_unclear = any(each.is_unclear for each in letter)
    limit = (KNOWN_BELOW, PLAYED_BELOW, DOUBTED_BELOW)[listed]
    return Bearing.UNKNOWN if likely > limit or is_unclear else Bearing.HARMLESS


def ask_if_in_doubt(found: Sequence[Command], doubts: Sequence[UnreadLine]) -> Question | None:
    """A question about a command other than moves that the letter's prose puts in doubt."""
    binding = next((command for command in found if command.is_binding), None)
    if binding is None or not doubts:
        return None
    (order, *_), about = binding.format().splitlines(), doubts[0]
    return Question(letter_rules.L10, IN_DOUBT, {"text": about.text, "line": about.line, "order": order}, about.line)


def ask_for_offer(game: GameRules | None, unread: Sequence[UnreadLine], pending: Pending | None) -> Question | None:
    """Ask about a letter that is one sentence with an offer in it, as *anyone want an ore for a brick?*; else None."""
    lines = [line for line in unread if line.why == letter_rules.L7]
    if game is None or pending is None or len(lines) != 1 or begins_question(lines[0].text):
        return None
    offer = find_offer(game, lines[0].text, pending)
    says = "we cannot read the move in line {line}"
    return Question(letter_rules.L1, says, {"line": lines[0].line}, lines[0].line, suggests=(offer,)) if offer else None


def ask_for_whole(game: GameRules | None, unread: Sequence[UnreadLine], pending: Pending | None) -> Question | None:
    """Ask about a letter that is nothing but a place or half a piece, or prose while an offer waits; else None."""
    lines = [line for line in unread if line.why == letter_rules.L7]
    if game is None or pending is None or not lines:
        return None
    if all(map(pending.allows, _ANSWERS)):
        return Question(letter_rules.L1, _NO_ANSWER, {"line": lines[0].line}, lines[0].line, suggests=_ANSWERS)
    if len(lines) > 1 or "?" in lines[0].text:
        return None
    whole = find_whole(game, lines[0].text, pending)
    says = "we cannot read the move in line {line}"
    return Question(letter_rules.L1, says, {"line": lines[0].line}, lines[0].line, suggests=whole) if whole else None
