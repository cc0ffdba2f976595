"""The stones of all players, and a number that tells the rest of a table, as one small integer.

Only the squares that a turn can reach take part. They stand in planes: first all stones, then for each bit of an
owner's number the stones of those whose number has it. So one operation moves a stone, whoever owns it.
"""

from collections.abc import Iterable

from engine.nomadi.board import COLUMNS, OVER, ROWS, each
from engine.nomadi.position import Position


class Packing:
    """How the tables of one turn are packed; the number stands above the planes, from the bit `top` on."""

    def __init__(self, position: Position) -> None:
        stones = [divmod(bit.bit_length() - 1, OVER) for bit in each(position.caravan)]
        columns, rows = zip(*stones, strict=True)
        more = len(
            position.unplayed
        )  # the caravan stays whole, so a die makes it wider or longer by one square at most
        self._squares = [
            1 << column * OVER + row
            for column in range(max(1, min(columns) - more), min(COLUMNS, max(columns) + more) + 1)
            for row in range(max(0, min(rows) - more), min(ROWS - 1, max(rows) + more) + 1)
        ]
        self._places = {square: place for place, square in enumerate(self._squares)}
        self._players = len(position.stones)
        self._planes = range(0, len(self._squares) * (1 + (self._players - 1).bit_length()), len(self._squares))
        self._lifted: dict[int, int] = {}
        self.top = self._planes.stop

    def pack(self, stones: Iterable[int], number: int) -> int:
        """A table as an integer."""
        packed = number << self.top
        for owner, own in enumerate(stones):
            marks = sum(1 << plane for bit, plane in enumerate(self._planes) if (1 | owner << 1) >> bit & 1)
            packed |= sum(marks << self._places[square] for square in each(own))
        return packed

    def unpack(self, packed: int) -> tuple[int, tuple[int, ...]]:
        """The number, and the stones of each player."""
        stones = [0] * self._players
        for place, square in enumerate(self._squares):
            if packed >> place & 1:
                stones[self._owner(packed, place)] |= square
        return packed >> self.top, tuple(stones)

    def move(self, tables: Iterable[int], origin: int, target: int, change: int = 0) -> list[int]:
        """Some tables after the stone on one square moved to another, and their numbers changed bit by bit."""
        lifted = self._lifted.get(origin)
        if lifted is None:
            lifted = self._lifted[origin] = sum(1 << plane + self._places[origin] for plane in self._planes)
        leads = self._places[target] - self._places[origin]
        change <<= self.top
        if leads > 0:
            return [packed ^ (stone := packed & lifted) ^ stone << leads ^ change for packed in tables]
        return [packed ^ (stone := packed & lifted) ^ stone >> -leads ^ change for packed in tables]

    def by_owner(self, tables: Iterable[int], square: int) -> dict[int, list[int]]:
        """Some tables by the owner of the stone on a square."""
        found: dict[int, list[int]] = {}
        for packed in tables:
            found.setdefault(self._owner(packed, self._places[square]), []).append(packed)
        return found

    def _owner(self, packed: int, place: int) -> int:
        return sum((packed >> plane + place & 1) << bit for bit, plane in enumerate(self._planes[1:]))
