"""What the Wall brings to the law of the Watch: its kinds of move, its stages and items, its lists.

A table; what stands in it is done in the other modules of this room.
"""

from collections.abc import Mapping
from typing import Any, Final

from engine.brotherhood import moves
from engine.brotherhood.cards.playing import playable
from engine.brotherhood.hands import RANGER, RECRUITS, count
from engine.brotherhood.law import BY_CHANCE, Kind, Stage
from engine.brotherhood.position import BUILD, DICE, ROLL, TRADE
from engine.brotherhood.production import rolling
from engine.brotherhood.rules import setting
from engine.brotherhood.table import Table
from engine.brotherhood.trade import supply
from engine.brotherhood.wall import bartering, patrolling, recruiting, watching
from engine.brotherhood.wall.recruiting import POST
from engine.brotherhood.wall.rules import calling
from engine.brotherhood.wall.watching import TOKENS, WILDLINGS
from engine.game import Seat

_TURN: Final = frozenset({ROLL, TRADE, BUILD})

WALL_KINDS: Final[Mapping[type, Kind]] = {
    moves.Dice: Kind(frozenset({DICE}), watching.judge_dice, rolling.play_dice, BY_CHANCE),
    moves.Trade: Kind(frozenset({TRADE}), bartering.judge_trade, supply.play_trade),
    moves.Token: Kind(frozenset({TOKENS}), watching.judge_token, watching.play_token, BY_CHANCE),
    moves.Guard: Kind(frozenset({POST, TRADE, BUILD}), recruiting.judge_guard, recruiting.play_guard),
    moves.Recruits: Kind(_TURN, recruiting.judge_recruits, recruiting.play_recruits),
    moves.Ranger: Kind(_TURN, patrolling.judge_ranger, patrolling.play_ranger),
}

WALL_STAGES: Final[Mapping[str, Stage]] = {
    POST: Stage(calling.S3, "{seat} puts a guard on the Wall now", choices=recruiting.list_posts),
    TOKENS: Stage(
        setting.O5,
        "a wildling token is turned up first",
        due=watching.only_chance,
        choices=watching.list_tokens,
        deal=watching.deal_token,
    ),
    WILDLINGS: Stage(calling.R1, "the wildlings advance first", happen=watching.march),
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
        found += recruiting.list_recruits(table)
    return found
