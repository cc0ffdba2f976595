"""What the Wall adds to the law of the Watch: its kinds of move, its stages and items, its lists.

Two moves of the base game differ here: the Ranger Patrol has a second use, by which a wildling of the Gift is sent
home and its hex pays (BW-K1, BW-K2), and the supply trades three for one with everybody (BW-R5).
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.brotherhood import cards, moves, production, trade, wall, wall_guards
from engine.brotherhood.board import numbers
from engine.brotherhood.cards import playable
from engine.brotherhood.hands import ONE, RANGER, RECRUITS, count
from engine.brotherhood.law import BY_CHANCE, MoveKind, Stage
from engine.brotherhood.moves import WILDLING, Ranger, Trade
from engine.brotherhood.position import BUILD, DICE, NOBODY, ROLL, TRADE
from engine.brotherhood.rules import guards, tokens, turns
from engine.brotherhood.rules import production as production_rules
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.trade import judge_trade as judge_base_trade
from engine.brotherhood.wall import TOKENS, WILDLINGS, watch_of
from engine.brotherhood.wall_guards import POST
from engine.brotherhood.wall_wildlings import leave_gift
from engine.game import Seat
from engine.verdict import Verdict


def judge_ranger(table: WorkingPosition, who: int, move: Ranger) -> Verdict | None:
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


def play_ranger(table: WorkingPosition, who: int, move: Ranger) -> None:
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


def list_hunts(table: WorkingPosition) -> list[tuple[Seat, Ranger]]:
    """Every wildling that a Ranger could send home."""
    seat, letters = table.on_turn, table.chart.letters
    return [(seat, _hunt(letters[place])) for place in numbers(watch_of(table).held)]


@cache
def _hunt(letter: str) -> Ranger:
    """The move, made once."""
    return Ranger(WILDLING, letter)


def judge_trade(table: WorkingPosition, who: int, move: Trade) -> Verdict | None:
    """As in the base game, but a wrong rate breaks the rule of this one."""
    verdict = judge_base_trade(table, who, move)
    return verdict._replace(rule=tokens.R5) if verdict is not None and verdict.rule is production_rules.T1 else verdict


_TURN: Final = frozenset({ROLL, TRADE, BUILD})

WALL_KINDS: Final[Mapping[type, MoveKind]] = {
    moves.Dice: MoveKind(frozenset({DICE}), wall.judge_dice, production.play_dice, BY_CHANCE),
    moves.Trade: MoveKind(frozenset({TRADE}), judge_trade, trade.play_trade),
    moves.Token: MoveKind(frozenset({TOKENS}), wall.judge_token, wall.play_token, BY_CHANCE),
    moves.Guard: MoveKind(frozenset({POST, TRADE, BUILD}), wall_guards.judge_guard, wall_guards.play_guard),
    moves.Recruits: MoveKind(_TURN, wall_guards.judge_recruits, wall_guards.play_recruits),
    moves.Ranger: MoveKind(_TURN, judge_ranger, play_ranger),
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
    WILDLINGS: Stage(tokens.R1, "the wildlings advance first", effect=wall.march),
}


def list_at_any_time(table: WorkingPosition) -> list[tuple[Seat, object]]:
    """What the cards of the Watch add to a turn, before the roll and after it."""
    found: list[tuple[Seat, object]] = []
    cards = playable(table)
    if not cards:
        return found
    if count(cards, RANGER):
        found += list_hunts(table)
    if count(cards, RECRUITS):
        found += wall_guards.list_recruits(table)
    return found
