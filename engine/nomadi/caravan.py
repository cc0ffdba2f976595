"""The caravan as one group: which stones have a free side, what must stay together, and what a move earns at once.

A caravan is a set of squares; only sides join, corners do not. Earnings are for the player who moves and for the owner
of the stone; a card brings its coin here, its value counts later. This module knows neither dice nor players.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.nomadi.board import BOARD, DOWN, FAR, NEAR, OVER, START, WATERHOLES, flood, grow


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


def hangs_together(caravan: int, origin: int, target: int) -> bool:
    """Whether a whole caravan stays whole when a stone moves to an empty square (NO-M2)."""
    rest = caravan ^ origin
    if not grow(target) & rest:
        return False
    return arms_at(rest, origin) < 2 or stays_whole(caravan, origin, target, solid=False)


def _part(seed: int, within: int, wanted: int) -> int:
    """What is connected with `seed`; a part that has reached all that is wanted is not looked at further."""
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


# -- All stones at once, of one caravan or of several side by side


class Joints(NamedTuple):
    """How stones are connected, square by square."""

    forked: int
    """Squares that stones touch in several arms, as far as the eight squares around tell. A stone on any other square
    may leave, for its neighbours are connected around it."""
    once: int
    """Squares with a stone beside them."""
    twice: int
    """Squares with two or more stones beside them."""
    thrice: int
    """Squares with three or four stones beside them."""


def joints(caravan: int) -> Joints:
    """What can be said of all squares without following a caravan from end to end."""
    above, below, left, right = caravan << DOWN, caravan >> DOWN, caravan << OVER, caravan >> OVER
    # Going round a square, an arm ends at a side with a stone that is not joined to the next side over the corner.
    first = above & ~(right & caravan >> OVER - DOWN)
    second = right & ~(below & caravan >> OVER + DOWN)
    third = below & ~(left & caravan << OVER - DOWN)
    fourth = left & ~(above & caravan << OVER + DOWN)
    upright, level = above | below, left | right
    return Joints(
        forked=first & second | third & fourth | (first | second) & (third | fourth),
        once=upright | level,
        twice=above & below | left & right | upright & level,
        thrice=above & below & level | left & right & upright,
    )


def is_solid(caravan: int) -> bool:
    """Whether a whole caravan encloses no empty square: then every arm at a fork is a part of its own without it."""
    upright, level = caravan & caravan << DOWN, caravan & caravan << OVER
    # Stones less pairs side by side, and blocks of four, are one less the holes (Euler).
    blocks = upright & upright << OVER
    return caravan.bit_count() - upright.bit_count() - level.bit_count() + blocks.bit_count() == 1


def stays_whole(caravan: int, origin: int, target: int, *, solid: bool) -> bool:
    """Whether a whole caravan stays whole when a stone moves from a fork to an empty square (NO-M2)."""
    rest = caravan ^ origin
    if solid:
        # As many parts as the stone held together must be joined again: two at the corner between them, or elsewhere.
        arms = arms_at(rest, origin)
        touched = grow(target) & grow(origin) & rest
        if arms == 2 and touched & (touched - 1):
            return True
        if arms_at(rest, target) < arms:
            return False
    return _reaches_all(rest, target)


def _reaches_all(others: int, stone: int) -> bool:
    """Whether all others are connected with a stone."""
    whole = others | stone
    edge = reached = stone
    while edge:
        edge = (edge << DOWN | edge >> DOWN | edge << OVER | edge >> OVER) & whole & ~reached
        reached |= edge
    return reached == whole


def arms_at(caravan: int, square: int) -> int:
    """Into how many parts the stones beside a square fall, as far as the eight squares around it tell."""
    around = caravan << DOWN >> square.bit_length() - 1 - OVER
    return _ARMS[around & 7 | around >> OVER - 3 & 7 << 3 | around >> 2 * OVER - 6 & 7 << 6]


def _arms(pattern: int) -> int:
    """The same for three by three squares, column by column."""
    ring = [bool(pattern >> bit & 1) for bit in (3, 6, 7, 8, 5, 2, 1, 0, 3, 6)]  # above and on clockwise
    return sum(ring[side] and not (ring[side + 1] and ring[side + 2]) for side in (0, 2, 4, 6))


_ARMS: Final = tuple(_arms(pattern) for pattern in range(1 << 9))


BONUS: Final = 5
"""What the last stone out of the start zone and the first over the ravine bring, and the last over it costs."""
HOME: Final = (8, 6, 4)
"""What the first, the second and the third stone in the goal bring."""


def earned(caravan: int, origin: int, target: int, *, goal: int, cards: int) -> tuple[int, int]:
    """The coins for the mover and those for the stone's owner, in the order of the rules."""
    after = caravan ^ origin ^ target
    mover = owner = 0
    if origin & START and not after & START:
        owner += BONUS  # NO-Z2
    if target & FAR and not caravan & FAR:
        mover += BONUS  # NO-R1
    if caravan & NEAR and not after & NEAR:
        mover -= BONUS  # NO-R3
    if target & cards:
        mover += 2 if target & WATERHOLES else 1  # NO-C7
    if target & goal:
        half = HOME[(caravan & goal).bit_count()] // 2  # NO-G1
        mover += half
        owner += half
    return mover, owner


class Reward(NamedTuple):
    """Coins for one thing that a move does: those for the mover, and those for the stone's owner."""

    reason: str
    mover: int = 0
    owner: int = 0


def rewards(caravan: int, origin: int, target: int, *, goal: int, cards: int) -> Iterator[Reward]:
    """What `earned` adds up, thing by thing, to be told."""
    after = caravan ^ origin ^ target
    if origin & START and not after & START:
        yield Reward("last-out", owner=BONUS)
    if target & FAR and not caravan & FAR:
        yield Reward("first-over", BONUS)
    if caravan & NEAR and not after & NEAR:
        yield Reward("last-over", -BONUS)
    if target & cards:
        yield Reward("water-card", 2) if target & WATERHOLES else Reward("card", 1)
    if target & goal:
        home = (caravan & goal).bit_count()
        yield Reward(f"home-{home + 1}", HOME[home] // 2, HOME[home] // 2)


def eventful(caravan: int, *, goal: int, cards: int) -> tuple[int, int]:
    """Origins and targets to watch: a move of any other stone to any other square earns nothing."""
    starting, near = caravan & START, caravan & NEAR
    last_out = 0 if starting & (starting - 1) else starting
    last_over = 0 if near & (near - 1) else near
    return last_out | last_over, goal | cards | (0 if caravan & FAR else FAR)
