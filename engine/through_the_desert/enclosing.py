"""Areas: which spaces a caravan has cut off from the rest of the board (TD-E1 to TD-E3).

Flooding the board after every camel would be slow and nearly always in vain. While the open neighbours of a
new camel hang together around it (they are not in `HexGrid.splits`), it separates nothing; only when they
fall apart are the areas looked for.
"""

from collections.abc import Iterable

from engine.through_the_desert.position import Ground


def enclosed_areas(ground: Ground, caravan: int, seeds: Iterable[int], free: int, closed: int) -> list[int]:
    """The areas that `caravan` cuts off and that hold one of the `seeds`; `closed` were enclosed before."""
    over = ground.grid.stride
    room = ground.spaces & ~(caravan | closed)
    others = room & ~(free | ground.oases)
    seen = 0
    found = []
    for seed in seeds:
        # A flood that stops at the first camel: with one inside, nothing is enclosed (TD-E3).
        reached = 0
        edge = seed & room & ~seen
        while edge and not edge & others:
            reached |= edge
            up, down = edge >> 1, edge << 1
            edge = (up | down | edge << over | edge >> over | up << over | down >> over) & room & ~reached
        if reached and not edge:
            found.append(reached)
        seen |= reached | edge
    return found
