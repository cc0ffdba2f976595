"""The plies that are legal, what chance brings, what silence stands for, and the lists for each stage of a turn.

The lists are asked for before almost every move, so what is listed is made once and cached by what it depends on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import TypeAlias

from engine.brotherhood.board import Chart, numbers
from engine.brotherhood.building import KEEPS, ROADS, SETTLEMENTS, road_places, settlement_places
from engine.brotherhood.cards import list_cards
from engine.brotherhood.hands import CARD_PRICE, KEEP_PRICE, ROAD_PRICE, SETTLEMENT_PRICE, covers
from engine.brotherhood.moves import Buy, End, Keep, Road, Roll, Settlement
from engine.brotherhood.position import BUILD, OVER, ROLL, TRADE, Position
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.trade import list_offers, list_trades, suggestion
from engine.chance import Dealer
from engine.game import CHANCE, Ply, Seat

Choices: TypeAlias = list[tuple[Seat, object]]


def legal(position: Position) -> Iterator[Ply]:
    """The plies of everybody who is due, and offers that others can take back.

    Of discards and offers only a few are listed, and trades with the supply one by one. What can be put in two ways
    that come to the same is listed once: Winter's resources and Mormont's seats in their usual order, an answer with
    the seat it answers, and Tormund without a victim where all his neighbours have empty hands.
    """
    if position.stage != OVER:
        yield from map(Ply._make, choices(WorkingPosition(position)))


def choices(table: WorkingPosition) -> Sequence[tuple[Seat, object]]:
    """The plies that `legal` lists, as pairs."""
    listing = table.law.stages[table.agenda[0] if table.agenda else table.stage].choices
    return () if listing is None else listing(table)


def deal(position: Position, dealer: Dealer) -> Ply:
    """Settle chance where it is due."""
    table = WorkingPosition(position)
    dealing = table.law.stages[table.now].deal
    if dealing is None:
        raise ValueError("chance is not due")
    return Ply(CHANCE, dealing(table, dealer))


def liberties(position: Position) -> Iterator[Ply]:
    """Offers to one player by name: of the player on turn, and of others to that player."""
    table = WorkingPosition(position)
    if table.agenda or table.stage not in (TRADE, BUILD) or (table.stage == BUILD and not table.ground.free):
        return
    for who, seat in enumerate(table.ground.seats):
        offer = suggestion(table.hands[who]) if table.offers[who] is None else None
        others = [other for other in table.ground.seats if other != seat] if who == table.who else [table.on_turn]
        if offer is not None:
            yield from (Ply(seat, replace(offer, to=other)) for other in others)


def by_default(position: Position, seat: Seat) -> object:
    """The move that silence stands for, or None."""
    place = position.ground.place.get(seat)
    if position.stage == OVER or place is None:
        return None
    table = WorkingPosition(position)
    silence = table.law.stages[table.now].silence
    return None if silence is None or seat not in table.due() else silence(table, place)


def forced(position: Position, seat: Seat) -> object:
    """The roll, for a player who holds no development card at all and no hero that can act before the roll.

    How many cards somebody holds, and the heroes, are for all to see; which cards they are is not, so any card will do
    to wait. What hands decide, such as what can be built, is forced for nobody.
    """
    place = position.ground.place.get(seat)
    if position.stage != ROLL or position.agenda or place != position.who or position.cards[position.who]:
        return None
    found = [move for owner, move in choices(WorkingPosition(position)) if owner == seat]
    return found[0] if len(found) == 1 else None


def list_settlements(table: WorkingPosition) -> Choices:
    """Set-up: every intersection that the distance rule leaves open."""
    return [*_pieces(Settlement, table.on_turn, table.chart.spots & ~table.closed)]


def list_first_roads(table: WorkingPosition) -> Choices:
    """Set-up: the paths at the settlement just placed."""
    return [*_roads(table.chart, table.on_turn, table.chart.paths_at[table.fresh] & ~table.paved)]


def list_before_roll(table: WorkingPosition) -> Choices:
    """The roll, or a development card."""
    return [_step(Roll, table.on_turn), *list_cards(table)]


def list_trading(table: WorkingPosition) -> Choices:
    """Trade, and all that building offers."""
    found = list_building(table)
    found += list_trades(table)
    found += list_offers(table)
    return found


def list_building(table: WorkingPosition) -> Choices:
    """The end of the turn, pieces that can be paid, and development cards."""
    who = table.who
    seat = table.ground.seats[who]
    found: Choices = [_step(End, seat)]
    road, settlement, keep, card = affordable(table.hands[who])
    if road and table.roads[who].bit_count() < ROADS:
        found += _roads(table.chart, seat, road_places(table, who))
    if settlement and table.settlements[who].bit_count() < SETTLEMENTS:
        found += _pieces(Settlement, seat, settlement_places(table, who))
    if keep and table.keeps[who].bit_count() < KEEPS:
        found += _pieces(Keep, seat, table.settlements[who])
    if card and table.deck:
        found.append(_step(Buy, seat))
    found += list_cards(table)
    return found


@lru_cache(maxsize=16384)
def affordable(hand: int) -> tuple[bool, bool, bool, bool]:
    """Whether a hand can pay a road, a settlement, a keep, a development card."""
    return covers(hand, ROAD_PRICE), covers(hand, SETTLEMENT_PRICE), covers(hand, KEEP_PRICE), covers(hand, CARD_PRICE)


@cache
def _step(kind: type, seat: Seat) -> tuple[Seat, object]:
    """A move that needs no words."""
    return seat, kind()


@lru_cache(maxsize=4096)
def _pieces(kind: type, seat: Seat, spots: int) -> tuple[tuple[Seat, object], ...]:
    """A piece on each of some intersections."""
    everywhere = _anywhere(kind, seat)
    return tuple([everywhere[spot] for spot in numbers(spots)])


@cache
def _anywhere(kind: type, seat: Seat) -> tuple[tuple[Seat, object], ...]:
    """A piece on each intersection that any map has."""
    return tuple((seat, kind(spot)) for spot in range(64))


@lru_cache(maxsize=4096)
def _roads(board: Chart, seat: Seat, paths: int) -> tuple[tuple[Seat, Road], ...]:
    """A road on each of some paths."""
    everywhere = _any_path(board, seat)
    return tuple([everywhere[path] for path in numbers(paths)])


@cache
def _any_path(board: Chart, seat: Seat) -> tuple[tuple[Seat, Road], ...]:
    """A road on each path of a map."""
    return tuple((seat, Road(*path)) for path in board.paths)
