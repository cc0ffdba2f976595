"""Whose turn it is, where a camel or a leader may go, and the plies that are legal.

Places are sets of spaces as bits, because they are asked for at every position; the verdict on a single move is in
`judge`, which asks the same questions of one space. The rules known here are TD-P1, TD-T1 to TD-T3 and TD-S1.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice

from engine.game import Ply, Seat
from engine.hexes import HexGrid
from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from engine.through_the_desert.position import CAMELS, KINDS, LAST, LEADERS, OVER, REMOVAL, Position


def camel_places(position: Position, who: int, colour: int) -> int:
    """The spaces that would extend a player's caravan of a colour (TD-C1 to TD-C6)."""
    own = position.camels[who * KINDS + colour]
    if not own or not position.herd(colour):
        return 0
    grow = position.ground.grid.grow
    return grow(own) & position.free & ~grow(position.flocks[colour] ^ own)


def can_place(position: Position, who: int) -> bool:
    """True if a player could place a camel, if it were their turn."""
    for colour in range(KINDS):  # noqa: SIM110 - asked of every position several times over
        if camel_places(position, who, colour):
            return True
    return False


def leader_colours(position: Position) -> list[int]:
    """The colours the player to move may place a leader of (TD-L1, TD-L5)."""
    held = [colour for colour in range(KINDS) if holds(position, position.who, colour)]
    if not first_round(position):
        return held
    return [colour for colour in held if not colour_used(position, colour) and stranded(position, colour) is None]


def holds(position: Position, who: int, colour: int) -> bool:
    """True if a player still has a leader of a colour in hand."""
    removed = position.removed
    return not position.leaders[who * KINDS + colour] and not (who < len(removed) and removed[who] == colour)


def first_round(position: Position) -> bool:
    """True in the first round of leaders, in which no colour may be used twice (TD-L5)."""
    return sum(map(bool, position.leaders)) < len(position.ground.seats)


def colour_used(position: Position, colour: int) -> bool:
    """True if somebody has placed a leader of a colour."""
    return any(position.leaders[colour::KINDS])


def stranded(position: Position, colour: int) -> int | None:
    """The player whom a choice in the first round of leaders would leave without a colour, or None.

    Only with five players can that be: each lacks another colour, and all five are needed (TD-L5).
    """
    still_open = [other for other in range(KINDS) if other != colour and not colour_used(position, other)]
    for later in range(position.who + 1, len(position.ground.seats)):
        if not any(holds(position, later, other) for other in still_open):
            return later
    return None


def quota(position: Position) -> int:
    """How many camels the turn being played has (TD-T1, TD-T2)."""
    return 1 if position.turn < position.ground.full_turn else 2


def end_turn(position: Position) -> Position:
    """Hand the turn to the next seat, or end the game if a herd is empty (TD-S1)."""
    seats = len(position.ground.seats)
    return position._replace(
        phase=OVER if position.phase == LAST else CAMELS,
        turn=position.turn + 1,
        who=(position.who + 1) % seats,
        placed=0,
    )


def settle(position: Position) -> Position:
    """Draw the conclusions that a position leaves open (TD-T3); the position itself if there are none."""
    if position.phase not in (CAMELS, LAST) or can_place(position, position.who):
        return position
    if position.placed:
        position = end_turn(position)
    if position.phase == OVER or any(can_place(position, who) for who in range(len(position.ground.seats))):
        return position
    return position._replace(phase=OVER)


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


def forced(position: Position, seat: Seat) -> object:
    """The only ply of the seat to move, where there is but one: mostly to pass. Nothing is hidden in this game."""
    found = [*islice(legal(position), 2)]
    return found[0].move if len(found) == 1 and found[0].seat == seat else None


@lru_cache(maxsize=128)
def _camels(grid: HexGrid, seat: Seat, colour: int) -> Mapping[int, Ply]:
    """A seat's camels of a colour by the bit of their space; made once, for positions list them by the hundred."""
    return {bit: Ply(seat, Camel(COLOURS[colour], space)) for space, bit in grid.bits.items()}
