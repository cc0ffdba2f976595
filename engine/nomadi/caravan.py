"""The caravan as one group: which stones have a free side, and what must stay together.

A caravan is a set of squares; only sides join, corners do not. This module knows neither dice nor owners.
"""

from collections.abc import Iterator

from engine.nomadi.board import BOARD, DOWN, OVER, flood, grow


def with_free_side(caravan: int) -> int:
    """The stones with a side that is empty or the board's edge (NO-M3)."""
    shut_in = caravan << DOWN & caravan >> DOWN & caravan << OVER & caravan >> OVER
    return caravan & ~shut_in


def landings(caravan: int, stone: int) -> int:
    """The empty squares where a stone of a whole caravan could land and leave it whole (NO-M2).

    Without the stone the others fall into parts, mostly one; the stone must come to touch every part.
    """
    rest = caravan ^ stone
    sides = grow(stone) & rest
    touching = grow(rest)
    if sides & (sides - 1):
        part = _part(sides & -sides, rest, sides)
        if sides & ~part:
            touching = grow(part)
            for other in parts(rest & ~part):
                touching &= grow(other)
    return touching & BOARD & ~caravan


def _part(seed: int, within: int, wanted: int) -> int:
    """What hangs together with `seed`; a part that has reached all that is wanted is not looked at further."""
    reached = edge = seed
    while edge and wanted & ~reached:
        edge = grow(edge) & within & ~reached
        reached |= edge
    return reached


def parts(stones: int) -> Iterator[int]:
    """The groups into which stones fall."""
    while stones:
        part = flood(stones & -stones, stones)
        yield part
        stones ^= part
