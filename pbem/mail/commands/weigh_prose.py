"""The prose of a whole letter, weighed against its moves: whether they are played, pencilled or asked about.

Two judges look at it. The lists of words in `prose` know what is harmless and what takes a move back. The model in
`prose_model` has learned from letters how likely the whole takes it back, and speaks where the lists know nothing, or
where both disagree. A move is played only if neither sees anything in its way.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from pbem.mail.commands import letter_rules
from pbem.mail.commands.letter_line import LetterLine, Question, UnreadLine
from pbem.mail.commands.move_spans import AFTER, BEFORE, BETWEEN, SKIPPED, TurnInProse
from pbem.mail.commands.parse_moves import Turn
from pbem.mail.commands.prose import Bearing, judge_line, judge_prose
from pbem.mail.commands.prose_model import MOVE, doubt
from pbem.tables.play import Pending

IN_DOUBT: Final = "because of “{text}” in line {line} this was not done: {order}; to have it done, send it alone"
_NOT_KNOWN: Final = (
    "the post reads {order}, but does not know what “{text}” in line {line} means for it; to play it, send it alone"
)
_SHOWN: Final = 200
"""Characters of a line that are given back."""
PLAYED_BELOW: Final = 0.25
"""A move beside words that are on no list is played if the model's doubt is below this."""
ASKED_ABOVE: Final = 0.65
"""It is asked about if the doubt is above this, and pencilled between the two."""
CERTAIN: Final = 0.3
"""Below this doubt a move is pencilled although a list knows a word that would take it back."""


class MoveNeighbour(NamedTuple):
    """A line of prose, of moves, or of both."""

    line: LetterLine
    meaning: Turn | TurnInProse | UnreadLine

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
        among = [f"{piece.text} {MOVE}" for piece in pieces if piece.place in (BETWEEN, SKIPPED)]
        return " ".join((*before, MOVE, *among, *after))

    @property
    def has_moves(self) -> bool:
        """Whether the line holds moves."""
        return not isinstance(self.meaning, UnreadLine)


def weigh_prose(
    letter: Sequence[MoveNeighbour], move: str, order: str, pending: Pending | None, known: UnreadLine | None = None
) -> Question | None:
    """A question about words beside the moves: those that put them in doubt first, then those that are not known.

    `known` is a line that puts them in doubt wherever it stands. The rule of the second kind is PO-L11: such a letter
    is pencilled.
    """
    names = frozenset(pending.names) if pending is not None else frozenset[str]()
    first = next((at for at, each in enumerate(letter) if each.has_moves), len(letter))
    found = [(each.judge(letter, at, names, below=at > first), each.line) for at, each in enumerate(letter)]
    worst, line = max(found, key=lambda judged: judged[0])
    text, number = (line.plain, line.number) if known is None else (known.text, known.line)
    facts = {"text": text[:_SHOWN], "line": number, "order": order}
    bearing = _weigh(worst if known is None else Bearing.DOUBT, letter)
    if bearing is Bearing.DOUBT:
        return Question(letter_rules.L10, IN_DOUBT, facts, number, (move,))
    if bearing is Bearing.HARMLESS or (pending is not None and not pending.allows(move)):
        return None  # a move that is not legal will be refused, and the rule says more than a question
    return Question(letter_rules.L11, _NOT_KNOWN, facts, number, (move,))


def _weigh(listed: Bearing, letter: Sequence[MoveNeighbour]) -> Bearing:
    """What the lists and the model make of a letter together."""
    if all(isinstance(each.meaning, Turn) for each in letter):
        return listed  # nothing stands beside the moves
    likely = doubt("\n".join(each.tell() for each in letter))
    is_unclear = any(isinstance(each.meaning, TurnInProse) and each.meaning.is_unclear for each in letter)
    if listed is Bearing.DOUBT:
        return Bearing.UNKNOWN if likely < CERTAIN else Bearing.DOUBT
    if listed is Bearing.HARMLESS and not is_unclear:
        return Bearing.UNKNOWN if likely > ASKED_ABOVE else Bearing.HARMLESS
    if likely > ASKED_ABOVE:
        return Bearing.DOUBT
    return Bearing.HARMLESS if likely < PLAYED_BELOW and not is_unclear else Bearing.UNKNOWN
