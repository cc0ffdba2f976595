"""How chance is settled.

The rules never roll: where chance is due they say so, and a Dealer outside the rules picks. This module says what a
Dealer is, and has one whose picks follow from a key; where keys come from is not known here.
"""

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")

_WORD = 8  # bytes in one number of the stream
_SPAN = 1 << (8 * _WORD)


class Dealer(Protocol):
    """Picks one of `count` equally likely outcomes, 0 to count - 1, for a named purpose."""

    def pick(self, count: int, purpose: str) -> int:
        """One outcome."""
        ...


class KeyedDealer:
    """A Dealer whose picks follow from a key alone, the same on every machine for ever.

    Each pick hashes the key with its running number and purpose; numbers that would favour some outcomes are
    thrown away (rejection), so every outcome is exactly as likely as every other.
    """

    def __init__(self, key: bytes) -> None:
        from hmac import digest  # slow to load, and a replay never picks

        self._digest = digest
        self._key = key
        self._picks = 0

    def pick(self, count: int, purpose: str) -> int:
        """One outcome of `count`, uniform."""
        if not 1 <= count <= _SPAN:
            raise ValueError(f"cannot pick one of {count}")
        self._picks += 1
        fair = _SPAN - _SPAN % count
        attempt = 0
        while True:
            question = f"caravan-post/pick\0{self._picks}\0{attempt}\0{purpose}".encode()
            number = int.from_bytes(self._digest(self._key, question, "sha256")[:_WORD], "big")
            if number < fair:
                return number % count
            attempt += 1


def draw_some(dealer: Dealer, things: Iterable[T], count: int, purpose: str) -> list[T]:
    """Draw `count` of `things` one after the other, without putting back; the order is the order drawn."""
    left = list(things)
    return [left.pop(dealer.pick(len(left), purpose)) for _ in range(count)]
