"""Areas: whether a camel has just cut spaces off, and what they bring (TD-E1 to TD-E4).

Flooding the board after every camel would be slow and nearly always in vain, so the six neighbours are asked
first: while those that are open hang together around the new camel, it separates nothing.
"""

from engine.through_the_desert.board import BOARDS
from engine.through_the_desert.position import Position, Site


def may_enclose(position: Position, site: Site, before: int) -> bool:
    """False when it is plain that a camel on `site` cuts nothing off for the caravan `before` it.

    A caravan's first camel is always looked at closely: its leader may have cut something off alone, which is
    tested only now.
    """
    open_sides = (site.near & ~before) >> site.shift
    return open_sides in BOARDS[position.ground.board].grid.splits or not before & (before - 1)


def enclosed_areas(position: Position, caravan: int) -> list[int]:
    """The areas that `caravan`, its new camel included, has just cut off from the rest of the board."""
    ground = position.ground
    grid = BOARDS[ground.board].grid
    closed = 0
    for area in position.areas:
        closed |= area.spaces
    others = ground.spaces & ~(position.free | ground.oases | closed | caravan)
    room = ground.spaces & ~(caravan | closed)
    seeds = grid.grow(caravan) & room
    found = []
    while seeds:
        reached = 0
        edge = seeds & -seeds
        while edge and not edge & others:  # TD-E3: a camel inside, and nothing is enclosed
            reached |= edge
            edge = grid.grow(edge) & room & ~reached
        if not edge:
            found.append(reached)
        seeds &= ~(reached | edge)
    return found


def spoils(position: Position, caravan: int, area: int) -> tuple[int, int]:
    """The points in waterholes inside an area, and how many of its oases the caravan had not earned (TD-E4)."""
    ground = position.ground
    grid = BOARDS[ground.board].grid
    water = sum(value * (area & holes).bit_count() for value, holes in enumerate(ground.water, start=1))
    oases = sum(not grid.grow(oasis) & caravan for oasis in grid.each(area & ground.oases))
    return water, oases
