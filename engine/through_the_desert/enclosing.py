"""Areas: which spaces a caravan has cut off from the rest of the board (TD-E1 to TD-E3).

Flooding the board after every camel would be slow and nearly always in vain. While the open neighbours of a
new camel hang together around it (they are not in `HexGrid.splits`), it separates nothing; only when they
fall apart are the areas looked for.
"""

from collections.abc import Iterable

from engine.through_the_desert.position import Ground


def enclosed_areas(ground: Ground, caravan: int, free: int, seeds: Iterable[int], shift: int) -> list[int]:
    """The areas that `caravan` has just cut off and that hold one of the seeds, each shifted into place.

    They come in board order, by their first space, because the state digest sees their order.
    `free` are the spaces that could take a camel. What was enclosed before is neither free nor an oasis, and
    cannot be told from a camel here; it never touches a place where something new is cut off.
    """
    over = ground.grid.stride
    room = ground.spaces & ~caravan
    empty = free | ground.oases
    seen = 0
    found = []
    for seed in seeds:
        # A flood that stops at the first camel: with one inside, nothing is enclosed (TD-E3).
        reached = 0
        edge = seed << shift & room & ~seen
        while edge and edge & empty == edge:
            reached |= edge
            up, down = edge >> 1, edge << 1
            edge = (up | down | edge << over | edge >> over | up << over | down >> over) & room & ~reached
        if reached and not edge:
            found.append(reached)
        seen |= reached | edge
    if len(found) > 1:
        found.sort(key=lambda area: area & -area)
    return found
