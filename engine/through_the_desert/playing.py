"""The plies that are legal, as a list, and `apply`.

Both lean on others: where pieces may go is `places`' knowledge, what a ply does is `running`'s.
"""

from collections.abc import Iterator

from engine.game import Ply
from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from engine.through_the_desert.order import settle
from engine.through_the_desert.places import camel_places, leader_colours
from engine.through_the_desert.position import CAMELS, KINDS, LAST, LEADERS, REMOVAL, Position
from engine.through_the_desert.running import Run


def legal(position: Position) -> Iterator[Ply]:
    """All plies of the seat to move, colour by colour, each from space A1 on."""
    position = settle(position)
    seat = position.ground.seats[position.who]
    spaces = position.ground.grid.spaces
    if position.phase == REMOVAL:
        for colour, name in enumerate(COLOURS):
            if colour not in position.removed:
                yield Ply(seat, Remove(name))
    elif position.phase == LEADERS:
        places = spaces(position.leader_ground())
        for colour in leader_colours(position):
            for space in places:
                yield Ply(seat, Leader(COLOURS[colour], space))
    elif position.phase in (CAMELS, LAST):
        stuck = True
        for colour in range(KINDS):
            for space in spaces(camel_places(position, position.who, colour)):
                stuck = False
                yield Ply(seat, Camel(COLOURS[colour], space))
        if stuck:
            yield Ply(seat, Pass())


def apply(position: Position, ply: Ply) -> Position:
    """Give the position after a legal ply."""
    run = Run(settle(position))
    run.play(ply.move)
    return run.position()
