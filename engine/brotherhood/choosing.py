"""What can be chosen in each stage of a turn: the lists behind `legal` and behind what a refusal offers instead."""

from functools import lru_cache
from typing import Any, TypeAlias

from engine.brotherhood.board.geometry import numbers
from engine.brotherhood.building.places import (
    KEEP,
    KEEPS,
    ROADS,
    SETTLEMENT,
    SETTLEMENTS,
    road_moves,
    road_places,
    settlement_places,
)
from engine.brotherhood.cards.playing import list_cards
from engine.brotherhood.hands import CARD_PRICE, KEEP_PRICE, ROAD_PRICE, SETTLEMENT_PRICE, covers
from engine.brotherhood.moves import Buy, End, Roll
from engine.brotherhood.table import Table
from engine.brotherhood.trade.offers import list_offers
from engine.brotherhood.trade.supply import list_trades
from engine.game import Seat

_ROLL, _END, _BUY = Roll(), End(), Buy()

Choices: TypeAlias = list[tuple[Seat, Any]]


def list_settlements(table: Table) -> Choices:
    """Set-up: every intersection that the distance rule leaves open."""
    seat = table.on_turn
    return [(seat, SETTLEMENT[spot]) for spot in numbers(table.chart.spots & ~table.closed)]


def list_first_roads(table: Table) -> Choices:
    """Set-up: the paths at the settlement just placed."""
    seat, moves = table.on_turn, road_moves(table.chart)
    return [(seat, moves[path]) for path in numbers(table.chart.paths_at[table.fresh] & ~table.paved)]


def list_before_roll(table: Table) -> Choices:
    """The roll, or a development card."""
    return [(table.on_turn, _ROLL), *list_cards(table)]


def list_trading(table: Table) -> Choices:
    """Trade, and all that building offers."""
    return [*list_building(table), *list_trades(table), *list_offers(table)]


def list_building(table: Table) -> Choices:
    """The end of the turn, pieces that can be paid, and development cards."""
    who = table.who
    seat = table.ground.seats[who]
    found: Choices = [(seat, _END)]
    road, settlement, keep, card = affordable(table.hands[who])
    if road and table.roads[who].bit_count() < ROADS:
        moves = road_moves(table.chart)
        found += [(seat, moves[path]) for path in numbers(road_places(table, who))]
    if settlement and table.settlements[who].bit_count() < SETTLEMENTS:
        found += [(seat, SETTLEMENT[spot]) for spot in numbers(settlement_places(table, who))]
    if keep and table.keeps[who].bit_count() < KEEPS:
        found += [(seat, KEEP[spot]) for spot in numbers(table.settlements[who])]
    if card and table.deck:
        found.append((seat, _BUY))
    if table.cards[who] != table.bought and not table.played:
        found += list_cards(table)
    return found


@lru_cache(maxsize=16384)
def affordable(hand: int) -> tuple[bool, bool, bool, bool]:
    """Whether a hand can pay a road, a settlement, a keep, a development card."""
    return covers(hand, ROAD_PRICE), covers(hand, SETTLEMENT_PRICE), covers(hand, KEEP_PRICE), covers(hand, CARD_PRICE)
