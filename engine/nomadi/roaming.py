"""Where dice can take the stones of many caravans, asked of all of them at once.

Caravans stand side by side in one long integer, each on a board of its own, and what holds for sets of squares is
found for all in one operation. What a stone did before in this turn is for `stepping`.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from engine.nomadi.board import BOARD, COLUMNS, FAR, OVER, START, each, shift
from engine.nomadi.caravan import is_solid, joints, stays_whole, with_free_side
from engine.nomadi.paths import arms_of, jumps, steps

TOGETHER: Final = 16
"""How many caravans are asked at once: with more, single moves take longer to pick out."""
_LANE: Final = (COLUMNS + 1) * OVER
"""From one board to the next. Between them lies the empty column to the left of each."""
_LANES: Final = sum(1 << lane * _LANE for lane in range(TOGETHER))
_BOARDS: Final = BOARD * _LANES
_BITS: Final = tuple(1 << bit for bit in range(TOGETHER * _LANE))

Ways = dict[int, list[tuple[int, int]]]
"""By die the moves that it could make: from where, and where to."""


def roam(caravans: Sequence[int], dice: Sequence[Iterable[int]], *, goal: int) -> list[Ways]:
    """For each of some caravans, not more than `TOGETHER`, what each of its dice could do; each move stands once."""
    found: list[Ways] = [{die: [] for die in own} for own in dice]
    all_stones = sum(caravan << lane * _LANE for lane, caravan in enumerate(caravans))
    solid = [is_solid(caravan) for caravan in caravans]
    movable = with_free_side(all_stones) & ~(goal * _LANES)
    empty = _BOARDS & ~all_stones
    forked, once, twice, thrice = joints(all_stones)
    firm = forked & sum(BOARD << lane * _LANE for lane, is_firm in enumerate(solid) if is_firm)
    arms = arms_of(all_stones, empty)
    for die in {die for own in dice for die in own}:
        able = movable & sum(BOARD << lane * _LANE for lane, own in enumerate(found) if die in own)
        if die == 1:
            going = steps(able & ~firm, beside=empty & twice, aslant=empty & once)
            # What holds two parts together must touch two stones besides itself to do so again.
            for leads, begins in steps(able & firm, beside=empty & thrice, aslant=empty & twice).items():
                going[leads] |= begins
        else:
            going = jumps(die, able, arms)
        for leads, begins in going.items():
            if not begins:
                continue
            begins &= _open(leads)
            if die > 1:
                # A jump leads too far to change what is around its end: only another fork can join the arms.
                begins &= ~firm | shift(forked, -leads)
            # All that touches a stone off the forks hangs together without it, and it lands beside another one.
            for lane, square in _each(begins & ~forked):
                found[lane][die].append((_BITS[square], _BITS[square + leads]))
            for lane, square in _each(begins & forked):
                origin, target = _BITS[square], _BITS[square + leads]
                if stays_whole(caravans[lane], origin, target, solid=solid[lane]):
                    found[lane][die].append((origin, target))
    return found


def _each(stones: int) -> list[tuple[int, int]]:
    """The lanes and places of some stones."""
    found = []
    while stones:
        at = stones.bit_length() - 1
        stones ^= _BITS[at]
        found.append(divmod(at, _LANE))
    return found


def allowed(origin: int) -> int:
    """The squares that the start zone and the ravine leave open to a stone (NO-Z1, NO-R2)."""
    if origin & START:
        return BOARD
    return FAR if origin & FAR else BOARD & ~START


@cache
def _open(leads: int) -> int:
    """The squares from which a stone is allowed to go by a shift."""
    return sum([origin for origin in each(BOARD) if shift(origin, leads) & allowed(origin)]) * _LANES
