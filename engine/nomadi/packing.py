"""The stones of all players, and a number that tells the rest of a table, as one integer.

Squares and owners stand in planes: the caravan, then for each bit of an owner's number the stones of those whose
number has that bit. So one operation moves a stone whoever owns it. Only columns that a turn can reach take part.
"""

from collections.abc import Iterable

from engine.nomadi.board import COLUMNS, OVER
from engine.nomadi.position import Position


class Packing:
    """How the tables of one turn are packed; the number stands above the planes, from the bit `top` on."""

    def __init__(self, position: Position) -> None:
        caravan = position.caravan
        reach = len(position.unplayed)  # the caravan stays whole, so it grows by one column for each die at most
        first = max(1, (caravan & -caravan).bit_length() // OVER - reach)
        last = min(COLUMNS, caravan.bit_length() // OVER + reach)
        self._below = first * OVER
        self._width = (last + 1 - first) * OVER
        self._players = len(position.stones)
        self._planes = 1 + (self._players - 1).bit_length()
        self._spread = sum(1 << plane * self._width for plane in range(self._planes))
        self._lifted: dict[int, int] = {}
        self.top = self._planes * self._width

    def pack(self, stones: Iterable[int], number: int) -> int:
        """A table as an integer."""
        packed = number << self.top
        for owner, own in enumerate(stones):
            packed |= (own >> self._below) * sum(
                1 << plane * self._width for plane in range(self._planes) if (2 * owner + 1) >> plane & 1
            )
        return packed

    def unpack(self, packed: int) -> tuple[int, tuple[int, ...]]:
        """The number and the stones of each player."""
        full = (1 << self._width) - 1
        caravan, *planes = [packed >> plane * self._width & full for plane in range(self._planes)]
        stones = []
        for owner in range(self._players):
            own = caravan
            for bit, plane in enumerate(planes):
                own &= plane if owner >> bit & 1 else ~plane
            stones.append(own << self._below)
        return packed >> self.top, tuple(stones)

    def move(self, tables: Iterable[int], origin: int, target: int, change: int = 0) -> list[int]:
        """Some tables after the stone on one square moved to another, and a change of their numbers, bit by bit."""
        lifted = self._lifted.get(origin)
        if lifted is None:
            lifted = self._lifted[origin] = (origin >> self._below) * self._spread
        leads = target.bit_length() - origin.bit_length()
        change <<= self.top
        if leads > 0:
            return [packed ^ (stone := packed & lifted) ^ stone << leads ^ change for packed in tables]
        return [packed ^ (stone := packed & lifted) ^ stone >> -leads ^ change for packed in tables]

    def by_owner(self, tables: Iterable[int], square: int) -> dict[int, list[int]]:
        """Some tables by the owner of the stone on a square."""
        found: dict[int, list[int]] = {}
        at = (square >> self._below).bit_length() - 1
        for packed in tables:
            owner = sum((packed >> plane * self._width + at & 1) << plane - 1 for plane in range(1, self._planes))
            found.setdefault(owner, []).append(packed)
        return found
