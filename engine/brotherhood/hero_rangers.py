"""Benjen, Ygritte and Qhorin, who go beyond the Wall or into the Gift at any time of their player's turn."""

from functools import cache

from engine.brotherhood.board import numbers
from engine.brotherhood.hands import ONE, count
from engine.brotherhood.hero_roster import BENJEN, QHORIN, YGRITTE
from engine.brotherhood.heroes import ANY_TIME, judge_use, use
from engine.brotherhood.moves import CLANS, Benjen, Qhorin, Ygritte
from engine.brotherhood.position import CAMP, NOBODY
from engine.brotherhood.rules import heroes
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.wall import call_up, watch_of
from engine.brotherhood.wall_state import CLAN_AT
from engine.brotherhood.wall_wildlings import leave_camp, leave_clearing, leave_gift
from engine.verdict import Verdict


def judge_benjen(table: WorkingPosition, who: int, move: Benjen) -> Verdict | None:
    """A wildling must stand there (BW-J8)."""
    verdict = judge_use(table, who, BENJEN, ANY_TIME)
    if verdict is not None or move in list_benjen(table, who):
        return verdict
    facts = {"clan": move.clan, "place": move.place}
    says = "no wildling waits in clearing {place}" if move.clan is None else "no wildling is in camp {place} of {clan}"
    return Verdict(heroes.J8, says, facts, tuple(list_benjen(table, who))[:3])


def play_benjen(table: WorkingPosition, who: int, move: Benjen) -> None:
    """The wildling goes home, and the pool sends another (BW-J18)."""
    watch, place = watch_of(table), move.place - 1
    table.watch = leave_clearing(watch, place) if move.clan is None else leave_camp(watch, CLAN_AT[move.clan], place)
    call_up(table)
    use(table, who)


def list_benjen(table: WorkingPosition, _who: int) -> list[Benjen]:
    """Every wildling in a camp or a clearing."""
    watch = watch_of(table)
    found = [
        _benjen(clan, camp) for clan, camps in zip(CLANS, watch.camps, strict=True) for camp in range(1, len(camps) + 1)
    ]
    found += [_benjen(None, clearing) for clearing, waiting in enumerate(watch.clearings, start=1) if waiting]
    return found


_benjen = cache(Benjen)
"""The move, made once."""


def judge_ygritte(table: WorkingPosition, who: int, move: Ygritte) -> Verdict | None:
    """A wildling must hold the hex (BW-J9)."""
    verdict = judge_use(table, who, YGRITTE, ANY_TIME)
    if verdict is not None or move in list_ygritte(table, who):
        return verdict
    instead = tuple(list_ygritte(table, who))[:3]
    return Verdict(heroes.J9, "no wildling holds {hex}", {"hex": move.hex}, instead)


def play_ygritte(table: WorkingPosition, who: int, move: Ygritte) -> None:
    """The wildling goes home, for nothing (BW-J19)."""
    table.watch = leave_gift(watch_of(table), 1 << table.chart.hex_of[move.hex])
    use(table, who)


def list_ygritte(table: WorkingPosition, _who: int) -> list[Ygritte]:
    """Every hex that a wildling holds."""
    letters = table.chart.letters
    return [_ygritte(letters[place]) for place in numbers(watch_of(table).held)]


_ygritte = cache(Ygritte)
"""The move, made once."""


def judge_qhorin(table: WorkingPosition, who: int, _move: Qhorin) -> Verdict | None:
    """Tormund must be out of his camp (BW-J11)."""
    verdict = judge_use(table, who, QHORIN, ANY_TIME)
    if verdict is not None or table.tormund != CAMP:
        return verdict
    return Verdict(heroes.J11, "Tormund is in his camp already")


def play_qhorin(table: WorkingPosition, who: int, _move: Qhorin) -> None:
    """Tormund goes home; the hex he leaves pays, if it can (BW-J21)."""
    kind = table.ground.produce[table.tormund]
    table.tormund = CAMP
    if kind != NOBODY and count(table.supply, kind):
        table.gain(who, ONE[kind])
    use(table, who)


def list_qhorin(table: WorkingPosition, _who: int) -> tuple[Qhorin, ...]:
    """There is one way to do it."""
    return () if table.tormund == CAMP else (Qhorin(),)
