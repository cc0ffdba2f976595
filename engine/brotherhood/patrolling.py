"""The Ranger Patrol's second use: a wildling of the Gift is sent home, and its hex pays (BW-K1, BW-K2)."""

from functools import cache

from engine.brotherhood import cards
from engine.brotherhood.board import numbers
from engine.brotherhood.hands import ONE, RANGER, count
from engine.brotherhood.moves import WILDLING, Ranger
from engine.brotherhood.position import NOBODY
from engine.brotherhood.rules import guards
from engine.brotherhood.table import Table
from engine.brotherhood.wall import watch_of
from engine.brotherhood.wall_wildlings import leave_gift
from engine.game import Seat
from engine.verdict import Verdict


def judge_ranger(table: Table, who: int, move: Ranger) -> Verdict | None:
    """None if Tormund may go there, or a wildling is there to be sent home."""
    if move.quarry != WILDLING:
        return cards.judge_ranger(table, who, move)
    verdict = cards.judge_card(table, who, RANGER)
    if verdict is not None:
        return verdict
    place = table.chart.hex_of.get(move.hex)
    facts = {"hex": move.hex}
    if place is None or not watch_of(table).held >> place & 1:
        return Verdict(guards.K1, "no wildling holds {hex}", facts, tuple(ply for _, ply in list_hunts(table))[:3])
    if move.victim is not None:
        return Verdict(
            guards.K1, "nobody is robbed where a wildling is sent home", facts, (Ranger(WILDLING, move.hex),)
        )
    return None


def play_ranger(table: Table, who: int, move: Ranger) -> None:
    """Either use; then patrols are compared."""
    if move.quarry != WILDLING:
        cards.play_ranger(table, who, move)
        return
    cards.muster(table, who)
    place = table.chart.hex_of[move.hex]
    table.watch = leave_gift(watch_of(table), 1 << place)
    kind = table.ground.produce[place]
    if kind != NOBODY and count(table.supply, kind):
        table.gain(who, ONE[kind])


def list_hunts(table: Table) -> list[tuple[Seat, Ranger]]:
    """Every wildling that a Ranger could send home."""
    seat, letters = table.on_turn, table.chart.letters
    return [(seat, _hunt(letters[place])) for place in numbers(watch_of(table).held)]


@cache
def _hunt(letter: str) -> Ranger:
    """The move, made once."""
    return Ranger(WILDLING, letter)
