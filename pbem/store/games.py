"""Games, their chains of events and their plies; and the log of all games."""

import json
from typing import Final

from pbem.store.errors import StoreConflictError
from pbem.store.queries import Queries, Row, insert_into, reading_row
from pbem.store.rows import EventRow, GameRow, PlyRow, StandingRow, values_of
from pbem.store.timestamps import format_timestamp, parse_timestamp

_EVENT_COLUMNS: Final = tuple(EventRow.__slots__)
_PLY_COLUMNS: Final = tuple(PlyRow.__slots__)

_GAMES: Final = "SELECT id, stage, seed, created_at, head_seq, head_hash, blind FROM game"
_ONE_GAME: Final = f"{_GAMES} WHERE id = :of"
_ALL_GAMES: Final = f"{_GAMES} ORDER BY created_at, id"
_GAMES_AT: Final = f"{_GAMES} WHERE stage = :stage ORDER BY created_at, id"
_ADD_GAME: Final = insert_into("game", GameRow.__slots__)
_SET_STAGE: Final = "UPDATE game SET stage = :stage WHERE id = :of"
_BY_STAGE: Final = """
    SELECT stage, count(*) FROM game WHERE stage < 'playing' GROUP BY stage UNION ALL
    SELECT stage, count(*) FROM game WHERE stage > 'playing' GROUP BY stage"""
_HOW_MANY: Final = "SELECT count(*) FROM game"
_STANDINGS: Final = "SELECT id, stage, turn, due, awaits_round, standing FROM game"
_ALL_STANDINGS: Final = f"{_STANDINGS} ORDER BY created_at, id"
_STANDINGS_AT: Final = f"{_STANDINGS} WHERE stage IN (:first, :second) ORDER BY created_at, id"
_ONE_STANDING: Final = f"{_STANDINGS} WHERE id = :of"
_AWAITING: Final = f"""
    {_STANDINGS} WHERE awaits_round > 0 UNION {_STANDINGS} WHERE standing = '' AND stage IN (:first, :second)
    ORDER BY id"""
_SAVE_STANDING: Final = """
    UPDATE game SET stage = :stage, turn = :turn, due = :due, awaits_round = :awaits_round, standing = :more
    WHERE id = :game"""
_DROP_STANDING: Final = "UPDATE game SET standing = '', awaits_round = 0 WHERE id = :of AND standing <> ''"
_EVENTS: Final = f"SELECT {', '.join(_EVENT_COLUMNS)} FROM event WHERE game = :of AND seq > :after ORDER BY seq"  # noqa: S608 - our own names
_ADD_EVENT: Final = insert_into("event", _EVENT_COLUMNS)
_MOVE_HEAD: Final = """
    UPDATE game SET head_seq = :new_seq, head_hash = :new_hash, head_at = :at
    WHERE id = :of AND head_seq = :old_seq AND head_hash = :old_hash"""
_PLY: Final = f"""
    SELECT {", ".join(_PLY_COLUMNS)} FROM ply
    WHERE game = :of AND epoch = :epoch AND turn = :turn AND part = :part"""  # noqa: S608 - our own names
_ADD_PLY: Final = insert_into("ply", _PLY_COLUMNS)
_PLIES: Final = f"SELECT {', '.join(_PLY_COLUMNS)} FROM ply WHERE game = :of ORDER BY event_seq"  # noqa: S608 - our own names
_WRONG_HEADS: Final = """
    SELECT game.id FROM game LEFT JOIN event ON event.game = game.id AND event.seq = game.head_seq
    WHERE game.head_seq > 0 AND (event.hash IS NULL OR event.hash <> game.head_hash)"""


_NEWEST: Final = "SELECT max(head_at) FROM game"


class GameQueries(Queries):
    """Queries about games, their events and their plies."""

    __slots__ = ()

    def add_game(self, game: GameRow) -> None:
        """Add a game whose chain of events ends where the row says."""
        self._change(_ADD_GAME, values_of(game) | {"created_at": format_timestamp(game.created_at)})

    def find_game(self, game: str) -> GameRow | None:
        """A game by its name."""
        try:
            found = self._row(_ONE_GAME, {"of": game})
        except UnicodeEncodeError:
            return None  # bytes from a command line that are not text are not a name either
        return None if found is None else _read_game(found)

    def games(self, stage: str | None = None) -> list[GameRow]:
        """All games, or those at one stage, oldest first."""
        found = self._rows(_ALL_GAMES) if stage is None else self._rows(_GAMES_AT, {"stage": stage})
        return [_read_game(row) for row in found]

    def games_by_stage(self) -> dict[str, int]:
        """How many games are at each stage."""
        # SQLite counts all rows page by page and some one by one. A look must cost little while many games are played.
        others = {str(stage): int(count) for stage, count in self._rows(_BY_STAGE)}
        playing = int(self._value(_HOW_MANY)) - sum(others.values())
        return {"playing": playing} | others if playing else others

    def standings(self, *stages: str) -> list[StandingRow]:
        """How all games stand, or those at two stages, oldest first."""
        if not stages:
            return [_read_standing(row) for row in self._rows(_ALL_STANDINGS)]
        return [_read_standing(row) for row in self._rows(_STANDINGS_AT, _two(stages))]

    def find_standing(self, game: str) -> StandingRow | None:
        """How one game stands."""
        found = self._row(_ONE_STANDING, {"of": game})
        return None if found is None else _read_standing(found)

    def standings_with_round(self, *stages: str) -> list[StandingRow]:
        """The games that wait for a round of the beacon, and those at two stages of which that is not known."""
        return [_read_standing(row) for row in self._rows(_AWAITING, _two(stages))]

    def save_standing(self, standing: StandingRow) -> None:
        """Note how a game stands now."""
        self._change(_SAVE_STANDING, values_of(standing) | {"due": json.dumps(standing.due)})

    def drop_standing(self, game: str) -> None:
        """What is kept of how a game stands cannot be believed: only its events say."""
        self._change(_DROP_STANDING, {"of": game})

    def set_stage(self, game: str, stage: str) -> None:
        """Note that a game has reached another stage."""
        self._change(_SET_STAGE, {"of": game, "stage": stage})

    def load_events(self, game: str, after: int = 0) -> list[EventRow]:
        """The events of a game in order, all or those after a number."""
        return [EventRow(*row) for row in self._rows(_EVENTS, {"of": game, "after": after})]

    def append_event(self, event: EventRow) -> None:
        """Add an event to the end of its game's chain; one that does not follow the last is a bug of ours."""
        ends = {"old_seq": event.seq - 1, "old_hash": event.prev, "new_seq": event.seq, "new_hash": event.hash}
        ends["at"] = event.at
        if not self._change(_MOVE_HEAD, {"of": event.game} | ends):
            raise StoreConflictError(f"event {event.seq} of {event.game} does not follow the last one")
        self._change(_ADD_EVENT, values_of(event))

    def add_ply(self, ply: PlyRow) -> PlyRow | None:
        """Record a move at its point of the game. If there is one already, that one is returned and nothing changes."""
        if (there := self.find_ply(ply.game, epoch=ply.epoch, turn=ply.turn, part=ply.part)) is None:
            self._change(_ADD_PLY, values_of(ply))
        return there

    def find_ply(self, game: str, *, epoch: int, turn: int, part: int = 0) -> PlyRow | None:
        """The move at one point of a game."""
        found = self._row(_PLY, {"of": game, "epoch": epoch, "turn": turn, "part": part})
        return None if found is None else PlyRow(*found)

    def plies_of(self, game: str) -> list[PlyRow]:
        """All moves of a game, in all its epochs."""
        return [PlyRow(*row) for row in self._rows(_PLIES, {"of": game})]

    def newest_event(self) -> str:
        """When the last event of all games happened; empty if there is none."""
        return str(self._value(_NEWEST) or "")

    def wrong_heads(self) -> list[str]:
        """Games whose last event is not the one that the game names: none, unless somebody changed the file."""
        return [str(game) for (game,) in self._rows(_WRONG_HEADS)]


@reading_row("game")
def _read_game(row: Row) -> GameRow:
    name, stage, seed, created_at, *head = row
    return GameRow(name, stage, seed, parse_timestamp(created_at), *head)


def _two(stages: tuple[str, ...]) -> dict[str, object]:
    return {"first": stages[0], "second": stages[-1]}


@reading_row("game")
def _read_standing(row: Row) -> StandingRow:
    name, stage, turn, due, awaits_round, more = row
    return StandingRow(name, stage, int(turn), json.loads(due) if due else {}, int(awaits_round), more)


_LOG_LINES: Final = "SELECT line FROM log ORDER BY number"
_LAST_LINE: Final = "SELECT max(number) FROM log"
_ADD_LINE: Final = insert_into("log", ("number", "line"))


class LogQueries(Queries):
    """Queries about the log of all games, to which lines are only ever added."""

    __slots__ = ()

    def log_lines(self) -> list[str]:
        """All lines, the oldest first."""
        return [str(line) for (line,) in self._rows(_LOG_LINES)]

    def add_log_line(self, line: str) -> int:
        """Add a line; its number, from 1."""
        number = int(self._value(_LAST_LINE) or 0) + 1
        self._change(_ADD_LINE, {"number": number, "line": line})
        return number
