"""Prices in which one resource is replaced by another, as Thorne and Melisandre pay (BW-J15)."""

from functools import cache

from engine.brotherhood.hands import KIND, ONE, count, covers
from engine.brotherhood.moves import RESOURCES


def may_replace(price: int, spared: str | None, paid: str | None) -> bool:
    """Whether the price asks for what is spared, and another resource is paid."""
    return spared in KIND and paid in KIND and spared != paid and count(price, KIND[spared]) > 0


def changed_price(price: int, spared: str | None, paid: str | None) -> int:
    """The price with one card replaced; as it is, when nothing is."""
    return price if spared is None or paid is None else price - ONE[KIND[spared]] + ONE[KIND[paid]]


@cache
def replacements(price: int, hand: int) -> tuple[tuple[str, str], ...]:
    """Every way to pay a price from a hand with one card replaced: what is spared, and what is paid.

    The price has one card of a kind at most, and so `at_most_two` cards of each kind say all about the hand.
    """
    return tuple(
        (spared, paid)
        for spared in RESOURCES
        for paid in RESOURCES
        if may_replace(price, spared, paid) and covers(hand, changed_price(price, spared, paid))
    )
