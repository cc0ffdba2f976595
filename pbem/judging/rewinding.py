"""The past of a table, for records in which turns were taken back (``undo``).

Few records have any, so nothing is remembered before the first undo: then the play so far is repeated once, noting how
the table lay when each turn began, and noted further from there.
"""

from typing import Any

from engine.game import Game, Ply
from engine.replay import Run, run
from notation import UNDO, WORDS, Record


class Rewinding:
    """How the table lay at the beginning of every turn that stands.

    It is made at the first undo of a record, which is entry number `order`; everything before has been judged.
    """

    def __init__(self, game: Game[Any], start: Any, record: Record, order: int) -> None:
        self._game = game
        self._starts: dict[int, Any] = {}
        table = run(game, start)
        for entry in record.entries[:order]:
            self.keep(table)
            if entry.who not in WORDS:
                for move in entry.moves:
                    table.advance(Ply(entry.who, move))
        self.keep(table)

    def keep(self, table: Run[Any]) -> None:
        """Note how the table lies, if a turn begins with it."""
        turn = table.turn
        if turn not in self._starts:
            self._starts[turn] = table.position()

    def reaches(self, turn: int, table: Run[Any]) -> bool:
        """True if the table can go back to the beginning of a turn, and is not there now."""
        return turn in self._starts and (turn != table.turn or table.position() != self._starts[turn])

    def go_back(self, turn: int) -> Run[Any]:
        """The table as it was when a turn began; what came later is forgotten."""
        while next(reversed(self._starts)) != turn:
            self._starts.popitem()
        return run(self._game, self._starts[turn])


def last_return(record: Record, turn: int) -> int:
    """The index of the last entry that goes back to `turn` or further, -1 when there is none."""
    return max(
        (index for index, entry in enumerate(record.entries) if entry.who == UNDO and entry.moves[0].turn <= turn),
        default=-1,
    )
