"""The points that each turn brought, and the positions after moves of chance, found by replaying a game.

A game is replayed once from its start, and later only from the last turn that is known: a table that is asked about
after every turn costs one turn each time.
"""

from collections import OrderedDict
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple, TypeAlias

from engine.game import CHANCE, Ply, Seat, Setup
from engine.score import Score
from notation import Entry
from pbem.judging.entries import standing_entries
from pbem.tables.table import OVER, Table

Gain: TypeAlias = tuple[str, int]
"""A source of points, and how many came from there."""

GAME_CACHE: Final = 64
RECENT: Final = 40
"""Turns for which the positions after moves of chance are kept."""


class _Played(NamedTuple):
    """A game as far as it was replayed: its entries, the position after them, and the points of each turn by source."""

    source: tuple[Entry, ...]
    """All entries of the table, also those that were taken back; `entries` are the others."""
    entries: list[Entry]
    position: object
    score: Score
    """The points at that position."""
    gained: Mapping[int, Mapping[str, int]]
    dealt: Mapping[int, Mapping[tuple[object, ...], object]]
    """For each of the last turns the moves of chance, and the position after them."""


class Gains:
    """Caches what the turns of recent tables have brought."""

    def __init__(self, kept: int = GAME_CACHE) -> None:
        self._most = kept
        self._kept: OrderedDict[tuple[str, Setup], _Played] = OrderedDict()

    def of_turns(self, table: Table, turns: Collection[int]) -> dict[int, list[Gain]]:
        """What each of some turns brought its seat, by source."""
        # The last turn of a game brings everybody the points of the final count, which no turn has earned.
        last = table.turn - 1 if table.stage == OVER else None
        asked = [turn for turn in turns if turn != last]
        if not asked:
            return {}
        gained = self._play(table).gained
        return {turn: list(gained[turn].items()) for turn in asked if turn in gained}

    def after_chance(self, table: Table, turn: int, moves: tuple[object, ...]) -> object | None:
        """The position after some moves of chance in a turn; None if it is not known any more."""
        return self._play(table).dealt.get(turn, {}).get(moves)

    def _play(self, table: Table) -> _Played:
        key = (table.id, table.setup)
        played = self._kept.get(key)
        if played is not None and played.source is table.entries:
            # All mails about a position ask for the same turns several times.
            self._kept.move_to_end(key)
            return played
        entries = standing_entries(table.entries)
        if played is None or played.entries != entries[: len(played.entries)]:
            start = table.game.start(table.setup)
            played = _Played((), [], start, table.game.score(start), {}, {})
        played = self._kept[key] = _replay_on(table, played, entries)
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return played


def _replay_on(table: Table, played: _Played, entries: list[Entry]) -> _Played:
    game, position, score = table.game, played.position, played.score
    # What is known of earlier turns is shared with the replay before, so it is copied and never changed.
    gained, dealt = dict(played.gained), dict(played.dealt)
    for entry in entries[len(played.entries) :]:
        # A turn that came in several letters has several entries.
        turn = dict(gained.get(entry.number, {})) if entry.number is not None else {}
        before = _sources(score, entry.who)
        for move in entry.moves:
            position = game.apply(position, Ply(entry.who, move))
            score = game.score(position)
            after = _sources(score, entry.who)
            for source, points in _brought(before, after).items():
                turn[source] = turn.get(source, 0) + points
            before = after
        if entry.number is not None:
            gained[entry.number] = turn
            if entry.who == CHANCE:
                dealt[entry.number] = {**dealt.get(entry.number, {}), entry.moves: position}
    recent = dict(sorted(dealt.items())[-RECENT:])
    return _Played(table.entries, entries, position, score, gained, recent)


def _brought(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """What one move brought, by source. If one source replaces another, only the difference counts."""
    changes = {source: after.get(source, 0) - before.get(source, 0) for source in {**after, **before}}
    grown = [source for source, points in changes.items() if points > 0]
    in_all = sum(changes.values())
    return {grown[0]: in_all} if len(grown) == 1 and in_all >= 0 else changes


def _sources(score: Score, seat: Seat) -> dict[str, int]:
    points: dict[str, int] = {}
    for tally in score.tallies:
        if tally.seat == seat:
            for line in tally.lines:
                points[line.source] = points.get(line.source, 0) + line.points
    return points
