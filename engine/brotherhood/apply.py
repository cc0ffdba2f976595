"""What a legal ply does to the table, by the tables of a Law."""

from engine.brotherhood.judge import judge_plainly, with_offers
from engine.brotherhood.position import Position
from engine.brotherhood.table import GOAL, WorkingPosition
from engine.game import Ply, Seat
from engine.verdict import Verdict


class BrotherhoodRun:
    """A game carried forward in place."""

    def __init__(self, position: Position) -> None:
        self._table = WorkingPosition(position)

    @property
    def turn(self) -> int:
        """The number of the turn being played."""
        return self._table.turn

    @property
    def table(self) -> WorkingPosition:
        """The table being played on. Reading it is cheaper than putting a position together; do not change it."""
        return self._table

    def advance(self, ply: tuple[Seat, object]) -> Verdict | None:
        """Play a ply if it is legal; else change nothing and say which rule it breaks."""
        seat, move = ply
        table = self._table
        verdict = judge_plainly(table, seat, move)
        if verdict is not None:
            return with_offers(table, seat, move, verdict)
        table.law.kinds[type(move)].play(table, table.ground.place.get(seat, -1), move)
        table.proceed()
        return None

    def position(self) -> Position:
        """The position reached."""
        return self._table.position()


def apply(position: Position, ply: Ply) -> Position:
    """Give the position after a legal ply."""
    seat, move = ply
    table = WorkingPosition(position)
    table.law.kinds[type(move)].play(table, table.ground.place.get(seat, -1), move)
    table.proceed()
    return table.position()


def play_end(table: WorkingPosition, who: int, _move: object) -> None:
    """The next turn begins, unless this one ends the game."""
    if not table.law.ends_at_once and table.points(who) >= GOAL:
        table.finish(who)
    else:
        table.begin_turn(table.turn + 1)
        if table.law.ends_at_once and table.points(table.who) >= GOAL:  # reached in somebody else's turn (BB-E1)
            table.turn -= 1  # a turn that wins as it begins is none
            table.finish(table.who)
