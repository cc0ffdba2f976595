"""Trade with the supply: four, three or two cards of a kind for one (BB-T1, BB-T2)."""

from functools import cache, lru_cache
from typing import Final

from engine.brotherhood.hands import ONE, count, covers, enough, is_amount, kinds_in, pack, unpack
from engine.brotherhood.moves import RESOURCES, Cards, Trade
from engine.brotherhood.rules import production
from engine.brotherhood.table import Table
from engine.game import Seat
from engine.verdict import Verdict

OPEN_RATE = 3
OWN_RATE = 2
_BEST: Final = pack([OWN_RATE] * len(RESOURCES))
"""Less than this the supply never asks."""


def rate(table: Table, who: int, kind: int) -> int:
    """How many cards of a kind the supply asks of a player for one."""
    return count(_rates(table, who), kind)


def _rates(table: Table, who: int) -> int:
    """What the supply asks of a player for one card: as many cards of each kind."""
    ground = table.ground
    built = table.settlements[who] | table.keeps[who]
    return _asked(ground.harbours, ground.open_harbours, table.law.rate, built)


@lru_cache(maxsize=4096)
def _asked(harbours: tuple[int, ...], open_harbours: int, usual: int, built: int) -> int:
    """The same for a map and some buildings. They change slowly, so the same question comes often."""
    elsewhere = OPEN_RATE if built & open_harbours else usual
    return pack([OWN_RATE if built & spots else elsewhere for spots in harbours])


def judge_trade(table: Table, who: int, move: Trade) -> Verdict | None:
    """None if the rate is right, the cards are in hand and the supply can pay."""
    give, take = move.give, move.take
    if not is_amount(give) or not is_amount(take):  # BB-S2
        return Verdict(production.S2, "{seat} does not have these cards", {"seat": table.ground.seats[who]})
    given, wanted = sum(give), sum(take)
    if not given or max(give) != given or not wanted:  # BB-T1
        says = "one kind is given, and something taken for it"
        return Verdict(production.T1, says, {"seat": table.ground.seats[who]})
    kind = give.index(given)
    asked, rule = rate(table, who, kind), production.T1
    if take[kind]:  # BB-T1
        says = "{resource} is not traded for {resource}"
    elif given != asked * wanted:  # BB-T1
        says = "{seat} gives {rate} {resource} for each card taken: not {given} for {wanted}"
    elif not covers(table.hands[who], pack(give)):  # BB-S2
        rule, says = production.S2, "{seat} does not have {given} {resource}"
    elif not covers(table.supply, pack(take)):  # BB-T2
        rule, says = production.T2, "the supply does not have all that {seat} wants"
    else:
        return None
    facts = {"resource": RESOURCES[kind], "rate": asked, "given": given, "wanted": wanted}
    return Verdict(rule, says, {"seat": table.ground.seats[who], **facts})


def play_trade(table: Table, who: int, move: Trade) -> None:
    """Exchange cards with the supply."""
    change = pack(move.take) - pack(move.give)
    table.hands[who] += change
    table.supply -= change


def list_trades(table: Table) -> tuple[tuple[Seat, Trade], ...]:
    """Every trade for one card."""
    who = table.who
    hand = table.hands[who]
    if not enough(hand, _BEST):
        return ()
    rates = _rates(table, who)
    given = enough(hand, rates)
    return _trades(table.ground.seats[who], rates, given, kinds_in(table.supply)) if given else ()


@lru_cache(maxsize=4096)
def _trades(seat: Seat, rates: int, given: int, taken: int) -> tuple[tuple[Seat, Trade], ...]:
    """Every trade of a seat for one card, by what it asks, what can be given and what can be taken: made once."""
    kinds = range(len(RESOURCES))
    return tuple(
        (seat, _trade(kind, count(rates, kind), other))
        for kind in kinds
        for other in kinds
        if kind != other and count(given, kind) and count(taken, other)
    )


@cache
def _trade(kind: int, cards: int, other: int) -> Trade:
    """The move that gives some cards of a kind for one of another, made once."""
    return Trade(_some(kind, cards), _some(other, 1))


def _some(kind: int, cards: int) -> Cards:
    return unpack(cards * ONE[kind])
