"""The full game: the Gift, the Wall before it, and the heroes of the Night's Watch.

Its law is that of the base game, with what `wall_law.py` and `hero_law.py` add to the tables. Rules of the base game
that do not hold here are left out.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, TypeAlias

from engine.brotherhood import base_game, setup, wall, wall_view
from engine.brotherhood.board import GIFT, GIFT_OF_THREE
from engine.brotherhood.hands import pack
from engine.brotherhood.hero_law import HERO_KINDS, HERO_STAGES, list_uses
from engine.brotherhood.hero_tarly import ASK
from engine.brotherhood.law import Stage
from engine.brotherhood.moves import WATCH
from engine.brotherhood.position import BUILD, ROLL, SETTLE, TRADE
from engine.brotherhood.rules import RULES, WALL_RULES, building, production, tokens, turns
from engine.brotherhood.rules.heroes import HERO_RULES
from engine.brotherhood.setup import FREE, VARIABLE, GameBox
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.wall import WILDLINGS
from engine.brotherhood.wall_guards import POST, list_guards
from engine.brotherhood.wall_law import WALL_KINDS, WALL_STAGES, list_at_any_time
from engine.brotherhood.wall_state import post_the_watch
from engine.game import Seat

STANDARD: Final = "standard"
"""The usual board."""

Listing: TypeAlias = Callable[[WorkingPosition], Iterable[tuple[Seat, object]]]


def _with(stage: str, *more: Listing) -> Stage:
    """A stage of the base game in which more can be chosen."""
    base = base_game.LAW.stages[stage]
    listings = more if base.choices is None else (base.choices, *more)

    def choices(table: WorkingPosition) -> list[tuple[Seat, object]]:
        found: list[tuple[Seat, object]] = []
        for listing in listings:
            found += listing(table)
        return found

    return base._replace(choices=choices)


LAW: Final = replace(
    base_game.LAW,
    module="full_game",
    kinds={**base_game.LAW.kinds, **WALL_KINDS, **HERO_KINDS},
    stages={
        **base_game.LAW.stages,
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
    placed=wall.placed,
    settled=wall.settled,
    fortified=wall.fortified,
    honoured=wall.honoured,
    held=wall.held,
    other_points=wall_view.points_of_guards,
    lines=wall_view.lines,
    look=wall_view.look,
    told={**base_game.LAW.told, **wall_view.TOLD},
)

_ELSEWHERE: Final = frozenset(
    {turns.P2, turns.P3, turns.P6, turns.P7, turns.P8, turns.O6, turns.E1, production.S7, production.T1, building.C5}
)
"""Rules of the base game alone."""

GAME: Final = base_game.Brotherhood(
    "Brotherhood of the Watch",
    GameBox(
        key="brotherhood",
        law=LAW,
        layout=lambda players: GIFT_OF_THREE if players == min(setup.PLAYERS) else GIFT,
        boards=(STANDARD, VARIABLE),
        starts=(FREE,),
        shifting=False,
        land_rule=tokens.P1,
        number_rule=tokens.P3,
        route_rule=tokens.P6,
        first_rule=tokens.P5,
        tormund=setup.in_camp,
        watch=post_the_watch,
    ),
    WATCH,
    (*[rule for rule in RULES if rule not in _ELSEWHERE], *WALL_RULES, *HERO_RULES),
)
EDITIONS: Final = (GAME,)
