"""The prose of a whole letter, weighed against its moves: whether they are played, pencilled or asked about."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from pbem.mail.commands import letter_rules
from pbem.mail.commands.letter_line import LetterLine, Question, UnreadLine
from pbem.mail.commands.move_spans import TurnInProse
from pbem.mail.commands.parse_moves import Turn
from pbem.mail.commands.prose import Bearing, judge_line, judge_prose
from pbem.tables.play import Pending

IN_DOUBT: Final = "because of “{text}” in line {line} this was not done: {order}; to have it done, send it alone"
_NOT_KNOWN: Final = (
    "the post reads {order}, but does not know what “{text}” in line {line} means for it; to play it, send it alone"
)
_SHOWN: Final = 200
"""Characters of a line that are given back."""


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

    @property
    def has_moves(self) -> bool:
        """Whether the line holds moves."""
        return not isinstance(self.meaning, UnreadLine)


def weigh_prose(letter: Sequence[MoveNeighbour], move: str, order: str, pending: Pending | None) -> Question | None:
    """A question about words beside the moves: those that put them in doubt first, then those that are not known.

    The rule of the second kind is PO-L11: such a letter is pencilled.
    """
    names = frozenset(pending.names) if pending is not None else frozenset[str]()
    first = next((at for at, each in enumerate(letter) if each.has_moves), len(letter))
    found = [(each.judge(letter, at, names, below=at > first), each.line) for at, each in enumerate(letter)]
    worst, line = max(found, key=lambda judged: judged[0])
    facts = {"text": line.plain[:_SHOWN], "line": line.number, "order": order}
    if worst is Bearing.DOUBT:
        return Question(letter_rules.L10, IN_DOUBT, facts, line.number, (move,))
    if worst is Bearing.HARMLESS or (pending is not None and not pending.allows(move)):
        return None  # a move that is not legal will be refused, and the rule says more than a question
    return Question(letter_rules.L11, _NOT_KNOWN, facts, line.number, (move,))
