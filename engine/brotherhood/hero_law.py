"""What the heroes add to the law of the Watch: their kinds of move, their items of the agenda, their lists.

This is only a table; the other `hero_` modules do what it names.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from engine.brotherhood import (
    hero_builders,
    hero_rangers,
    hero_seers,
    hero_tarly,
    hero_traders,
    heroes,
    moves,
)
from engine.brotherhood.hero_seers import CHOOSE, LOOK, TAKE
from engine.brotherhood.hero_tarly import ASK, REACT
from engine.brotherhood.heroes import ANY_TIME, BUILDING, PART, TRADING
from engine.brotherhood.law import BY_CHANCE, OTHERS, Judge, MoveKind, Play, Stage
from engine.brotherhood.rules import heroes as rules
from engine.brotherhood.rules import turns
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.wall import only_chance, watch_of
from engine.game import Seat


def _use(judge: Judge, play: Play) -> MoveKind:
    """A hero's use: its own judge says when, so that a refusal can tell about the hero."""
    return MoveKind(ANY_TIME, judge, play)


_NO_ROLL: Final = (rules.J3, "no roll waits for Tarly now: he reacts right after one that gave his player nothing")
_NO_CARDS: Final = (rules.J6, "Melisandre looks at no cards now, so there is none to keep")
_NO_HAND: Final = (rules.J7, "Mance looks at no hand now, so there is no card to take")
_NO_USE: Final = (rules.H4, "no hero has just been used, so none is flipped or swapped")

HERO_KINDS: Final[Mapping[type, MoveKind]] = {
    moves.Mormont: _use(hero_traders.judge_mormont, hero_traders.play_mormont),
    moves.Marsh: _use(hero_traders.judge_marsh, hero_traders.play_marsh),
    moves.Yarwyck: _use(hero_builders.judge_yarwyck, hero_builders.play_yarwyck),
    moves.Thorne: _use(hero_builders.judge_thorne, hero_builders.play_thorne),
    moves.Melisandre: _use(hero_seers.judge_melisandre, hero_seers.play_melisandre),
    moves.Mance: _use(hero_seers.judge_mance, hero_seers.play_mance),
    moves.Benjen: _use(hero_rangers.judge_benjen, hero_rangers.play_benjen),
    moves.Ygritte: _use(hero_rangers.judge_ygritte, hero_rangers.play_ygritte),
    moves.Yoren: _use(hero_builders.judge_yoren, hero_builders.play_yoren),
    moves.Qhorin: _use(hero_rangers.judge_qhorin, hero_rangers.play_qhorin),
    moves.Tarly: MoveKind(frozenset({REACT}), hero_tarly.judge_tarly, hero_tarly.play_tarly, OTHERS, _NO_ROLL),
    moves.Pass: MoveKind(frozenset({REACT}), hero_tarly.judge_pass, hero_tarly.play_pass, OTHERS, _NO_ROLL),
    moves.Look: MoveKind(frozenset({LOOK}), hero_seers.judge_look, hero_seers.play_look, BY_CHANCE),
    moves.Choose: MoveKind(frozenset({CHOOSE}), hero_seers.judge_choose, hero_seers.play_choose, missed=_NO_CARDS),
    moves.Take: MoveKind(frozenset({TAKE}), hero_seers.judge_take, hero_seers.play_take, missed=_NO_HAND),
    moves.Flip: MoveKind(frozenset({PART}), heroes.judge_flip, heroes.play_flip, OTHERS, _NO_USE),
    moves.Swap: MoveKind(frozenset({PART}), heroes.judge_swap, heroes.play_swap, OTHERS, _NO_USE),
}

HERO_STAGES: Final[Mapping[str, Stage]] = {
    ASK: Stage(rules.J3, "Tarly is asked first", effect=hero_tarly.ask),
    REACT: Stage(
        rules.J3,
        "Tarly's player takes a resource or passes first",
        due=hero_tarly.reaction_due,
        choices=hero_tarly.list_reactions,
        silence=hero_tarly.react_silently,
    ),
    LOOK: Stage(
        turns.O5,
        "first chance shows {seat} the cards that Melisandre sees",
        due=only_chance,
        choices=hero_seers.list_looks,
        deal=hero_seers.deal_look,
    ),
    CHOOSE: Stage(rules.J6, "{seat} first keeps one of the cards that Melisandre sees", choices=hero_seers.list_chosen),
    TAKE: Stage(rules.J7, "{seat} first takes a card of the hand that Mance sees", choices=hero_seers.list_taken),
    PART: Stage(
        rules.H4,
        "a hero was used, and is flipped or swapped first",
        due=heroes.parting_due,
        choices=heroes.list_partings,
        silence=heroes.part_silently,
    ),
}

_LISTS: Final[tuple[tuple[frozenset[str], Callable[[WorkingPosition, int], Iterable[object]]], ...]] = (
    (TRADING, hero_traders.list_mormont),
    (TRADING, hero_traders.list_marsh),
    (frozenset(), hero_tarly.list_nothing),
    (BUILDING, hero_builders.list_yarwyck),
    (BUILDING, hero_builders.list_thorne),
    (BUILDING, hero_seers.list_melisandre),
    (BUILDING, hero_seers.list_mance),
    (ANY_TIME, hero_rangers.list_benjen),
    (ANY_TIME, hero_rangers.list_ygritte),
    (BUILDING, hero_builders.list_yoren),
    (ANY_TIME, hero_rangers.list_qhorin),
)
"""For each hero when the player on turn can use it, and how."""


def list_uses(table: WorkingPosition) -> Iterable[tuple[Seat, object]]:
    """Every use of the hero of the player on turn."""
    who = table.who
    company = watch_of(table).company
    hero, _, taken = company.holdings[who]
    when, uses = _LISTS[hero]
    if table.stage not in when or table.turn in (company.spent, taken):  # BW-H2, BW-H3
        return ()
    seat = table.ground.seats[who]
    return [(seat, move) for move in uses(table, who)]
