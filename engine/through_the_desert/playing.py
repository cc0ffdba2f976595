"""The plies that are legal, as a list, and `apply`.

Both lean on others: where pieces may go is `places`' knowledge, what a ply does is `running`'s.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from engine.game import Ply, Seat
from engine.hexes import HexGrid
from engine.through_the_desert.apply import Run
from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.legal import camel_places, leader_colours
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from engine.through_the_desert.order import settle
from engine.through_the_desert.position import CAMELS, KINDS, LAST, LEADERS, REMOVAL, Position


def legal(position: Position) -> Iterator[Ply]:
    """All plies of the seat to move, colour by colour, each from space A1 on."""
    position = settle(position)
    seat = position.ground.seats[position.who]
    if position.phase == REMOVAL:
        for colour, name in enumerate(COLOURS):
            if colour not in position.removed:
                yield Ply(seat, Remove(name))
    elif position.phase == LEADERS:
        places = position.ground.grid.spaces(position.leader_ground())
        for colour in leader_colours(position):
            for space in places:
                yield Ply(seat, Leader(COLOURS[colour], space))
    elif position.phase in (CAMELS, LAST):
        stuck, grid = True, position.ground.grid
        for colour in range(KINDS):
            if found := camel_places(position, position.who, colour):
                stuck = False
                yield from map(_camels(grid, seat, colour).__getitem__, grid.each(found))
        if stuck:
            yield Ply(seat, Pass())


@lru_cache(maxsize=128)
def _camels(grid: HexGrid, seat: Seat, colour: int) -> Mapping[int, Ply]:
    """A seat's camels of a colour by the bit of their space; made once, for positions list them by the hundred."""
    return {bit: Ply(seat, Camel(COLOURS[colour], space)) for space, bit in grid.bits.items()}


def apply(position: Position, ply: Ply) -> Position:
    """Give the position after a legal ply."""
    run = Run(settle(position))
    run.play(ply.move)
    return run.position()
