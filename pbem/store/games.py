"""The desk of games: the chain of events, and which place of a game is taken by which move.

The desk of the log: lines about all games, only ever added.
"""

from typing import Any, Final

from sqlalchemy import BindParameter, bindparam, func, select, update

from pbem.store.errors import StoreConflictError
from pbem.store.rows import EventRow, GameRow, PlyRow, read_moment, values_of, write_moment
from pbem.store.schema import EVENT, GAME, LOG, PLY
from pbem.store.queries import Found, Queries, adding_to

_GAME: Final[BindParameter[Any]] = bindparam("of")

_ADD_GAME: Final = adding_to(GAME)
_GAMES: Final = select(
    *(GAME.c.id, GAME.c.stage, GAME.c.seed, GAME.c.created_at, GAME.c.head_seq, GAME.c.head_hash, GAME.c.blind)
).order_by(GAME.c.created_at, GAME.c.id)
_ONE_GAME: Final = _GAMES.where(GAME.c.id == _GAME)
_GAMES_AT: Final = _GAMES.where(GAME.c.stage == bindparam("wanted"))
_SET_STAGE: Final = update(GAME).where(GAME.c.id == _GAME).values(stage=bindparam("reached"))
_EVENTS: Final = (
    select(*(EVENT.c[name] for name in EventRow.__slots__))
    .where(EVENT.c.game == _GAME, EVENT.c.seq > bindparam("after"))
    .order_by(EVENT.c.seq)
)
_ADD_EVENT: Final = adding_to(EVENT)
_MOVE_HEAD: Final = (
    update(GAME)
    .where(GAME.c.id == _GAME, GAME.c.head_seq == bindparam("old_seq"), GAME.c.head_hash == bindparam("old_hash"))
    .values(head_seq=bindparam("new_seq"), head_hash=bindparam("new_hash"))
)
_PLY: Final = select(*(PLY.c[name] for name in PlyRow.__slots__)).where(
    *(PLY.c.game == _GAME, PLY.c.epoch == bindparam("in_epoch")),
    *(PLY.c.turn == bindparam("in_turn"), PLY.c.part == bindparam("in_part")),
)
_ADD_PLY: Final = adding_to(PLY)
_LOOSE_HEADS: Final = (
    select(GAME.c.id)
    .outerjoin(EVENT, (EVENT.c.game == GAME.c.id) & (EVENT.c.seq == GAME.c.head_seq))
    .where(GAME.c.head_seq > 0, EVENT.c.hash.is_distinct_from(GAME.c.head_hash))
)


class GameQueries(Queries):
    """Verbs about games, their events and their plies."""

    __slots__ = ()

    def add_game(self, game: GameRow) -> None:
        """Open a game whose chain ends, for now, where the row says."""
        self._change(_ADD_GAME, values_of(game) | {"created_at": write_moment(game.created_at)})

    def find_game(self, game: str) -> GameRow | None:
        """A game by its name."""
        try:
            found = self._row(_ONE_GAME, {"of": game})
        except UnicodeEncodeError:
            return None  # bytes of a command line that are no text are no name either
        return None if found is None else _read_game(found)

    def games(self, stage: str | None = None) -> list[GameRow]:
        """All games, or those at one stage, oldest first."""
        found = self._rows(_GAMES) if stage is None else self._rows(_GAMES_AT, {"wanted": stage})
        return [_read_game(row) for row in found]

    def set_stage(self, game: str, stage: str) -> None:
        """The game has come to another stage."""
        self._change(_SET_STAGE, {"of": game, "reached": stage})

    def load_events(self, game: str, after: int = 0) -> list[EventRow]:
        """The events of a game in order, from the first or after one that is known."""
        return [EventRow(*row) for row in self._rows(_EVENTS, {"of": game, "after": after})]

    def append_event(self, event: EventRow) -> None:
        """Add an event to the end of its game's chain; one that does not follow the last is our own bug."""
        ends = {"old_seq": event.seq - 1, "old_hash": event.prev, "new_seq": event.seq, "new_hash": event.hash}
        if not self._change(_MOVE_HEAD, {"of": event.game} | ends):
            raise StoreConflictError(f"event {event.seq} of {event.game} does not follow the last one")
        self._change(_ADD_EVENT, values_of(event))

    def add_ply(self, ply: PlyRow) -> PlyRow | None:
        """Take a place for a move. None if it was free; else who has it, and nothing is changed."""
        if (there := self.find_ply(ply.game, epoch=ply.epoch, turn=ply.turn, part=ply.part)) is None:
            self._change(_ADD_PLY, values_of(ply))
        return there

    def find_ply(self, game: str, *, epoch: int, turn: int, part: int = 0) -> PlyRow | None:
        """The move that has a place."""
        found = self._row(_PLY, {"of": game, "in_epoch": epoch, "in_turn": turn, "in_part": part})
        return None if found is None else PlyRow(*found)

    def loose_heads(self) -> list[str]:
        """Games whose last event is not the one that the game names: none, unless somebody touched the file."""
        return [str(game) for (game,) in self._rows(_LOOSE_HEADS)]


def _read_game(row: Found) -> GameRow:
    name, stage, seed, created_at, *head = row
    return GameRow(name, stage, seed, read_moment(created_at), *head)


_LINES: Final = select(LOG.c.line).order_by(LOG.c.number)
_LAST: Final = select(func.max(LOG.c.number))
_ADD: Final = adding_to(LOG)


class LogQueries(Queries):
    """Verbs about the log of all games."""

    __slots__ = ()

    def log_lines(self) -> list[str]:
        """All lines, the oldest first."""
        return [str(line) for (line,) in self._rows(_LINES)]

    def add_log_line(self, line: str) -> int:
        """Add a line; its number, from 1."""
        number = int(self._value(_LAST) or 0) + 1
        self._change(_ADD, {"number": number, "line": line})
        return number
