"""The longest road of a player, and who holds the card for it (BB-L1, BB-L2).

A road is a line that uses no path twice; it may pass an intersection twice, and it ends where somebody else has built.
"""

from functools import lru_cache

from engine.brotherhood.board import Chart, each
from engine.brotherhood.position import NOBODY
from engine.brotherhood.score import find_holder
from engine.brotherhood.table import WorkingPosition

SHORTEST = 5
"""Roads in a line that bring the card."""


@lru_cache(maxsize=16384)
def longest_through(board: Chart, roads: int, barred: int, path: int) -> int:
    """The longest line of some roads that uses one of them; it cannot pass a barred intersection, only end there."""
    ends, paths_at = board.ends, board.paths_at
    tried = 0

    def onward(spot: int, left: int) -> int:
        """The longest line from a spot on."""
        nonlocal tried
        best = 0
        ways = 0 if barred >> spot & 1 else paths_at[spot] & left
        tried |= ways
        while ways:
            way = ways & -ways
            ways ^= way
            length = 1 + onward((ends[way.bit_length() - 1] ^ 1 << spot).bit_length() - 1, left ^ way)
            if length > best:
                best = length
        return best

    def both_ways(one: int, two: int, left: int) -> int:
        """The longest line from one spot on and, with what that leaves, from another."""
        best = onward(two, left)
        ways = 0 if barred >> one & 1 else paths_at[one] & left
        while ways:
            way = ways & -ways
            ways ^= way
            further = (ends[way.bit_length() - 1] ^ 1 << one).bit_length() - 1
            best = max(best, 1 + both_ways(further, two, left ^ way))
        return best

    one, two = board.paths[path]
    left = roads & ~(1 << path)
    beyond_one, tried_there = onward(one, left), tried
    tried = 0
    beyond_two = onward(two, left)
    # Where no ring joins the two sides, neither takes a path from the other.
    return 1 + (both_ways(one, two, left) if tried & tried_there else beyond_one + beyond_two)


def longest_road(board: Chart, roads: int, barred: int) -> int:
    """The longest line of some roads."""
    return max([longest_through(board, roads, barred, path) for path in each(roads)], default=0)


def measure(table: WorkingPosition, who: int) -> None:
    """Measure a player's roads again."""
    table.lengths[who] = longest_road(table.chart, table.roads[who], table.foreign(who) & table.ends[who])


def compare_roads(table: WorkingPosition) -> None:
    """Give Longest Road to whom it belongs now that something was built, lifted or cut."""
    holder = find_holder(table.lengths, table.longest, SHORTEST)
    if holder != table.longest:
        table.longest = holder
        if holder != NOBODY:
            table.law.honoured(table, holder)
