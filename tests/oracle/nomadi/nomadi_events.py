"""What was worth comparing in a game of Nomadi: the rarer things that a ply or an ending brought about.

It looks at the oracle's tables only.
"""

from collections.abc import Iterator
from typing import Any

from engine.nomadi.moves import Dice, End, Give, Leave, Offer, Step, Take
from tests.oracle.nomadi.nomadi_map import BEYOND, SQUARE, START, WATERHOLES
from tests.oracle.nomadi.nomadi_table import in_the_start, on_turn, over_the_ravine, phase, to_act


def events(table: Any, ply: Any, after: Any) -> Iterator[Any]:
    """What a ply brought about."""
    _, move = ply
    match move:
        case Dice() if not after.unplayed:
            yield "dead throw"
        case End():
            yield "turn ended early"
        case Give():
            yield "coins given" if "*" not in to_act(table) else "coins given before a throw or a card"
        case Take() | Leave() if table.home == 3:
            yield "answer after the end"
        case Take() | Leave() if "*" in to_act(table):
            yield f"answered while {phase(table)}"
        case Take() | Leave():
            yield f"{'taken' if isinstance(move, Take) else 'left'} in {'the same' if fresh(table) else 'a later'} turn"
        case Offer() if not after.steps:
            yield "offer with the last die"
        case Step():
            yield from events_of_a_step(table, SQUARE[move.origin], after)
    if any(coins < 0 for coins in after.coins.values()):
        yield "debt"


def fresh(table: Any) -> Any:
    """Whether some open offer was made by the player on turn."""
    return any(made_by == on_turn(table) for made_by, _, _ in table.offers.values())


def events_of_a_step(table: Any, origin: Any, after: Any) -> Iterator[Any]:
    """The bonuses and cards of one die."""
    foreign = " with a foreign stone" if table.stones[origin][0] != on_turn(table) else ""
    if in_the_start(table) and not in_the_start(after):
        yield "last out of the start" + foreign
    if not over_the_ravine(table) and over_the_ravine(after):
        yield "first over the ravine" + foreign
    if over_the_ravine(table) < len(after.stones) == over_the_ravine(after):
        yield "last over the ravine"
    if after.home > table.home:
        yield f"stone {after.home} home" + foreign
    if after.looking:
        yield ("waterhole" if after.looking in WATERHOLES else "card on a plain square") + foreign


def endings(table: Any) -> Iterator[Any]:
    """How a game ended."""
    if table.stones.keys() & START:
        yield "ended with stones in the start"
    if table.stones.keys() - BEYOND:
        yield "ended with stones before the ravine"
    if table.unplayed:
        yield "ended with dice left"
    totals = list(table.coins.values())
    if len(set(totals)) < len(totals):
        yield "as many coins"
