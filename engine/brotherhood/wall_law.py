"""What the Wall brings to the law of the Watch: its kinds of move, its stages and items, its lists.

A table; what stands in it is done in the other modules of this room.
"""

from collections.abc import Mapping
from typing import Any, Final

from engine.brotherhood import bartering, moves, patrolling, production, supply, wall, wall_guards
from engine.brotherhood.cards import playable
from engine.brotherhood.hands import RANGER, RECRUITS, count
from engine.brotherhood.law import BY_CHANCE, Kind, Stage
from engine.brotherhood.position import BUILD, DICE, ROLL, TRADE
from engine.brotherhood.rules import tokens, turns
from engine.brotherhood.table import Table
from engine.brotherhood.wall import TOKENS, WILDLINGS
from engine.brotherhood.wall_guards import POST
from engine.game import Seat

_TURN: Final = frozenset({ROLL, TRADE, BUILD})

WALL_KINDS: Final[Mapping[type, Kind]] = {
    moves.Dice: Kind(frozenset({DICE}), wall.judge_dice, production.play_dice, BY_CHANCE),
    moves.Trade: Kind(frozenset({TRADE}), bartering.judge_trade, supply.play_trade),
    moves.Token: Kind(frozenset({TOKENS}), wall.judge_token, wall.play_token, BY_CHANCE),
    moves.Guard: Kind(frozenset({POST, TRADE, BUILD}), wall_guards.judge_guard, wall_guards.play_guard),
    moves.Recruits: Kind(_TURN, wall_guards.judge_recruits, wall_guards.play_recruits),
    moves.Ranger: Kind(_TURN, patrolling.judge_ranger, patrolling.play_ranger),
}

WALL_STAGES: Final[Mapping[str, Stage]] = {
    POST: Stage(tokens.S3, "{seat} puts a guard on the Wall now", choices=wall_guards.list_posts),
    TOKENS: Stage(
        turns.O5,
        "a wildling token is turned up first",
        due=wall.only_chance,
        choices=wall.list_tokens,
        deal=wall.deal_token,
    ),
    WILDLINGS: Stage(tokens.R1, "the wildlings advance first", happen=wall.march),
}


def list_at_any_time(table: Table) -> list[tuple[Seat, Any]]:
    """What the cards of the Watch add to a turn, before the roll and after it."""
    found: list[tuple[Seat, Any]] = []
    cards = playable(table)
    if not cards:
        return found
    if count(cards, RANGER):
        found += patrolling.list_hunts(table)
    if count(cards, RECRUITS):
        found += wall_guards.list_recruits(table)
    return found
