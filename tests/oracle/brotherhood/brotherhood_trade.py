"""Trade with the supply and among players: 4.11 and 4.14.15 of the digest.

An offer lies open from when it is made until it is accepted, taken back, declined by all it went to, or until trading
ends. Each seat has at most one.
"""

from collections import Counter
from typing import Any

from tests.oracle.brotherhood.brotherhood_table import RESOURCES, holds, move_cards


def counted(cards: Any) -> Any:
    """Five amounts as a Counter, or None when they are no amounts."""
    if len(cards) != len(RESOURCES) or any(type(count) is not int or count < 0 for count in cards):
        return None
    return Counter({kind: count for kind, count in zip(RESOURCES, cards, strict=True) if count})


def trading(table: Any) -> Any:
    """Whether the player on turn may trade now."""
    return table.rolled and (table.free_phases or not table.building)


def rate(table: Any, seat: Any, kind: Any) -> Any:
    """How many cards of a kind the supply wants for one."""
    own = [point for point, (owner, _) in table.buildings.items() if owner == seat]
    rates = [3 if table.watch else 4]
    rates += [3 for point in own if point in table.board.three_to_one]
    rates += [2 for point in own if table.board.two_to_one.get(point) == kind]
    return min(rates)


def supply_trades(table: Any, seat: Any, give: Any, take: Any) -> Any:
    """Whether the supply takes a trade: cards of one kind, at the rate for each card of other kinds."""
    if not give or not take or len(give) != 1 or give.keys() & take.keys():
        return False
    (kind,) = give
    return (
        give[kind] == rate(table, seat, kind) * take.total()
        and holds(table, seat, give)
        and all(table.supply[other] >= count for other, count in take.items())
    )


def trade_with_supply(table: Any, seat: Any, give: Any, take: Any) -> None:
    """Swap the cards."""
    move_cards(table.hands[seat], table.supply, give)
    move_cards(table.supply, table.hands[seat], take)


# -- Among players


def may_offer(table: Any, seat: Any, give: Any, take: Any, to: Any) -> Any:
    """Whether an offer may be made: cards on both sides, no kind on both, and the player on turn is one side of it."""
    if not trading(table) or not give or not take or give.keys() & take.keys():
        return False
    if not holds(table, seat, give):
        return False
    if seat == table.mover:
        return to is None or (to in table.seats and to != seat)
    return to == table.mover


def offer(table: Any, seat: Any, give: Any, take: Any, to: Any) -> None:
    """Lay an offer on the table; it replaces what the seat offered before, and turns down what it was offered."""
    withdraw(table, seat)
    if open_offer(table, table.mover, seat):
        decline(table, seat, table.mover)
    asked = [to] if to else [other for other in table.seats if other != seat]
    table.offers.append({"by": seat, "give": give, "take": take, "to": to, "asked": asked})


def withdraw(table: Any, seat: Any) -> None:
    """Take an offer back."""
    table.offers = [one for one in table.offers if one["by"] != seat]


def open_offer(table: Any, by: Any, to: Any) -> Any:
    """The offer of one seat that another may still answer, or None."""
    fits = [one for one in table.offers if one["by"] == by and to in one["asked"]]
    return fits[0] if fits else None


def may_accept(table: Any, seat: Any, by: Any) -> Any:
    """Whether a seat may accept the offer of another: it must hold what is asked for."""
    found = open_offer(table, by, seat)
    return trading(table) and found is not None and holds(table, seat, found["take"])


def accept(table: Any, seat: Any, by: Any) -> None:
    """Swap the cards if both have them, and close the offer."""
    found = open_offer(table, by, seat)
    withdraw(table, by)
    if holds(table, by, found["give"]):
        move_cards(table.hands[by], table.hands[seat], found["give"])
        move_cards(table.hands[seat], table.hands[by], found["take"])


def decline(table: Any, seat: Any, by: Any) -> None:
    """Say no; once all have, the offer is gone."""
    found = open_offer(table, by, seat)
    found["asked"].remove(seat)
    if not found["asked"]:
        withdraw(table, by)


def end_trading(table: Any) -> None:
    """Building or buying ends trading, and with it all offers; with free phases it does not."""
    table.building = True
    if not table.free_phases:
        table.offers = []
