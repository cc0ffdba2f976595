"""Standing orders: what a player wants done whenever the moment for it comes, without being asked.

They are not moves: nothing here changes a position, and the move that an order asks for is judged like any other. An
order looks only at what its owner may know. Where it cannot be followed, its owner is asked as usual.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from engine.brotherhood.hands import covers, pack, unpack
from engine.brotherhood.hero_tarly import REACT
from engine.brotherhood.judge import judge
from engine.brotherhood.moves import RESOURCES, Accept, Cards, Decline, Discard, Pass, Roll, Tarly
from engine.brotherhood.position import DISCARD, ROLL, Position, TradeOffer
from engine.brotherhood.seven import level_discard
from engine.brotherhood.table import WorkingPosition
from engine.game import Ply, Seat


@dataclass(frozen=True, slots=True)
class AcceptOffers:
    """Accept any offer that gives at least `get` for at most `give`: ``accept 1 grain for 1 brick``."""

    get: Cards
    give: Cards
    several: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class NoTrades:
    """Decline every offer that no other order accepts: ``no trades``."""


@dataclass(frozen=True, slots=True)
class AutoRoll:
    """Roll as soon as the own turn begins: ``auto-roll``."""


@dataclass(frozen=True, slots=True)
class DiscardFirst:
    """On a seven give cards away in this order, and then of what is most plentiful: ``discard ore wool``."""

    resources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TarlyTakes:
    """Let Tarly bring this whenever a roll gives nothing: ``tarly ore``."""

    resource: str


@dataclass(frozen=True, slots=True)
class TarlyRests:
    """Never use Tarly: ``pass``."""


def by_standing_order(position: Position, seat: Seat, orders: Sequence[Any]) -> Any:
    """The move that standing orders ask of a seat now, if any; those that accept come before those that decline."""
    table = WorkingPosition(position)
    who = position.ground.place.get(seat)
    if who is None or seat not in table.due():
        return None
    for kind, bid in _BIDDING.items():
        for order in orders:
            if type(order) is not kind:
                continue
            for move in bid(table, who, order):
                if judge(position, Ply(seat, move)) is None:
                    return move
    return None


def _accept(table: WorkingPosition, who: int, order: AcceptOffers) -> Iterator[Accept]:
    for maker, bid in _offers_to(table, who):
        if covers(bid.give, pack(order.get)) and covers(pack(order.give), bid.take):
            yield Accept(maker)


def _decline(table: WorkingPosition, who: int, _order: NoTrades) -> Iterator[Decline]:
    for maker, _ in _offers_to(table, who):
        yield Decline(maker)


def _offers_to(table: WorkingPosition, who: int) -> Iterator[tuple[Seat, TradeOffer]]:
    for seat, bid in zip(table.ground.seats, table.offers, strict=True):
        if bid is not None and bid.to >> who & 1:
            yield seat, bid


def _roll(table: WorkingPosition, who: int, _order: AutoRoll) -> Iterator[Roll]:
    if table.now == ROLL and who == table.who:
        yield Roll()


def _discard(table: WorkingPosition, who: int, order: DiscardFirst) -> Iterator[Discard]:
    owed = table.owing[who]
    if table.now != DISCARD or not owed:
        return
    left = list(unpack(table.hands[who]))
    given = [0] * len(RESOURCES)
    for name in order.resources:
        kind = RESOURCES.index(name)
        given[kind] = min(left[kind], owed - sum(given))
        left[kind] -= given[kind]
    lumber, brick, wool, grain, ore = left
    others = level_discard((lumber, brick, wool, grain, ore), owed - sum(given))
    lumber, brick, wool, grain, ore = map(sum, zip(given, others, strict=True))
    yield Discard((lumber, brick, wool, grain, ore))


def _react(table: WorkingPosition, _who: int, order: TarlyTakes) -> Iterator[Tarly]:
    if table.now == REACT:
        yield Tarly(order.resource)


def _pass(table: WorkingPosition, _who: int, _order: TarlyRests) -> Iterator[Pass]:
    if table.now == REACT:
        yield Pass()


_BIDDING: Final[Mapping[type, Callable[[WorkingPosition, int, Any], Iterator[Any]]]] = {
    AcceptOffers: _accept,
    NoTrades: _decline,
    AutoRoll: _roll,
    DiscardFirst: _discard,
    TarlyTakes: _react,
    TarlyRests: _pass,
}
"""What each kind of order asks for at a table; the order of kinds decides between them."""
