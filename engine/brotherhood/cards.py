"""Development cards: bought unseen (BB-C1, BB-C10), played one a turn, and Largest Patrol (BB-C2 to BB-C11).

A deck has no order: chance says what a bought card is when its buyer looks at it. This module knows no wildlings.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

from engine.brotherhood.board import each, paths_touching
from engine.brotherhood.building import ROADS as ROAD_PIECES
from engine.brotherhood.building import judge_path, lay_road, missing, reach, road_places
from engine.brotherhood.hands import (
    CARD,
    CARD_PRICE,
    KIND,
    ONE,
    RANGER,
    ROADS,
    WINTER,
    at_most_two,
    count,
    covers,
    size,
    unpack,
)
from engine.brotherhood.longest_road import compare_roads
from engine.brotherhood.moves import DEVELOPMENTS, RESOURCES, TORMUND, Buy, Draw, Ranger, Roads, Winter
from engine.brotherhood.position import DRAW, NOBODY, PATROL
from engine.brotherhood.rules import building, production, turns
from engine.brotherhood.score import find_holder
from engine.brotherhood.seven import arrive, judge_arrival, list_arrivals, nth_card
from engine.brotherhood.table import WorkingPosition
from engine.chance import Dealer
from engine.game import CHANCE, Seat
from engine.verdict import Verdict

SMALLEST = 3
"""Rangers face up that bring Largest Patrol."""


def playable(table: WorkingPosition) -> int:
    """The development cards, as a hand, of which the player on turn may play one: not bought in this turn."""
    return 0 if table.played else table.cards[table.who] - table.bought


def judge_card(table: WorkingPosition, who: int, kind: int) -> Verdict | None:
    """None if a card of this kind may be played: held, not bought in this turn, the first in this turn."""
    facts = {"seat": table.ground.seats[who], "card": DEVELOPMENTS[kind]}
    held = count(table.cards[who], kind)
    if not held:  # BB-C4
        return Verdict(building.C4, "{seat} has no card {card}", facts)
    if table.played:  # BB-C2
        return Verdict(building.C2, "{seat} has played a development card in this turn already", facts)
    if held == count(table.bought, kind):  # BB-C3
        return Verdict(building.C3, "{seat} bought the card {card} only in this turn", facts)
    return None


def spend_card(table: WorkingPosition, who: int, kind: int) -> None:
    """The card leaves the hand; no other can be played in this turn."""
    table.cards[who] -= ONE[kind]
    table.played = True


# Ranger Patrol


def judge_ranger(table: WorkingPosition, who: int, move: Ranger) -> Verdict | None:
    """None if the Ranger may send Tormund there."""
    if move.quarry != TORMUND:  # BB-C5
        return Verdict(building.C5, "a Ranger can only move Tormund in this game")
    return judge_card(table, who, RANGER) or judge_arrival(table, who, move.hex, move.victim)


def play_ranger(table: WorkingPosition, who: int, move: Ranger) -> None:
    """Tormund moves and robs; then patrols are compared."""
    muster(table, who)
    arrive(table, move.hex, move.victim)


def muster(table: WorkingPosition, who: int) -> None:
    """Lay a Ranger down face up. Its effect comes first, then Largest Patrol (BB-C11)."""
    spend_card(table, who, RANGER)
    table.patrols[who] += 1
    table.add(PATROL)


def compare_patrols(table: WorkingPosition) -> None:
    """Give Largest Patrol to whom it belongs, in the same way as Longest Road."""
    holder = find_holder(table.patrols, table.largest, SMALLEST)
    if holder != table.largest:
        table.largest = holder
        if holder != NOBODY:
            table.law.honoured(table, holder)


# Winter is Coming


def judge_winter(table: WorkingPosition, who: int, move: Winter) -> Verdict | None:
    """None if the supply has both cards (BB-C6)."""
    verdict = judge_card(table, who, WINTER)
    if verdict is not None:
        return verdict
    facts = {"one": move.one, "two": move.two}
    if move.one not in KIND or move.two not in KIND:
        return Verdict(production.T2, "there are no such resources as {one} and {two}", facts)
    if not covers(table.supply, ONE[KIND[move.one]] + ONE[KIND[move.two]]):
        return Verdict(building.C6, "the supply does not have {one} and {two}", facts)
    return None


def play_winter(table: WorkingPosition, who: int, move: Winter) -> None:
    """Take two cards."""
    spend_card(table, who, WINTER)
    table.gain(who, ONE[KIND[move.one]] + ONE[KIND[move.two]])


# Road Building


def judge_roads(table: WorkingPosition, who: int, move: Roads) -> Verdict | None:
    """None if the paths can take roads one after the other, and there are as many as can be built (BB-C7)."""
    verdict = judge_card(table, who, ROADS)
    if verdict is not None:
        return verdict
    left = min(2, ROAD_PIECES - table.roads[who].bit_count())
    facts = {"seat": table.ground.seats[who], "left": left}
    if not 0 < len(move.paths) <= left:
        return Verdict(building.C7, "{seat} can place {left} roads with this card, not more and not none", facts)
    spots, paved, foreign = reach(table, who), table.paved, table.foreign(who)
    for pair in move.paths:
        verdict = judge_path(table, pair, spots, paved)
        if verdict is not None:
            return verdict
        path = table.chart.path_of[pair]
        spots |= table.chart.ends[path] & ~foreign
        paved |= 1 << path
    if len(move.paths) < left and paths_touching(table.chart, spots) & ~paved:
        return Verdict(building.C7, "{seat} must place a second road with this card", facts)
    return None


def play_roads(table: WorkingPosition, who: int, move: Roads) -> None:
    """Place the roads free of charge."""
    spend_card(table, who, ROADS)
    for pair in move.paths:
        lay_road(table, who, table.chart.path_of[pair])
    compare_roads(table)


# What can be played


def list_cards(table: WorkingPosition) -> list[tuple[Seat, Ranger | Winter | Roads]]:
    """Every way to play a development card."""
    found: list[tuple[Seat, Ranger | Winter | Roads]] = []
    cards = playable(table)
    if not cards:
        return found
    seat = table.on_turn
    if count(cards, RANGER):
        found += list_arrivals(table, _send_ranger)
    if count(cards, WINTER):
        found += [(seat, winter) for winter in _winters(at_most_two(table.supply))]
    if count(cards, ROADS):
        found += [(seat, Roads(paths)) for paths in _road_pairs(table)]
    return found


def _send_ranger(letter: str, victim: Seat | None) -> Ranger:
    """A Ranger that goes after Tormund."""
    return Ranger(TORMUND, letter, victim)


@cache
def _winters(supply: int) -> tuple[Winter, ...]:
    """Every pair of resources that a supply has."""
    pairs = combinations_with_replacement(RESOURCES, 2)
    return tuple(Winter(one, two) for one, two in pairs if covers(supply, ONE[KIND[one]] + ONE[KIND[two]]))


def _road_pairs(table: WorkingPosition) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way to place two roads, or one where there can be no second."""
    who, chart = table.who, table.chart
    left = ROAD_PIECES - table.roads[who].bit_count()
    places = road_places(table, who) if left else 0
    spots, foreign = reach(table, who), table.foreign(who)
    for path in each(places):
        reached = spots | chart.ends[path] & ~foreign
        further = paths_touching(chart, reached) & ~table.paved & ~(1 << path) if left > 1 else 0
        if not further:
            yield (chart.paths[path],)
        for second in each(further):
            yield chart.paths[path], chart.paths[second]


def judge_buy(table: WorkingPosition, who: int, _move: Buy) -> Verdict | None:
    """None if there is a card to buy and it can be paid."""
    if not table.deck:  # BB-C1
        return Verdict(building.C1, "no development card is left")
    return missing(table, who, CARD_PRICE, "a development card")


def play_buy(table: WorkingPosition, who: int, _move: Buy) -> None:
    """Pay; chance draws."""
    table.pay(who, CARD_PRICE)
    table.start_building()
    table.add(DRAW)


def judge_draw(table: WorkingPosition, _who: int, move: Draw) -> Verdict | None:
    """None if such a card is left (BB-C10)."""
    if move.card is None:  # BB-O7
        return Verdict(turns.O7, "this copy of the record does not tell which card was drawn")
    kind = CARD.get(move.card)
    if kind is not None and count(table.deck, kind):
        return None
    return Verdict(building.C10, "no {card} is left in the deck", {"card": move.card})


def play_draw(table: WorkingPosition, _who: int, move: Draw) -> None:
    """The buyer takes the card."""
    table.done()
    take_card(table, CARD[str(move.card)])


def take_card(table: WorkingPosition, kind: int) -> None:
    """A card of a kind goes from the deck to the player on turn, who cannot play it in this turn."""
    table.deck -= ONE[kind]
    table.bought += ONE[kind]
    table.cards[table.who] += ONE[kind]


def list_draws(table: WorkingPosition) -> list[tuple[Seat, Draw]]:
    """Every card that can be drawn."""
    return [(CHANCE, Draw(name)) for name, left in zip(DEVELOPMENTS, unpack(table.deck), strict=True) if left]


def deal_draw(table: WorkingPosition, dealer: Dealer) -> Draw:
    """Draw one of the cards left."""
    return Draw(DEVELOPMENTS[nth_card(table.deck, dealer.pick(size(table.deck), "development card"))])
