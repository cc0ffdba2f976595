"""Cards held, as one integer a hand: seven bits for each kind, counted in the order of RESOURCES (or DEVELOPMENTS).

Adding and subtracting hands is adding and subtracting integers, so paying a price is one operation. There are at most
19 cards of a kind, so the highest bit of each kind is free, and tells whether a subtraction would borrow.
"""

from collections.abc import Sequence
from typing import Final

from engine.brotherhood.moves import DEVELOPMENTS, RESOURCES, Cards

_WIDTH: Final = 7
_FIELD: Final = (1 << _WIDTH) - 1
_SPARE: Final = sum(1 << (_WIDTH * kind + _WIDTH - 1) for kind in range(5))
"""The highest bit of every kind."""
_ONES: Final = sum(1 << (_WIDTH * kind) for kind in range(5))
_TWOS: Final = 2 * _ONES

ONE: Final = tuple(1 << (_WIDTH * kind) for kind in range(5))
"""A single card of each kind."""

EACH: Final = 19
"""Resource cards of each kind in the box."""

KIND: Final = {name: kind for kind, name in enumerate(RESOURCES)}
CARD: Final = {name: kind for kind, name in enumerate(DEVELOPMENTS)}
RANGER, WINTER, ROADS, RECRUITS, POINT = range(5)
"""The kinds of development cards."""


def pack(counts: Sequence[int]) -> int:
    """Five counts as a hand."""
    lumber, brick, wool, grain, ore = counts
    return lumber | brick << 7 | wool << 14 | grain << 21 | ore << 28


def unpack(hand: int) -> Cards:
    """A hand as five counts."""
    return hand & 127, hand >> 7 & 127, hand >> 14 & 127, hand >> 21 & 127, hand >> 28


def size(hand: int) -> int:
    """How many cards a hand holds.

    A number leaves the same remainder by 127 as the sum of its digits to base 128, and there are only 95 cards.
    """
    return hand % _FIELD


def count(hand: int, kind: int) -> int:
    """How many cards of a kind a hand holds."""
    return hand >> _WIDTH * kind & _FIELD


def covers(hand: int, price: int) -> bool:
    """Whether a hand has all the cards of another."""
    return ((hand | _SPARE) - price) & _SPARE == _SPARE


def enough(hand: int, price: int) -> int:
    """The kinds of which a hand has as many cards as another, as a hand with one card of each."""
    return (((hand | _SPARE) - price) & _SPARE) >> _WIDTH - 1


def kinds_in(hand: int) -> int:
    """The kinds that a hand has at all, as a hand with one card of each."""
    return (((hand | _SPARE) - _ONES) & _SPARE) >> _WIDTH - 1


def at_most_two(hand: int) -> int:
    """A hand without the third card of a kind and all further ones.

    There are 243 of these. What follows from a hand and asks for two cards of a kind at most is remembered by them.
    """
    full = hand | _SPARE
    return (((full - _ONES) & _SPARE) >> _WIDTH - 1) + (((full - _TWOS) & _SPARE) >> _WIDTH - 1)


def is_amount(cards: Sequence[int]) -> bool:
    """Whether some counts can be cards at all: five of them, none below 0 or above what the box has."""
    return len(cards) == 5 and min(cards) >= 0 and max(cards) <= EACH


def cards_of(**counts: int) -> int:
    """A hand by the names of its cards."""
    return pack([counts.get(name, 0) for name in RESOURCES])


ROAD_PRICE: Final = cards_of(lumber=1, brick=1)
SETTLEMENT_PRICE: Final = cards_of(lumber=1, brick=1, wool=1, grain=1)
KEEP_PRICE: Final = cards_of(grain=2, ore=3)
CARD_PRICE: Final = cards_of(wool=1, grain=1, ore=1)
GUARD_PRICE: Final = cards_of(lumber=1, brick=1, wool=1)
SUPPLY: Final = pack([EACH] * 5)
