"""Who is due at a table of Brotherhood of the Watch, and whether a ply may be played: both games, rule by rule.

The table waits for set-up, then for the matter at the head of its agenda, else for the player on turn and whoever
may answer an offer. Written from the rules alone; only the move classes are shared with the engine.
"""

from collections import Counter
from typing import Any

from engine.brotherhood import moves
from tests.oracle.brotherhood import brotherhood_building as building
from tests.oracle.brotherhood import brotherhood_dice as dice
from tests.oracle.brotherhood import brotherhood_heroes as heroes
from tests.oracle.brotherhood import brotherhood_north as north
from tests.oracle.brotherhood import brotherhood_trade as trade
from tests.oracle.brotherhood.brotherhood_table import RESOURCES

CHANCE = "*"
BY_CHANCE = {"dice": moves.Dice, "steal": moves.Steal, "draw": moves.Draw, "token": moves.Token, "look": moves.Look}
CARD_OF = {moves.Ranger: "ranger", moves.Winter: "winter", moves.Roads: "roads", moves.Recruits: "recruits"}


# -- Who is due


def to_act(table: Any) -> Any:
    """The seats that are due, as a set."""
    if table.over:
        return set()
    if table.to_place:
        return {table.to_place[0][0]}
    if table.agenda:
        return due(table, table.agenda[0])
    asked = {seat for one in table.offers if one["by"] == table.mover for seat in one["asked"]}
    return {table.mover} | asked


def due(table: Any, item: Any) -> Any:
    """Whom a matter on the agenda waits for."""
    if item[0] in BY_CHANCE:
        return {CHANCE}
    return set(item[1]) if item[0] == "discard" else {item[1]}


# -- What is allowed


def allows(table: Any, ply: Any) -> Any:
    """Whether a ply may be played now."""
    seat, move = ply
    if table.over or (seat not in table.seats and seat != CHANCE):
        return False
    if table.to_place:
        return allows_placing(table, seat, move)
    if table.agenda:
        item = table.agenda[0]
        return seat in due(table, item) and allows_due(table, item, seat, move)
    if seat == CHANCE:
        return False
    if isinstance(move, moves.Offer):
        give, take = trade.counted(move.give), trade.counted(move.take)
        return trade.may_offer(table, seat, give, take, move.to)
    if isinstance(move, moves.Accept):
        return trade.may_accept(table, seat, move.seat)
    if isinstance(move, moves.Decline):
        return trade.open_offer(table, move.seat, seat) is not None
    if isinstance(move, moves.Withdraw):
        return any(one["by"] == seat for one in table.offers)
    return seat == table.mover and allows_turn(table, seat, move)


def allows_placing(table: Any, seat: Any, move: Any) -> Any:
    """The piece that is due in set-up."""
    owner, what = table.to_place[0]
    kind = {"settlement": moves.Settlement, "road": moves.Road, "guard": moves.Guard}[what]
    if seat != owner or not isinstance(move, kind):
        return False
    return building.setup_fits(table, what, seat, place_of(table, move))


def place_of(table: Any, move: Any) -> Any:
    """The intersection, path or section that a move names."""
    if isinstance(move, moves.Road):
        return table.board.path(move.one, move.two)
    return move.section if isinstance(move, moves.Guard) else table.board.point(move.spot)


def allows_due(table: Any, item: Any, seat: Any, move: Any) -> Any:
    """What the matter at the head of the agenda waits for."""
    what = item[0]
    if what in BY_CHANCE and not isinstance(move, BY_CHANCE[what]):
        return False
    if what == "dice":
        wild = move.wild in range(1, 13) if table.watch else move.wild is None
        return move.white in range(1, 7) and move.red in range(1, 7) and wild
    if what == "steal":
        return table.hands[item[2]][move.resource] > 0
    if what == "draw":
        return table.deck[move.card] > 0
    if what == "look":
        return move.cards is not None and len(move.cards) == item[2] and not Counter(move.cards) - table.deck
    if what == "token":
        return north.may_be_revealed(table, item[1], (move.clan, move.kind))
    return allows_answer(table, item, seat, move)


def allows_answer(table: Any, item: Any, seat: Any, move: Any) -> Any:
    """What a player is asked outside the usual course of a turn."""
    what = item[0]
    if what == "discard":
        return isinstance(move, moves.Discard) and dice.may_discard(table, seat, trade.counted(move.cards), item[1])
    if what == "tormund":
        fits = isinstance(move, moves.Tormund)
        return fits and dice.tormund_may_move(table, seat, table.board.hex(move.hex), move.victim)
    if what == "tarly":
        return isinstance(move, moves.Pass) or (isinstance(move, moves.Tarly) and table.supply[move.resource] > 0)
    if what == "choose":
        return isinstance(move, moves.Choose) and move.card in item[2]
    if what == "take":
        return isinstance(move, moves.Take) and table.hands[item[2]][move.resource] > 0
    if isinstance(move, moves.Flip):
        return heroes.may_flip(table, seat)
    return isinstance(move, moves.Swap) and heroes.may_swap(table, seat, move.hero)


def allows_turn(table: Any, seat: Any, move: Any) -> Any:
    """What the player on turn may do of his own accord."""
    if type(move) in heroes.USES:
        return heroes.may_use(table, seat, move)
    if isinstance(move, moves.Ranger | moves.Winter | moves.Roads | moves.Recruits):
        return may_play_card(table, seat, move)
    if isinstance(move, moves.Roll):
        return not table.rolled
    if not table.rolled:
        return False
    if isinstance(move, moves.Trade):
        fits = trade.supply_trades(table, seat, trade.counted(move.give), trade.counted(move.take))
        return trade.trading(table) and fits
    if isinstance(move, moves.Settlement):
        return building.can_pay(table, seat, "settlement") and building.settlement_fits(
            table, seat, place_of(table, move)
        )
    if isinstance(move, moves.Road):
        return building.can_pay(table, seat, "road") and building.road_fits(table, seat, place_of(table, move))
    if isinstance(move, moves.Keep):
        return building.can_pay(table, seat, "keep") and building.keep_fits(table, seat, place_of(table, move))
    if isinstance(move, moves.Guard):
        return building.can_pay(table, seat, "guard") and building.guard_fits(table, seat, move.section)
    if isinstance(move, moves.Buy):
        return building.can_pay(table, seat, "card") and table.deck.total() > 0
    return isinstance(move, moves.End)


def may_play_card(table: Any, seat: Any, move: Any) -> Any:
    """One development card a turn, not bought in it."""
    kind = CARD_OF[type(move)]
    if table.card_played or not any(held == kind and bought < table.turn for held, bought in table.cards[seat]):
        return False
    if isinstance(move, moves.Winter):
        wanted = Counter([move.one, move.two])
        return set(wanted) <= set(RESOURCES) and not wanted - table.supply
    if isinstance(move, moves.Roads):
        return building.roads_fit(table, seat, roads_of(table, move))
    if isinstance(move, moves.Recruits):
        return building.guard_fits(table, seat, move.section)
    place = table.board.hex(move.hex)
    if move.quarry == moves.TORMUND:
        return dice.tormund_may_move(table, seat, place, move.victim)
    return table.watch and move.quarry == moves.WILDLING and place in table.gift and move.victim is None


def roads_of(table: Any, move: Any) -> Any:
    """The paths that Road Building names."""
    return [table.board.path(*ends) for ends in move.paths]
