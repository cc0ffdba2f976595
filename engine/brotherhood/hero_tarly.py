"""Tarly, who reacts to any player's roll that gave nothing to the player who holds Tarly (BW-J3, BW-J13)."""

from functools import cache
from typing import Final

from engine.brotherhood.hands import KIND, ONE, count, kinds_in
from engine.brotherhood.hero_roster import TARLY
from engine.brotherhood.heroes import can_use, company_of, use
from engine.brotherhood.moves import RESOURCES, Pass, Tarly
from engine.brotherhood.rules import heroes
from engine.brotherhood.table import WorkingPosition
from engine.game import Seat
from engine.verdict import Verdict

ASK: Final = "ask"
"""The roll is resolved: see whether Tarly may react. No seat is asked yet."""
REACT: Final = "react"
"""Tarly's player takes a resource, or passes."""


def ask(table: WorkingPosition) -> None:
    """Ask Tarly's player, if the roll was not a seven, gave that player nothing, and their own first turn has come."""
    who = company_of(table).holder(TARLY)
    if who is None or sum(table.dice[:2]) == 7 or table.gains[who] or not table.supply:
        return
    ground = table.ground
    first_turn = ground.placements + 1 + (who - ground.first) % table.players
    if table.turn >= first_turn and can_use(table, who, TARLY):
        table.add(REACT)


def reaction_due(table: WorkingPosition) -> tuple[Seat, ...]:
    """Tarly's player."""
    who = company_of(table).holder(TARLY)
    return () if who is None else (table.ground.seats[who],)


def judge_tarly(table: WorkingPosition, who: int, move: Tarly) -> Verdict | None:
    """Tarly's player takes what the supply has."""
    verdict = _judge_reaction(table, who)
    if verdict is not None or (move.resource in KIND and count(table.supply, KIND[move.resource])):
        return verdict
    instead = tuple(move for _, move in list_reactions(table))[:3]
    return Verdict(heroes.J3, "the supply has no {resource}", {"resource": move.resource}, instead)


def play_tarly(table: WorkingPosition, who: int, move: Tarly) -> None:
    """One card of the supply."""
    table.gain(who, ONE[KIND[move.resource]])
    table.done()
    use(table, who)


def judge_pass(table: WorkingPosition, who: int, _move: Pass) -> Verdict | None:
    """Only who may react can let it be."""
    return _judge_reaction(table, who)


def play_pass(table: WorkingPosition, _who: int, _move: Pass) -> None:
    """Tarly is kept for another roll."""
    table.done()


def list_reactions(table: WorkingPosition) -> list[tuple[Seat, Tarly | Pass]]:
    """A resource of the supply, or nothing."""
    (seat,) = reaction_due(table)
    return [(seat, move) for move in _reactions(kinds_in(table.supply))]


@cache
def _reactions(supply: int) -> tuple[Tarly | Pass, ...]:
    """What can be done while the supply has some kinds, made once."""
    return (*[Tarly(name) for name in RESOURCES if count(supply, KIND[name])], Pass())


def list_nothing(_table: WorkingPosition, _who: int) -> tuple[Tarly, ...]:
    """Tarly only reacts to rolls, so there is never anything to list."""
    return ()


def react_silently(_table: WorkingPosition, _who: int) -> Pass:
    """Silence passes."""
    return Pass()


def _judge_reaction(table: WorkingPosition, who: int) -> Verdict | None:
    seats = reaction_due(table)
    seat = table.ground.seats[who]
    if seat in seats:
        return None
    return Verdict(heroes.J3, "{tarly} may react to this roll now, not {seat}", {"seat": seat, "tarly": seats[0]})
