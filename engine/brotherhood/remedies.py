"""Small changes that might make a refused move legal: another moment, a card or two more, a piece more or less.

Only the mover's own cards and
what lies open play a part. Pieces on the board are in `remedies_of_pieces`.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Final, TypeVar

from engine.brotherhood.hands import ONE, RANGER, RECRUITS, ROADS, WINTER, unpack
from engine.brotherhood.hero_roster import HERO_AT, Holding
from engine.brotherhood.judge import judge_plainly
from engine.brotherhood.law import ON_TURN
from engine.brotherhood.moves import (
    DEVELOPMENTS,
    HEROES,
    RESOURCES,
    Accept,
    Buy,
    Discard,
    Guard,
    Keep,
    Marsh,
    Melisandre,
    Mormont,
    Offer,
    Ranger,
    Recruits,
    Road,
    Roads,
    Roll,
    Settlement,
    Tarly,
    Thorne,
    Trade,
    Winter,
    Yoren,
)
from engine.brotherhood.position import BUILD, OVER, ROLL, TRADE, Position
from engine.brotherhood.remedies_of_pieces import pieces
from engine.brotherhood.table import WorkingPosition
from engine.game import Ply, Seat
from engine.verdict import TURN, Proposal, Remedy

_PAID: Final = (Road, Settlement, Keep, Guard, Buy, Trade, Offer, Accept, Discard, Marsh, Mormont, Thorne, Melisandre)
"""Moves that need cards in hand."""
_TAKEN: Final = (Trade, Winter, Marsh, Tarly)
"""Moves that take cards from the supply."""
_CARDS: Final = {Ranger: RANGER, Winter: WINTER, Roads: ROADS, Recruits: RECRUITS}
"""The development card that a move plays."""

T = TypeVar("T")


def remedies(position: Position, ply: Ply) -> Iterator[Proposal]:
    """Changes for a refused ply, the smallest first, each with the position as it would be then.

    Those that do not help are left out already, for `judge` takes long over what it refuses.
    """
    for proposal in _changes(position, ply):
        if judge_plainly(WorkingPosition(proposal.position), *ply) is None:
            yield proposal


def _changes(position: Position, ply: Ply) -> Iterator[Proposal]:
    seat, move = ply
    who, kind = position.ground.place.get(seat), position.ground.law.kinds.get(type(move))
    if who is None or kind is None or position.stage == OVER:
        return
    if kind.by == ON_TURN and who != position.who:
        yield Proposal(Remedy("order", TURN, {"seat": seat}), _in_turn_of(position, who))
        return
    if position.turn > position.ground.placements:
        yield from _moments(position, seat, who)
        yield from _goods(position, who, move)
        yield from _company(position, who, move)
    yield from pieces(position, seat, who, move)


def _in_turn_of(position: Position, who: int) -> Position:
    """The same table in the turn of another player, who has rolled."""
    if position.turn <= position.ground.placements:
        return position._replace(who=who)
    return _rested(position._replace(who=who, stage=TRADE, agenda=()), who)


def next_turn(position: Position, ply: Ply) -> Position | None:
    """The table in the turn of another player, who has rolled, unless that is what the ply does."""
    who = position.ground.place.get(ply.seat)
    if who is None or position.stage == OVER:
        return None
    turned = _in_turn_of(position, who)._replace(agenda=(), owing=(0,) * len(position.owing))
    if position.turn <= position.ground.placements:
        rounds = position.ground.law.rounds
        return turned._replace(stage=rounds[(position.turn - 1) // len(position.ground.seats)], fresh=0)
    return turned._replace(stage=ROLL) if isinstance(ply.move, Roll) else turned


def _moments(position: Position, seat: Seat, who: int) -> Iterator[Proposal]:
    """Other moments of the turn, and the next turn."""
    settled = position._replace(agenda=(), owing=(0,) * len(position.owing))
    if position.agenda:
        yield Proposal(Remedy("order", "it would be legal once this is settled"), settled)
    if position.stage == ROLL:
        yield Proposal(Remedy("order", "it would be legal after the roll"), settled._replace(stage=TRADE))
    if position.stage == BUILD:
        says = "it would have been legal before {seat} began to build"
        yield Proposal(Remedy("order", says, {"seat": seat}), position._replace(stage=TRADE))
    if who == position.who:
        says = "it would be legal in {seat}'s next turn"
        yield Proposal(Remedy("order", says, {"seat": seat}), _rested(position, who))


def _rested(position: Position, who: int) -> Position:
    """The table as if no development card was bought or played, and no hero taken or used, in this turn."""
    watch = position.watch
    if watch is not None:
        holdings = watch.company.holdings
        rested = watch.company._replace(spent=0, holdings=_with(holdings, who, holdings[who]._replace(taken=0)))
        watch = watch._replace(company=rested)
    return position._replace(played=False, bought=0, watch=watch)


def _goods(position: Position, who: int, move: object) -> Iterator[Proposal]:
    """One or two cards more in hand or in the supply, or a development card."""
    if isinstance(move, _PAID):
        for cards in _FEW:
            more = _with(position.hands, who, position.hands[who] + cards)
            remedy = Remedy("stock", "it would be legal with {wanting} more", {"wanting": _count(cards)})
            yield Proposal(remedy, position._replace(hands=more))
    if isinstance(move, _TAKEN):
        for cards in _FEW:
            says = "it would be legal with {wanting} more in the supply"
            remedy = Remedy("stock", says, {"wanting": _count(cards)})
            yield Proposal(remedy, position._replace(supply=position.supply + cards))
    card = _CARDS.get(type(move))
    if card is not None:
        held = _with(position.cards, who, position.cards[who] + ONE[card])
        remedy = Remedy("stock", "it would be legal with one more card {card}", {"card": DEVELOPMENTS[card]})
        yield Proposal(remedy, position._replace(cards=held))


_FEW: Final = (*ONE, *(sum(pair) for pair in combinations_with_replacement(ONE, 2)))
"""One card, and two cards, as hands."""


def _count(cards: int) -> str:
    """Cards in words: ``1 wool, 1 ore``."""
    return ", ".join(f"{count} {name}" for name, count in zip(RESOURCES, unpack(cards), strict=True) if count)


def _company(position: Position, who: int, move: object) -> Iterator[Proposal]:
    """The hero that a move uses, and a Ranger Patrol to give up."""
    watch, hero = position.watch, HERO_AT.get(type(move).__name__.lower())
    if watch is None or hero is None:
        return
    holdings, other = watch.company.holdings, watch.company.holder(hero)
    if other != who:
        traded = holdings if other is None else _with(holdings, other, holdings[who])
        company = watch.company._replace(holdings=_with(traded, who, Holding(hero)))
        remedy = Remedy("piece", "it would be legal with {hero}", {"hero": HEROES[hero].capitalize()})
        yield Proposal(remedy, position._replace(watch=watch._replace(company=company)))
    if isinstance(move, Yoren):
        patrols = _with(position.patrols, who, position.patrols[who] + 1)
        remedy = Remedy("stock", "it would be legal with a Ranger Patrol face up")
        yield Proposal(remedy, position._replace(patrols=patrols))


def _with(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """A tuple with another value at one place."""
    return (*values[:at], value, *values[at + 1 :])
