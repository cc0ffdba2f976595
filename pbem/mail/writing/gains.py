"""The points that moves brought, and the positions after moves of chance, found by replaying a game.

Points are counted entry by entry: of a turn that comes in several letters, each says what that one brought. A game is
replayed once from its start, and later only from the last turn that is known: a table that is asked about after every
turn costs one turn each time.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from engine.game import CHANCE, GameRules, Ply, Seat, Setup
from engine.score import Earning, Score
from notation import Entry
from pbem.tables.table import OVER, Table

Gain: TypeAlias = tuple[str, int]
"""A source of points, and how many came from there."""

MadeBy: TypeAlias = tuple[int, Seat, tuple[object, ...]]
"""A turn, who made moves in it, and the moves."""

GAME_CACHE: Final = 64
RECENT: Final = 40
"""Turns for which the positions after moves of chance are kept, and entries for which those after them are."""


class Brought(NamedTuple):
    """What the moves of one entry brought."""

    counted: tuple[Gain, ...] = ()
    """What they added to the score of their player, by source."""
    paid: tuple[Gain, ...] = ()
    """What else they brought, by reason, where the game tells for what it pays."""
    others: tuple[Earning, ...] = ()
    """What they paid other players."""
    deeds: tuple[str, ...] = ()
    """The reasons for all that was paid: what can be told where points are hidden."""


class _Played(NamedTuple):
    """A game as far as it was replayed: its entries, the position after them, and what each entry brought."""

    source: tuple[Entry, ...]
    """All entries of the table, also those that were taken back; `entries` are the others."""
    entries: tuple[Entry, ...]
    position: object
    score: Score
    """The points at that position."""
    gained: Mapping[MadeBy, tuple[Brought, ...]]
    """What entries brought; several, if the same was played more than once in a turn."""
    dealt: Mapping[int, Mapping[tuple[object, ...], object]]
    """For each of the last turns the moves of chance, and the position after them."""
    positions: Mapping[int, object]
    """The positions after each of the last entries, by how many entries there were."""
    since: int = 0
    """How many entries came before the replay began: of these is not known what they brought."""


class Gains:
    """Caches what the turns of recent tables have brought."""

    def __init__(self, kept: int = GAME_CACHE) -> None:
        self._most = kept
        self._kept: OrderedDict[tuple[str, Setup], _Played] = OrderedDict()

    def begin_at(self, table: Table) -> None:
        """Begin at a table whose later entries will be asked about, and not at the start, if the game is not known."""
        key = (table.id, table.setup)
        if key not in self._kept and table.position is not None:
            entries = table.standing
            score, after = table.game.score(table.position), {len(entries): table.position}
            self._kept[key] = _Played((), entries, table.position, score, {}, {}, after, since=len(entries))

    def of_moves(self, table: Table, first: int = 0) -> Mapping[MadeBy, tuple[Brought, ...]]:
        """What the entries that stand brought their players; nothing is missing of those from turn `first` on."""
        played = self._play(table)
        if played.since and (played.entries[played.since - 1].number or 0) >= first:
            played = self._play(table, whole=True)
        gained = played.gained
        if table.stage != OVER:
            return gained
        # The last turn of a game brings everybody the points of the final count, which no turn has earned.
        last = table.turn - 1
        return {
            made: tuple(each._replace(counted=()) for each in brought) if made[0] == last else brought
            for made, brought in gained.items()
        }

    def after_chance(self, table: Table, turn: int, moves: tuple[object, ...]) -> object | None:
        """The position after some moves of chance in a turn; None if it is not known any more."""
        played = self._play(table)
        if played.since and (played.entries[played.since - 1].number or 0) >= turn:
            played = self._play(table, whole=True)
        return played.dealt.get(turn, {}).get(moves)

    def position_after(self, table: Table, count: int) -> object | None:
        """The position after so many of the entries that stand; None if it is not known any more."""
        return self._play(table).positions.get(count)

    def _play(self, table: Table, *, whole: bool = False) -> _Played:
        """The game as far as the table has come; the `whole` of it, if what earlier turns brought is asked for."""
        key = (table.id, table.setup)
        played = self._kept.get(key)
        if whole and played is not None and played.since:
            played = None
        if played is not None and played.source is table.entries:
            # All mails about a position ask for the same turns several times.
            self._kept.move_to_end(key)
            return played
        entries = table.standing
        if played is None or played.entries != entries[: len(played.entries)]:
            start = table.game.start(table.setup)
            played = _Played((), (), start, table.game.score(start), {}, {}, {0: start})
        played = self._kept[key] = _replay_on(table, played, entries)
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return played


def _replay_on(table: Table, played: _Played, entries: tuple[Entry, ...]) -> _Played:
    game, position, score = table.game, played.position, played.score
    # What is known of earlier turns is shared with the replay before, so it is copied and never changed.
    gained, dealt, positions = dict(played.gained), dict(played.dealt), dict(played.positions)
    for count, entry in enumerate(entries[len(played.entries) :], start=len(played.entries) + 1):
        brought, position, score = play_entry(game, position, score, entry)
        positions[count] = position
        if entry.number is not None:
            made = (entry.number, entry.who, entry.moves)
            gained[made] = (*gained.get(made, ()), brought)
            if entry.who == CHANCE:
                dealt[entry.number] = {**dealt.get(entry.number, {}), entry.moves: position}
    recent, last = dict(sorted(dealt.items())[-RECENT:]), dict(sorted(positions.items())[-RECENT:])
    return _Played(table.entries, entries, position, score, gained, recent, last, played.since)


def play_entry(game: GameRules, position: object, score: Score, entry: Entry) -> tuple[Brought, object, Score]:
    """What the moves of an entry bring at a position with a score; the position and the score after them."""
    before, counted, earned, is_shown = _sources(score, entry.who), dict[str, int](), list[Earning](), True
    for move in entry.moves:
        ply = Ply(entry.who, move)
        paid = game.earnings(position, ply)
        position = game.apply(position, ply)
        score = game.score(position)
        after = _sources(score, entry.who)
        is_shown = is_shown and all(each.source in after for each in paid)
        own = [each for each in paid if each.seat == entry.who]
        for source, points in _brought(before, after, own).items():
            counted[source] = counted.get(source, 0) + points
        earned += paid
        before = after
    return _sum_up(entry.who, counted, earned, is_shown=is_shown), position, score


def _sum_up(who: Seat, counted: Mapping[str, int], earned: list[Earning], *, is_shown: bool) -> Brought:
    """What one entry brought; where the table hides what was paid, only for what it was."""
    deeds = tuple(dict.fromkeys(each.reason for each in earned))
    if not is_shown:
        return Brought(deeds=deeds)
    paid: dict[str, int] = {}
    for each in earned:
        if each.seat == who:
            paid[each.reason] = paid.get(each.reason, 0) + each.points
    others = tuple(each for each in earned if each.seat != who)
    gains = tuple((source, points) for source, points in counted.items() if points)
    return Brought(gains, tuple(paid.items()), others, deeds)


def _brought(before: Mapping[str, int], after: Mapping[str, int], paid: Iterable[Earning] = ()) -> dict[str, int]:
    """What one move brought, by source. If one source replaces another, only the difference counts.

    What the game says was `paid`, and for what, is left out.
    """
    changes = {source: after.get(source, 0) - before.get(source, 0) for source in {**after, **before}}
    for each in paid:
        changes[each.source] = changes.get(each.source, 0) - each.points
    grown = [source for source, points in changes.items() if points > 0]
    in_all = sum(changes.values())
    return {grown[0]: in_all} if len(grown) == 1 and in_all >= 0 else changes


def count_brought(before: Score, after: Score, seat: Seat) -> dict[str, int]:
    """What changed for a seat from one score to another, by source."""
    return _brought(_sources(before, seat), _sources(after, seat))


def _sources(score: Score, seat: Seat) -> dict[str, int]:
    points: dict[str, int] = {}
    for tally in score.tallies:
        if tally.seat == seat:
            for line in tally.lines:
                points[line.source] = points.get(line.source, 0) + line.points
    return points
