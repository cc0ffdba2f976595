"""The base game: settling the Gift, without Wall and wildlings.

`LAW` lists its moves and stages; `GAME` joins the modules of this package to the contract. The full game is in
`full_game.py`.
"""

from typing import Final

from engine.brotherhood import (
    apply,
    building,
    cards,
    judge,
    legal,
    pose,
    production,
    remedies,
    score,
    setup,
    seven,
    standing_orders,
    trade,
    view,
)
from engine.brotherhood.board import BASE
from engine.brotherhood.hands import pack
from engine.brotherhood.law import BY_CHANCE, OTHERS, Law, MoveKind, Stage
from engine.brotherhood.moves import (
    PLAY,
    Accept,
    Buy,
    Decline,
    Dice,
    Discard,
    Draw,
    End,
    Keep,
    Mance,
    Mormont,
    Offer,
    Ranger,
    Road,
    Roads,
    Roll,
    Settlement,
    Steal,
    Tormund,
    Trade,
    Winter,
    Withdraw,
)
from engine.brotherhood.position import (
    BUILD,
    DICE,
    DISCARD,
    DRAW,
    PATROL,
    PAVE,
    ROLL,
    SETTLE,
    STEAL,
    TORMUND,
    TRADE,
    Position,
)
from engine.brotherhood.rules import RULES, turns
from engine.brotherhood.rules import building as building_rules
from engine.brotherhood.rules import production as production_rules
from engine.brotherhood.setup import BEGINNER, FREE, VARIABLE, GameBox, lay_out, start
from engine.brotherhood.table import WorkingPosition
from engine.chance import Dealer
from engine.game import CHANCE, Game, Option, Ply, Seat, Setup
from engine.verdict import Rule, Verdict

ANY_TIME: Final = frozenset({ROLL, TRADE, BUILD})
TRADING: Final = frozenset({TRADE})
BUILDING: Final = frozenset({TRADE, BUILD})

NO_DISCARD: Final = (
    production_rules.S1,
    "nobody has to discard now: that is after a seven, with more than seven cards in hand",
)
NO_SEVEN: Final = (
    production_rules.S6,
    "Tormund stays where he is: he moves after a seven, or when a Ranger is played",
)


def chance_is_due(_table: WorkingPosition) -> tuple[Seat, ...]:
    """No seat goes on before chance has settled something."""
    return (CHANCE,)


def _nothing(_table: WorkingPosition, _who: int) -> None:
    """What the Watch adds here, the base game does without."""


LAW: Final = Law(
    module="base_game",
    kinds={
        Settlement: MoveKind(frozenset({SETTLE, *BUILDING}), building.judge_settlement, building.play_settlement),
        Road: MoveKind(frozenset({PAVE, *BUILDING}), building.judge_road, building.play_road),
        Keep: MoveKind(BUILDING, building.judge_keep, building.play_keep),
        Buy: MoveKind(BUILDING, cards.judge_buy, cards.play_buy),
        Draw: MoveKind(frozenset({DRAW}), cards.judge_draw, cards.play_draw, BY_CHANCE),
        Roll: MoveKind(frozenset({ROLL}), production.judge_roll, production.play_roll),
        Dice: MoveKind(frozenset({DICE}), production.judge_dice, production.play_dice, BY_CHANCE),
        Discard: MoveKind(frozenset({DISCARD}), seven.judge_discard, seven.play_discard, OTHERS, NO_DISCARD),
        Tormund: MoveKind(frozenset({TORMUND}), seven.judge_tormund, seven.play_tormund, missed=NO_SEVEN),
        Steal: MoveKind(frozenset({STEAL}), seven.judge_steal, seven.play_steal, BY_CHANCE),
        Trade: MoveKind(TRADING, trade.judge_trade, trade.play_trade),
        Offer: MoveKind(TRADING, trade.judge_offer, trade.play_offer, OTHERS),
        Accept: MoveKind(TRADING, trade.judge_answer, trade.play_accept, OTHERS),
        Decline: MoveKind(TRADING, trade.judge_answer, trade.play_decline, OTHERS),
        Withdraw: MoveKind(TRADING, trade.judge_withdraw, trade.play_withdraw, OTHERS),
        Ranger: MoveKind(ANY_TIME, cards.judge_ranger, cards.play_ranger),
        Winter: MoveKind(ANY_TIME, cards.judge_winter, cards.play_winter),
        Roads: MoveKind(ANY_TIME, cards.judge_roads, cards.play_roads),
        End: MoveKind(BUILDING, judge.judge_end, apply.play_end),
    },
    stages={
        SETTLE: Stage(turns.P4, "{seat} places a settlement now", choices=legal.list_settlements),
        PAVE: Stage(turns.P4, "{seat} places a road now", choices=legal.list_first_roads),
        ROLL: Stage(turns.O1, "{seat} must roll first", choices=legal.list_before_roll),
        TRADE: Stage(
            turns.O1,
            "{seat} has rolled and settled all of it: it is time to trade and build",
            due=trade.traders,
            choices=legal.list_trading,
            silence=trade.default_answer,
        ),
        BUILD: Stage(turns.O2, "{seat} has begun to build: trading is over", choices=legal.list_building),
        DICE: Stage(turns.O5, "the dice come first", chance_is_due, production.list_dice, production.deal_dice),
        DISCARD: Stage(
            production_rules.S6,
            "a seven was rolled: those with more than seven cards discard first",
            due=seven.discarders,
            choices=seven.list_discards,
            silence=seven.default_discard,
        ),
        TORMUND: Stage(
            production_rules.S6, "a seven was rolled: {seat} must move Tormund first", choices=seven.list_tormund
        ),
        STEAL: Stage(turns.O5, "the theft comes first", chance_is_due, seven.list_steals, seven.deal_steal),
        DRAW: Stage(turns.O5, "the bought card comes first", chance_is_due, cards.list_draws, cards.deal_draw),
        PATROL: Stage(building_rules.C11, "patrols are compared first", effect=cards.compare_patrols),
    },
    deck=pack((14, 2, 2, 0, 5)),
    rate=4,
    special=2,
    faces=(6, 6),
    rounds=(SETTLE, SETTLE),
    ends_at_once=True,
    placed=_nothing,
    settled=_nothing,
    fortified=_nothing,
    honoured=_nothing,
    held=lambda _table: 0,
    other_points=lambda _table, _who: 0,
    lines=lambda _position, _who: [],
    look=lambda _position, _viewer: None,
    told={Steal: view.tell_steal, Draw: view.tell_draw},
)


class Brotherhood(Game[Position]):
    """A game of this box as the contract wants it; every function is in the module of the same name."""

    edition: str = "1"
    seats: tuple[Seat, ...] = setup.SEATS
    players: range = setup.PLAYERS

    def __init__(self, title: str, box: GameBox, moves: tuple[type, ...], rules: tuple[Rule, ...]) -> None:
        self.key: str = box.key
        self.title: str = title
        self.options: tuple[Option, ...] = box.options
        self.moves: tuple[type, ...] = moves
        self.rules: tuple[Rule, ...] = rules
        self._box = box

    run = apply.BrotherhoodRun
    deal = staticmethod(legal.deal)
    liberties = staticmethod(legal.liberties)
    pose = staticmethod(pose.pose)
    next_turn = staticmethod(remedies.next_turn)
    remedies = staticmethod(remedies.remedies)
    by_default = staticmethod(legal.by_default)
    forced = staticmethod(legal.forced)
    roll: object = Roll()
    by_standing_order = staticmethod(standing_orders.by_standing_order)
    told = staticmethod(view.told)
    public_parts = staticmethod(view.public_parts)
    prospect = staticmethod(score.prospect)
    traits = staticmethod(score.traits)
    # From its line on, a module's name means the function; what else is taken from the module comes before it.
    legal = staticmethod(legal.legal)
    judge = staticmethod(judge.judge)
    apply = staticmethod(apply.apply)
    score = staticmethod(score.score)
    view = staticmethod(view.view)

    def lay_out(self, setup: Setup, dealer: Dealer) -> Setup:
        """Complete a new game's set-up."""
        return lay_out(self._box, setup, dealer)

    def start(self, setup: Setup) -> Position | Verdict:
        """The first position, or the rule that the set-up breaks."""
        return start(self._box, setup)

    def to_act(self, position: Position) -> tuple[Seat, ...]:
        """The seats that may or must move now."""
        return WorkingPosition(position).due()

    def discloses(self, position: Position, ply: Ply) -> bool:
        """What others hold shows when it is asked for, and when the game is over."""
        return isinstance(ply.move, (Accept, Mance, Mormont)) or not self.to_act(apply.apply(position, ply))

    def turn(self, position: Position) -> int:
        """The number of the turn being played."""
        return position.turn


GAME: Final = Brotherhood(
    "Brotherhood of the Watch: base game",
    GameBox(
        key="brotherhood-base",
        law=LAW,
        layout=lambda _players: BASE,
        boards=(BEGINNER, VARIABLE),
        starts=(BEGINNER, FREE),
        shifting=True,
        land_rule=turns.P2,
        number_rule=turns.P7,
        route_rule=turns.P3,
        first_rule=turns.P8,
        tormund=setup.on_ice,
        watch=lambda _players, _first: None,
    ),
    PLAY,
    RULES,
)
EDITIONS: Final = (GAME,)
