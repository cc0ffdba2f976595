"""What the heroes bring to the law of the Watch: their kinds of move, their items of the agenda, their lists.

A table; what stands in it is done in the other modules of this room.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from engine.brotherhood import moves
from engine.brotherhood.heroes import handling, labouring, ranging, reacting, rules, seeing, trading
from engine.brotherhood.heroes.handling import ANY_TIME, BUILDING, PART, TRADING
from engine.brotherhood.heroes.reacting import ASK, REACT
from engine.brotherhood.heroes.seeing import CHOOSE, LOOK, TAKE
from engine.brotherhood.law import BY_CHANCE, OTHERS, Judge, Kind, Play, Stage
from engine.brotherhood.rules import setting
from engine.brotherhood.table import Table
from engine.brotherhood.wall.watching import only_chance, watch_of
from engine.game import Seat


def _use(judge: Judge, play: Play) -> Kind:
    """A hero's use: its own judge says when, so that a refusal can tell about the hero."""
    return Kind(ANY_TIME, judge, play)


HERO_KINDS: Final[Mapping[type, Kind]] = {
    moves.Mormont: _use(trading.judge_mormont, trading.play_mormont),
    moves.Marsh: _use(trading.judge_marsh, trading.play_marsh),
    moves.Yarwyck: _use(labouring.judge_yarwyck, labouring.play_yarwyck),
    moves.Thorne: _use(labouring.judge_thorne, labouring.play_thorne),
    moves.Melisandre: _use(seeing.judge_melisandre, seeing.play_melisandre),
    moves.Mance: _use(seeing.judge_mance, seeing.play_mance),
    moves.Benjen: _use(ranging.judge_benjen, ranging.play_benjen),
    moves.Ygritte: _use(ranging.judge_ygritte, ranging.play_ygritte),
    moves.Yoren: _use(labouring.judge_yoren, labouring.play_yoren),
    moves.Qhorin: _use(ranging.judge_qhorin, ranging.play_qhorin),
    moves.Tarly: Kind(frozenset({REACT}), reacting.judge_tarly, reacting.play_tarly, OTHERS),
    moves.Pass: Kind(frozenset({REACT}), reacting.judge_pass, reacting.play_pass, OTHERS),
    moves.Look: Kind(frozenset({LOOK}), seeing.judge_look, seeing.play_look, BY_CHANCE),
    moves.Choose: Kind(frozenset({CHOOSE}), seeing.judge_choose, seeing.play_choose),
    moves.Take: Kind(frozenset({TAKE}), seeing.judge_take, seeing.play_take),
    moves.Flip: Kind(frozenset({PART}), handling.judge_flip, handling.play_flip, OTHERS),
    moves.Swap: Kind(frozenset({PART}), handling.judge_swap, handling.play_swap, OTHERS),
}

HERO_STAGES: Final[Mapping[str, Stage]] = {
    ASK: Stage(rules.J3, "Tarly is asked first", happen=reacting.ask),
    REACT: Stage(
        rules.J3,
        "Tarly's player takes a resource or passes first",
        due=reacting.reaction_due,
        choices=reacting.list_reactions,
        silence=reacting.react_silently,
    ),
    LOOK: Stage(
        setting.O5,
        "first chance shows {seat} the cards that Melisandre sees",
        due=only_chance,
        choices=seeing.list_looks,
        deal=seeing.deal_look,
    ),
    CHOOSE: Stage(rules.J6, "{seat} first keeps one of the cards that Melisandre sees", choices=seeing.list_chosen),
    TAKE: Stage(rules.J7, "{seat} first takes a card of the hand that Mance sees", choices=seeing.list_taken),
    PART: Stage(
        rules.H4,
        "a hero was used, and is flipped or swapped first",
        due=handling.parting_due,
        choices=handling.list_partings,
        silence=handling.part_silently,
    ),
}

_LISTS: Final[tuple[tuple[frozenset[str], Callable[[Table, int], Iterable[Any]]], ...]] = (
    (TRADING, trading.list_mormont),
    (TRADING, trading.list_marsh),
    (frozenset(), reacting.list_nothing),
    (BUILDING, labouring.list_yarwyck),
    (BUILDING, labouring.list_thorne),
    (BUILDING, seeing.list_melisandre),
    (BUILDING, seeing.list_mance),
    (ANY_TIME, ranging.list_benjen),
    (ANY_TIME, ranging.list_ygritte),
    (BUILDING, labouring.list_yoren),
    (ANY_TIME, ranging.list_qhorin),
)
"""For each hero when the player on turn can use it, and how."""


def list_uses(table: Table) -> Iterable[tuple[Seat, Any]]:
    """Every use of the hero of the player on turn."""
    who = table.who
    company = watch_of(table).company
    hero, _, taken = company.holdings[who]
    when, uses = _LISTS[hero]
    if table.stage not in when or table.turn in (company.spent, taken):  # BW-H2, BW-H3
        return ()
    seat = table.ground.seats[who]
    return [(seat, move) for move in uses(table, who)]
