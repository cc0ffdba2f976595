"""The home of the full game: the Gift, the Wall before it, and the heroes of the Night's Watch.

The law of the base game, with the rooms `wall` and `heroes` written into its tables. Rules of the base game that do
not hold here are left out.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final, TypeAlias

from engine.brotherhood import setting_up, the_gift
from engine.brotherhood.board import GIFT, GIFT_OF_THREE
from engine.brotherhood.hands import pack
from engine.brotherhood.heroes.law import HERO_KINDS, HERO_STAGES, list_uses
from engine.brotherhood.heroes.reacting import ASK
from engine.brotherhood.heroes.rules import HERO_RULES
from engine.brotherhood.law import Stage
from engine.brotherhood.moves import WATCH
from engine.brotherhood.position import BUILD, ROLL, SETTLE, TRADE
from engine.brotherhood.rules import RULES, dealing, setting, working
from engine.brotherhood.setting_up import FREE, VARIABLE, Box
from engine.brotherhood.table import Table
from engine.brotherhood.wall import viewing, watching
from engine.brotherhood.wall.law import WALL_KINDS, WALL_STAGES, list_at_any_time
from engine.brotherhood.wall.recruiting import POST, list_guards
from engine.brotherhood.wall.rules import WALL_RULES, laying
from engine.brotherhood.wall.state import post_the_watch
from engine.brotherhood.wall.watching import WILDLINGS
from engine.game import Seat

STANDARD: Final = "standard"
"""The usual board."""

Listing: TypeAlias = Callable[[Table], Iterable[tuple[Seat, Any]]]


def _with(stage: str, *more: Listing) -> Stage:
    """A stage of the base game in which more can be chosen."""
    base = the_gift.LAW.stages[stage]
    listings = more if base.choices is None else (base.choices, *more)

    def choices(table: Table) -> list[tuple[Seat, Any]]:
        found: list[tuple[Seat, Any]] = []
        for listing in listings:
            found += listing(table)
        return found

    return base._replace(choices=choices)


LAW: Final = replace(
    the_gift.LAW,
    kinds={**the_gift.LAW.kinds, **WALL_KINDS, **HERO_KINDS},
    stages={
        **the_gift.LAW.stages,
        ROLL: _with(ROLL, list_at_any_time, list_uses),
        TRADE: _with(TRADE, list_guards, list_at_any_time, list_uses),
        BUILD: _with(BUILD, list_guards, list_at_any_time, list_uses),
        **WALL_STAGES,
        **HERO_STAGES,
    },
    deck=pack((14, 2, 2, 2, 5)),
    rate=3,
    special=1,
    faces=(6, 6, 12),
    rounds=(SETTLE, SETTLE, POST),
    after_roll=(WILDLINGS, ASK),
    ends_at_once=False,
    placed=watching.placed,
    settled=watching.settled,
    fortified=watching.fortified,
    honoured=watching.honoured,
    held=watching.held,
    other_points=viewing.points_of_guards,
    lines=viewing.lines,
    look=viewing.look,
    told={**the_gift.LAW.told, **viewing.TOLD},
)

_ELSEWHERE: Final = frozenset(
    {setting.P2, setting.P6, setting.P7, setting.O6, setting.E1, dealing.S7, dealing.T1, working.C5}
)
"""Rules of the base game alone."""

GAME: Final = the_gift.Brotherhood(
    "Brotherhood of the Watch",
    Box(
        key="brotherhood",
        law=LAW,
        layout=lambda players: GIFT_OF_THREE if players == min(setting_up.PLAYERS) else GIFT,
        boards=(STANDARD, VARIABLE),
        starts=(FREE,),
        shifting=False,
        land_rule=laying.P1,
        number_rule=laying.P3,
        tormund=setting_up.in_camp,
        watch=post_the_watch,
    ),
    WATCH,
    (*[rule for rule in RULES if rule not in _ELSEWHERE], *WALL_RULES, *HERO_RULES),
)
EDITIONS: Final = (GAME,)
