"""Games as rows: games, players, entries, points, times. For statistics; the record stays the truth.

Every row carries `text_key`, the SHA-256 of the record's canonical text, which leads back to it. `points` are gains:
their sum over a seat is what the seat has, also after a turn was taken back. The rows of a game that goes on hold what
everybody may know.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.game import CHANCE, GameRules, Seat
from notation import Entry, Record, Remark
from notation.phrasebook import find_phrasebook
from notation.record import SEAT
from pbem.events.annotations import EVENT, parse_annotation
from pbem.exchange.record_json import clauses
from pbem.judging.game_keys import text_key
from pbem.judging.open_record import OpenRecord, open_record

if TYPE_CHECKING:
    from engine.score import Score
    from pbem.judging.result import ReplayResult

Value = str | int | bool | None
Row = tuple[Value, ...]

TEXT: Final = "VARCHAR"
WHOLE: Final = "BIGINT"
TRUTH: Final = "BOOLEAN"
MOMENT: Final = "TIMESTAMP"

TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    "games": {
        "text_key": TEXT,
        "file": TEXT,
        "number": WHOLE,
        "line": WHOLE,
        "id": TEXT,
        "game": TEXT,
        "rules": TEXT,
        "event": TEXT,
        "round": TEXT,
        "date": TEXT,
        "site": TEXT,
        "seats": WHOLE,
        "turns": WHOLE,
        "entries": WHOLE,
        "plies": WHOLE,
        "finished": TRUTH,
        "ending": TEXT,
        "result": TEXT,
    },
    "players": {
        "text_key": TEXT,
        "place": WHOLE,
        "seat": TEXT,
        "name": TEXT,
        "points": WHOLE,
        "won": TRUTH,
    },
    "entries": {"text_key": TEXT, "entry": WHOLE, "turn": WHOLE, "who": TEXT, "move": WHOLE, "clause": TEXT},
    "points": {
        "text_key": TEXT,
        "entry": WHOLE,
        "turn": WHOLE,
        "seat": TEXT,
        "source": TEXT,
        "points": WHOLE,
    },
    "times": {
        "text_key": TEXT,
        "entry": WHOLE,
        "turn": WHOLE,
        "seat": TEXT,
        "played": MOMENT,
        "due": MOMENT,
        "seconds": WHOLE,
        "played_by": TEXT,
    },
}
"""Every table with its columns and their types, as SQL names them."""


class Place(NamedTuple):
    """Where a game stood: the file, its number in there, and its line."""

    file: str
    number: int
    line: int


class GameRows(NamedTuple):
    """The rows of a game by table, how it was replayed, and what was kept back because it goes on."""

    rows: Mapping[str, list[Row]]
    opened: OpenRecord


def rows_of(record: Record, place: Place, *, whole: bool = False) -> GameRows:
    """The rows of a game; none where it is refused. `whole` keeps everything that a running game's record holds."""
    game = record.game
    key = text_key(record)
    points = _Points(key, game)
    opened = open_record(record, watch=points.add)
    replayed = opened.replayed
    if replayed.refusal is not None or game is None:
        return GameRows({}, opened)
    shown = record if whole else opened.record
    rows = {
        "games": [(key, *_game_row(record, place, replayed))],
        "players": [(key, *row) for row in _player_rows(record, replayed.score)],
        "entries": [(key, *row) for row in _entry_rows(shown, points.turns)],
        "points": points.rows,
        "times": [(key, *row) for row in _time_rows(shown, points.turns)],
    }
    return GameRows(rows, opened)


def _game_row(record: Record, place: Place, replayed: "ReplayResult") -> Row:
    said = [record.header(name) for name in ("Id", "Game", "Rules", "Event", "Round", "Date", "Site")]
    ending = replayed.ending.kind if replayed.ending is not None else None
    counts = (len(record.seats), replayed.turns, len(record.entries), replayed.plies)
    return (*place, *said, *counts, replayed.finished, ending, record.header("Result"))


def _player_rows(record: Record, score: "Score") -> Iterator[Row]:
    for place, seat in enumerate(record.seats, start=1):
        yield place, seat, record.header(f"{SEAT}{seat}"), score.shown(seat), seat in score.winners


def _entry_rows(record: Record, turns: list[int]) -> Iterator[Row]:
    key = record.header("Game")
    book = None if key is None else find_phrasebook(key)
    for number, (entry, turn) in enumerate(zip(record.entries, turns, strict=False), start=1):
        for move, clause in enumerate(clauses(entry, book), start=1):
            yield number, turn, entry.who, move, clause


class _Points:
    """Collects what each entry brought, and the turn of each, while a record is replayed."""

    def __init__(self, key: str, game: GameRules | None) -> None:
        self.rows: list[Row] = []
        self.turns: list[int] = []
        self._key = key
        self._game = game
        self._has: dict[tuple[Seat, str], int] = {}

    def add(self, _entry: Entry, turn: int, position: object) -> None:
        """Take one entry; `position` is the one after it."""
        self.turns.append(turn)
        if self._game is None:
            return
        score = self._game.score(position)
        has: dict[tuple[Seat, str], int] = {}
        for tally in score.tallies:
            for line in tally.lines if tally.seat not in score.hidden else ():
                has[tally.seat, line.source] = has.get((tally.seat, line.source), 0) + line.points
        for seat, source in dict.fromkeys((*has, *self._has)):
            if gain := has.get((seat, source), 0) - self._has.get((seat, source), 0):
                self.rows.append((self._key, len(self.turns), turn, seat, source, gain))
        self._has = has


def _time_rows(record: Record, turns: list[int]) -> Iterator[Row]:
    """When moves were made, from a record with its proof. `seconds` are those since the seat was asked to move."""
    happened: dict[int, datetime] = {}
    for number, (entry, turn) in enumerate(zip(record.entries, turns, strict=False), start=1):
        for seq, kind, at, data in _events(entry.remarks):
            happened[seq] = at
            if kind != "played" or entry.who == CHANCE:
                continue
            asked, due = happened.get(data.get("asked", 0)), data.get("due")
            seconds = int((at - asked).total_seconds()) if asked is not None else None
            yield number, turn, entry.who, _moment(at), _moment(_time(due)) if due else None, seconds, data.get("by")


def event_times(record: Record) -> list[datetime]:
    """The times of all events of a record with its proof, in their order."""
    places = [*(entry.remarks for entry in record.entries), record.afterword]
    return [at for remarks in places for _, _, at, _ in _events(remarks)]


def _events(remarks: Iterable[Remark]) -> Iterator[tuple[int, str, datetime, dict[str, Any]]]:
    """The events among some remarks: number, kind, time and data."""
    for remark in remarks:
        name, said = parse_annotation(remark) or ("", "")
        words = said.split(" ", 3)
        if name == EVENT and len(words) == 4:
            data = json.loads(words[3].rpartition(" ")[0])
            yield int(words[0]), words[1], _time(words[2]), data


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _moment(at: datetime) -> str:
    """A time as tables have it: in UTC, as SQL writes it."""
    return f"{at:%Y-%m-%d %H:%M:%S}"


def csv_line(row: Iterable[Value]) -> str:
    """A row as a line of CSV: nothing for what is not there, true and false in small letters."""
    return ",".join(map(_cell, row)) + "\n"


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if isinstance(value, int):
        return text
    # An empty text is not the same as none.
    return text if text and not _TO_QUOTE.intersection(text) else '"' + text.replace('"', '""') + '"'


_TO_QUOTE: Final = frozenset(',"\r\n')
