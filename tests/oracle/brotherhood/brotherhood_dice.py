"""What the dice bring: production from a supply that can run short, and the seven with discards, Tormund and theft."""

from collections import Counter
from typing import Any

from tests.oracle.brotherhood.brotherhood_map import YIELDS
from tests.oracle.brotherhood.brotherhood_table import holds, move_cards, on_hexes

LIMIT = 7


def produce(table: Any, total: Any) -> Any:
    """Hand out what the hexes of a number yield; the cards of each seat that received any."""
    due: dict[str, Counter[str]] = {}  # resource -> seat -> cards
    for place, numbers in table.board.numbers.items():
        if total in numbers and place != table.tormund and place not in table.gift:
            kind = YIELDS[table.board.terrain[place]]
            due.setdefault(kind, Counter()).update(on_hexes(table, place))
    received: dict[str, Counter[str]] = {}
    for kind, shares in due.items():
        left = table.supply[kind]
        if shares.total() > left and len(shares) > 1:
            continue
        for seat, count in shares.items():
            cards = Counter({kind: min(count, left)})
            move_cards(table.supply, table.hands[seat], cards)
            if cards.total():
                received.setdefault(seat, Counter()).update(cards)
    return received


def discards_due(table: Any) -> Any:
    """How many cards each seat has to give back after a seven."""
    sizes = {seat: table.hands[seat].total() for seat in table.seats}
    return {seat: size // 2 for seat, size in sizes.items() if size > LIMIT}


def may_discard(table: Any, seat: Any, cards: Any, due: Any) -> Any:
    """Exactly so many of one's own cards."""
    return cards is not None and cards.total() == due.get(seat) and holds(table, seat, cards)


def neighbours(table: Any, seat: Any, place: Any) -> Any:
    """The others with a building at a hex."""
    return [other for other in table.seats if other != seat and other in on_hexes(table, place)]


def tormund_may_move(table: Any, seat: Any, place: Any, victim: Any) -> Any:
    """To another hex; one of those there with cards must be robbed, if there is one."""
    if place is None or place == table.tormund:
        return False
    there = neighbours(table, seat, place)
    with_cards = [other for other in there if table.hands[other].total()]
    if with_cards:
        return victim in with_cards
    return victim is None or victim in there


def move_tormund(table: Any, seat: Any, place: Any, victim: Any) -> None:
    """Move him; whoever is robbed loses a card that chance picks."""
    table.tormund = place
    if victim is not None and table.hands[victim].total():
        table.agenda.insert(0, ("steal", seat, victim))


def gain(table: Any, seat: Any, kind: Any, count: Any = 1) -> None:
    """Take cards of a kind from the supply, if it has them."""
    if table.supply[kind] >= count:
        move_cards(table.supply, table.hands[seat], Counter({kind: count}))


def gain_from_hex(table: Any, seat: Any, place: Any) -> None:
    """Take one card of the kind that a hex produces."""
    if table.board.terrain[place] in YIELDS:
        gain(table, seat, YIELDS[table.board.terrain[place]])
