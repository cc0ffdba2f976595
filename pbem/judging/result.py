"""What came of replaying a record: how far it goes, or which rule it breaks and where.

A refusal points into the record, not into a file; `pbem.terminal.refusals` finds the line and prints it.
"""

from typing import TYPE_CHECKING, NamedTuple

from engine.game import GameRules, Seat
from notation import Ending, Entry, Record

if TYPE_CHECKING:
    from engine.score import Score
    from engine.verdict import Verdict


class Refusal(NamedTuple):
    """Why a replay stopped.

    `entry` is None when a header is at fault, named by `header`. `move` counts the entry's moves from 0; None
    means the entry as a whole. `turn` and `digest` are those of the position in which the move was refused.
    """

    verdict: "Verdict"
    entry: "Entry | None" = None
    move: int | None = None
    header: str | None = None
    turn: int | None = None
    digest: str | None = None

    @property
    def code(self) -> str:
        """The code of the rule broken."""
        return self.verdict.rule.code

    @property
    def line(self) -> int | None:
        """The line of the entry in the text, where it is known."""
        return self.entry.line if self.entry is not None else None

    @property
    def seat(self) -> "Seat | None":
        """Who wanted to play."""
        return self.entry.who if self.entry is not None else None


class ReplayResult(NamedTuple):
    """How far a record goes: the position reached, how it ended, or what was refused.

    `game` and `position` are None when not even the table could be set up.
    """

    record: Record
    game: GameRules | None = None
    position: object = None
    plies: int = 0
    last: Entry | None = None
    """The turn that was played last, unless it was taken back."""
    ending: Ending | None = None
    refusal: Refusal | None = None

    @property
    def table(self) -> GameRules:
        """The game; an error if the headers name none, which callers check first."""
        if self.game is None:
            raise ValueError("the record names no game that is known here")
        return self.game

    @property
    def due(self) -> tuple[Seat, ...]:
        """The seats that are to move; nobody when the rules have ended the game."""
        return self.table.to_act(self.position)

    @property
    def over(self) -> bool:
        """True if the rules have ended the game."""
        return self.game is not None and not self.due

    @property
    def finished(self) -> bool:
        """True if nobody has anything more to do, by the rules or by an ending."""
        return self.ending is not None or self.over

    @property
    def turn(self) -> int:
        """The number of the turn being played."""
        return self.table.turn(self.position)

    @property
    def turns(self) -> int:
        """How many turns are complete."""
        return self.turn - 1 if self.game is not None else 0

    @property
    def score(self) -> "Score":
        """The points so far."""
        return self.table.score(self.position)
