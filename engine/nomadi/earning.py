"""What a single move earns at once: for the player who makes it, and for the owner of the stone.

It knows sets of squares and no players; cards bring their coin here, their values are another matter.
"""

from typing import Final

from engine.nomadi.board import FAR, NEAR, START, WATERHOLES

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


def eventful(caravan: int, *, goal: int, cards: int) -> tuple[int, int]:
    """Origins and targets to watch: a move of any other stone to any other square earns nothing."""
    starting, near = caravan & START, caravan & NEAR
    last_out = 0 if starting & (starting - 1) else starting
    last_over = 0 if near & (near - 1) else near
    return last_out | last_over, goal | cards | (0 if caravan & FAR else FAR)
