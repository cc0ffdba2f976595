"""What a hearing of a record has come to, as a value."""

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.game import Game, Seat
from notation import Ending, Entry, Record
from pbem.judging.refusal import Refusal

if TYPE_CHECKING:
    from engine.score import Score


class Hearing(NamedTuple):
    """How far a record goes: the position reached, how it ended, or what was refused.

    `game` and `position` are None when not even the table could be set up.
    """

    record: Record
    game: Game[Any] | None = None
    position: Any = None
    plies: int = 0
    last: Entry | None = None
    """The turn that was played last, unless it was taken back."""
    ending: Ending | None = None
    refusal: Refusal | None = None

    @property
    def table(self) -> Game[Any]:
        """The game, where there is a table; asking before there is one is a mistake of ours."""
        if self.game is None:
            raise ValueError("the record has no table to speak of")
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
