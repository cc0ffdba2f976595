"""Hexes in columns, as bits of one integer.

A grid gives every space one bit in a skewed layout in which each of the six directions is a single shift, so
growing or flooding a set of spaces costs a few operations on whole integers. It knows names like ``K7`` and
who touches whom, and nothing of any game.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase


@dataclass(frozen=True)
class HexGrid:
    """A board of flat-topped hexes: columns A, B, C … and rows 1, 2, 3 … from the top.

    Columns A, C, E … stand half a hex higher than B, D, F …. Every (column, row) pair is a hex of the grid;
    a board is a mask that picks some of them.
    """

    columns: int
    rows: int

    @cached_property
    def stride(self) -> int:
        """Bits between a hex and its lower right neighbour: the rows, and a fence of one or two that stay empty."""
        return self.rows + 2

    def bit(self, column: int, row: int) -> int:
        """The bit of the hex in a column and a row, both counted from 0."""
        skew = (self.columns - 1) // 2 - column // 2
        return 1 << ((column + 1) * self.stride + row + skew)

    @cached_property
    def bits(self) -> Mapping[str, int]:
        """The bit of each named hex, column by column."""
        return {
            f"{ascii_uppercase[column]}{row + 1}": self.bit(column, row)
            for column in range(self.columns)
            for row in range(self.rows)
        }

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The name of each bit."""
        return {bit: name for name, bit in self.bits.items()}

    @cached_property
    def everywhere(self) -> int:
        """All hexes of the grid."""
        return sum(self.bits.values())

    @cached_property
    def splits(self) -> Mapping[int, tuple[int, ...]]:
        """The sets of a hex's neighbours that fall into two runs or more around it, and these runs.

        Each is given relative to the hex: shifted so that the bit one column before it becomes bit 0.
        """
        over = self.stride
        ring = (over - 1, 2 * over - 1, 2 * over, over + 1, 1, 0)  # clockwise from the hex above
        found = {}
        for pattern in range(1 << 6):
            sides = [pattern >> side & 1 for side in range(6)]
            begins = [side for side in range(6) if sides[side] and not sides[side - 1]]
            runs = []
            for begin in begins:
                length = next(step for step in range(6) if not sides[(begin + step) % 6])
                runs.append(sum(1 << ring[(begin + step) % 6] for step in range(length)))
            if len(runs) > 1:
                found[sum(runs)] = tuple(runs)
        return found

    def grow(self, mask: int) -> int:
        """All neighbours of a set of hexes, the set itself left out unless it touches itself."""
        over = self.stride
        up = mask >> 1
        return (mask << 1 | up | mask << over | mask >> over | up << over | (mask << 1) >> over) & self.everywhere

    def flood(self, seed: int, within: int) -> int:
        """Everything in `within` that is connected with `seed`."""
        reached = 0
        edge = seed & within
        while edge:
            reached |= edge
            edge = self.grow(edge) & within & ~reached
        return reached

    def each(self, mask: int) -> Iterator[int]:
        """The single bits of a set, column by column, each from top to bottom."""
        while mask:
            bit = mask & -mask
            yield bit
            mask ^= bit

    def spaces(self, mask: int) -> list[str]:
        """The names in a set, column by column, each from top to bottom."""
        names, found = self.names, []
        while mask:
            bit = mask & -mask
            found.append(names[bit])
            mask ^= bit
        return found

    def mask(self, *spaces: str) -> int:
        """The set of the named hexes."""
        return sum(self.bits[space] for space in spaces)

    def distance(self, one: str, other: str) -> int:
        """Steps from one named hex to another, over a board without obstacles."""
        column, row = self._skewed(one)
        to_column, to_row = self._skewed(other)
        across, down = to_column - column, to_row - row
        return max(abs(across), abs(down), abs(across + down))

    def _skewed(self, space: str) -> tuple[int, int]:
        column, row = ascii_uppercase.index(space[0]), int(space[1:]) - 1
        return column, row - column // 2
