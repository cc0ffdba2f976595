"""The points that turns brought, found by playing a game again, and kept for the next mail about the same table."""

from collections import OrderedDict
from collections.abc import Collection, Iterator
from typing import Final, TypeAlias

from engine.game import Ply, Seat
from engine.score import Score
from pbem.referee.standing import standing_entries
from pbem.tables.table import OVER, Table

Gain: TypeAlias = tuple[str, int]
"""A source of points, and how many came from there."""

KEPT: Final = 64


class Gains:
    """Remembers what the turns of the tables asked about last have brought."""

    def __init__(self, kept: int = KEPT) -> None:
        self._most = kept
        self._kept: OrderedDict[tuple[str, str], dict[int, list[Gain]]] = OrderedDict()

    def of_turns(self, table: Table, turns: Collection[int]) -> dict[int, list[Gain]]:
        """What each of some standing turns brought its seat, by source."""
        if not turns:
            return {}
        known = self._kept.setdefault((table.id, table.head), {})
        self._kept.move_to_end((table.id, table.head))
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        # The last turn of a game brings everybody points that are nobody's gain of that turn.
        last = table.turn - 1 if table.stage == OVER else None
        missing = [turn for turn in turns if turn not in known and turn != last]
        if missing:
            known.update(_replay(table, missing))
        return known


def _replay(table: Table, turns: Collection[int]) -> Iterator[tuple[int, list[Gain]]]:
    game, position = table.game, table.game.start(table.setup)
    gained: dict[int, dict[str, int]] = {}
    for entry in standing_entries(table.entries):
        asked = entry.number is not None and entry.number in turns
        before = _sources(game.score(position), entry.who) if asked else {}
        for move in entry.moves:
            position = game.apply(position, Ply(entry.who, move))
        if asked and entry.number is not None:
            # A turn may have come in several letters, so in several entries.
            turn = gained.setdefault(entry.number, {})
            for source, points in _sources(game.score(position), entry.who).items():
                turn[source] = turn.get(source, 0) + points - before.get(source, 0)
    yield from ((turn, list(sources.items())) for turn, sources in gained.items())


def _sources(score: Score, seat: Seat) -> dict[str, int]:
    points: dict[str, int] = {}
    for tally in score.tallies:
        if tally.seat == seat:
            for line in tally.lines:
                points[line.source] = points.get(line.source, 0) + line.points
    return points
