"""Records rewritten or filtered: as a viewer may read them, in canonical form, without what was undone.

Which values are hidden, and what a header's value means, is for the game to say. A finished game has no secrets.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from engine.game import GameRules, Ply, Seat
from engine.verdict import Verdict
from notation import UNDO, WORDS, Entry, Fault, Record, read_result, write_entry, write_result
from pbem.judging.record_replay import replay_record


def redact_moves(
    game: GameRules, position: object, seat: Seat, moves: tuple[object, ...], viewer: Seat
) -> tuple[object, ...]:
    """Moves made one after the other from `position`, without what `viewer` (a seat, or PUBLIC) may not know."""
    shown, ply = [], None
    for move in moves:
        position = position if ply is None else game.apply(position, ply)
        ply = Ply(seat, move)
        shown.append(game.told(position, ply, viewer))
    return tuple(shown)


def redact_record(record: Record, viewer: Seat) -> Record:
    """A record as `viewer` may read it, up to the first entry that is refused."""
    redacted = ViewerEntries(record, viewer)
    replayed = replay_record(record, watch=redacted.add)
    return record if replayed.finished else replace(record, entries=tuple(redacted.entries))


class ViewerEntries:
    """Collects the entries of a record as one viewer may read them, while the record is replayed."""

    def __init__(self, record: Record, viewer: Seat) -> None:
        self.entries: list[Entry] = []
        self._viewer = viewer
        self._game = record.game
        start = self._game.start(record.setup) if self._game is not None else None
        self._position = None if isinstance(start, Verdict) else start

    def add(self, entry: Entry, turn: int, position: object) -> None:
        """Add one entry; `position` is the one after it."""
        if self._game is not None and entry.who not in WORDS:
            moves = redact_moves(self._game, self._position, entry.who, entry.moves, self._viewer)
            entry = entry._replace(moves=moves)
        self.entries.append(entry)
        self._position = position


PROOF: Final = "Proof"
RESULT: Final = "Result"


def tidy_headers(record: Record) -> Record:
    """The record with its set-up and result headers in canonical form, as far as they are understood.

    A record with a proof is left alone: its headers follow from its events, to the byte.
    """
    if record.header(PROOF) is not None:
        return record
    tidied = _with(record, dict(_tidy_options(record)))
    game = record.game
    if tidied is not record and game is not None and game.start(record.setup) != game.start(tidied.setup):
        tidied = record  # tidying must not make an illegal set-up legal
    result = read_result(record.header(RESULT) or "", record.header("Game"))
    return tidied if isinstance(result, Fault) else _with(tidied, {RESULT: write_result(result)})


def _tidy_options(record: Record) -> Iterator[tuple[str, str]]:
    options = record.game.options if record.game is not None else ()
    given = dict(record.headers)
    return ((option.name, option.tidy(given[option.name])) for option in options if option.name in given)


def _with(record: Record, values: Mapping[str, str]) -> Record:
    """The record with other values in some headers; the same object if nothing changes."""
    headers = tuple((name, values.get(name, value)) for name, value in record.headers)
    return record if headers == record.headers else replace(record, headers=headers)


def fill_in_numbers(record: Record) -> Record:
    """The record with a turn number before every entry, as far as it is legal."""
    if all(entry.number is not None for entry in record.entries):
        return record
    numbered = list(record.entries)
    replayed = 0

    def write(entry: Entry, turn: int, _: object) -> None:
        nonlocal replayed
        numbered[replayed] = entry._replace(number=turn)
        replayed += 1

    replay_record(record, watch=write)
    return Record(record.headers, tuple(numbered), record.afterword)


def standing_entries(entries: Iterable[Entry]) -> list[Entry]:
    """The turns that count, in order: those that no later ``undo`` took back. Words of the table are left out."""
    every = list(entries)
    if UNDO not in [entry.who for entry in every]:  # most games have none, and may have thousands of entries
        return [entry for entry in every if entry.who not in WORDS]
    line: list[Entry] = []
    for entry in every:
        if entry.who == UNDO:
            (undone,) = entry.moves
            before = [earlier for earlier in line if (earlier.number or 0) < undone.turn]
            line = line[: len(before) + undone.kept]
        elif entry.who not in WORDS:
            line.append(entry)
    return line


def changed_lines(record: Record, first: int, last: int) -> Iterator[str]:
    """A diff of what entries `first` to `last` (exclusive) changed: ``-`` before a line that was taken back."""
    before, after = standing_entries(record.entries[:first]), standing_entries(record.entries[:last])
    stays = {id(entry) for entry in after}
    for entry in before:
        if id(entry) not in stays:
            yield f"- {write_entry(entry, record.game)}"
    for entry in record.entries[first:last]:
        yield f"+ {write_entry(entry, record.game)}"
