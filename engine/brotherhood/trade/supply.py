"""Trade with the supply: four, three or two cards of a kind for one (BB-T1, BB-T2)."""

from functools import cache, lru_cache

from engine.brotherhood.hands import ONE, count, covers, is_amount, pack, unpack
from engine.brotherhood.moves import RESOURCES, Cards, Trade
from engine.brotherhood.rules import dealing
from engine.brotherhood.table import Table
from engine.game import Seat
from engine.verdict import Verdict

OPEN_RATE = 3
OWN_RATE = 2


def rate(table: Table, who: int, kind: int) -> int:
    """How many cards of a kind the supply asks of a player for one."""
    built = table.settlements[who] | table.keeps[who]
    if built & table.ground.harbours[kind]:
        return OWN_RATE
    return OPEN_RATE if built & table.ground.open_harbours else table.law.rate


def judge_trade(table: Table, who: int, move: Trade) -> Verdict | None:
    """None if the rate is right, the cards are in hand and the supply can pay."""
    facts: dict[str, object] = {"seat": table.ground.seats[who]}
    if not is_amount(move.give) or not is_amount(move.take):  # BB-S2
        return Verdict(dealing.S2, "{seat} does not have these cards", facts)
    kinds = [kind for kind, cards in enumerate(move.give) if cards]
    wanted = sum(move.take)
    if len(kinds) != 1 or not wanted:  # BB-T1
        return Verdict(dealing.T1, "one kind is given, and something taken for it", facts)
    (kind,) = kinds
    asked = rate(table, who, kind)
    facts |= {"resource": RESOURCES[kind], "rate": asked, "given": move.give[kind], "wanted": wanted}
    if move.take[kind]:  # BB-T1
        return Verdict(dealing.T1, "{resource} is not traded for {resource}", facts)
    if move.give[kind] != asked * wanted:  # BB-T1
        return Verdict(
            dealing.T1, "{seat} gives {rate} {resource} for each card taken: not {given} for {wanted}", facts
        )
    if not covers(table.hands[who], pack(move.give)):  # BB-S2
        return Verdict(dealing.S2, "{seat} does not have {given} {resource}", facts)
    if not covers(table.supply, pack(move.take)):  # BB-T2
        return Verdict(dealing.T2, "the supply does not have all that {seat} wants", facts)
    return None


def play_trade(table: Table, who: int, move: Trade) -> None:
    """Exchange cards with the supply."""
    change = pack(move.take) - pack(move.give)
    table.hands[who] += change
    table.supply -= change


def list_trades(table: Table) -> list[tuple[Seat, Trade]]:
    """Every trade for one card."""
    who, supply, found = table.who, table.supply, list[tuple[Seat, Trade]]()
    for kind, held in plenty(table.hands[who]):
        asked = rate(table, who, kind)
        if held >= asked:
            seat = table.on_turn
            found += [(seat, move) for other, move in enumerate(trades(kind, asked)) if move and count(supply, other)]
    return found


@lru_cache(maxsize=16384)
def plenty(hand: int) -> tuple[tuple[int, int], ...]:
    """The kinds of which a hand has enough for the best rate there is, with their counts."""
    return tuple((kind, held) for kind, held in enumerate(unpack(hand)) if held >= OWN_RATE)


@cache
def trades(kind: int, cards: int) -> tuple[Trade | None, ...]:
    """The moves that give some cards of a kind, by what they take for them."""
    return tuple(None if other == kind else trade(kind, cards, other) for other in range(len(RESOURCES)))


@cache
def trade(kind: int, cards: int, other: int) -> Trade:
    """The move that gives some cards of a kind for one of another, made once."""
    return Trade(_some(kind, cards), _some(other, 1))


def _some(kind: int, cards: int) -> Cards:
    return unpack(cards * ONE[kind])
