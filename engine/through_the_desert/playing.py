"""What a legal ply does to the table: `apply`, and the list of plies that are legal.

A camel takes water, reaches oases and may enclose areas, in that order. Nothing here asks whether a ply is
legal; that is `judging`'s.
"""

from collections.abc import Iterator
from typing import Final

from engine.game import Ply
from engine.through_the_desert.board import BOARDS, COLOURS
from engine.through_the_desert.enclosing import enclosed_areas, may_enclose, spoils
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from engine.through_the_desert.order import settle
from engine.through_the_desert.places import camel_places, leader_colours, leader_places
from engine.through_the_desert.position import (
    CAMELS,
    COLOUR_AT,
    KINDS,
    LEADERS,
    OVER,
    REMOVAL,
    Area,
    Position,
)

OASIS: Final = 5


def legal(position: Position) -> Iterator[Ply]:
    """All plies of the seat to move, colour by colour, each from space A1 on."""
    position = settle(position)
    seat = position.ground.seats[position.who]
    spaces = BOARDS[position.ground.board].grid.spaces
    if position.phase == REMOVAL:
        for colour, name in enumerate(COLOURS):
            if colour not in position.removed:
                yield Ply(seat, Remove(name))
    elif position.phase == LEADERS:
        places = spaces(leader_places(position))
        for colour in leader_colours(position):
            for space in places:
                yield Ply(seat, Leader(COLOURS[colour], space))
    elif position.phase == CAMELS:
        stuck = True
        for colour in range(KINDS):
            for space in spaces(camel_places(position, position.who, colour)):
                stuck = False
                yield Ply(seat, Camel(COLOURS[colour], space))
        if stuck:
            yield Ply(seat, Pass())


def apply(position: Position, ply: Ply) -> Position:
    """Give the position after a legal ply."""
    seat, move = ply
    if seat != position.ground.seats[position.who]:
        position = settle(position)
    if type(move) is Camel:
        return _place_camel(position, move)
    if type(move) is Leader:
        return _place_leader(position, move)
    if type(move) is Remove:
        return _remove_leader(position, move)
    return position._replace(turn=position.turn + 1, who=_next(position))


def _next(position: Position) -> int:
    return (position.who + 1) % len(position.ground.seats)


def _remove_leader(position: Position, move: Remove) -> Position:
    removed = (*position.removed, COLOUR_AT[move.colour])
    phase = REMOVAL if len(removed) < len(position.ground.seats) else LEADERS
    return position._replace(phase=phase, turn=position.turn + 1, who=_next(position), removed=removed)


def _place_leader(position: Position, move: Leader) -> Position:
    index = position.who * KINDS + COLOUR_AT[move.colour]
    bit = position.ground.sites[move.space].bit
    turn = position.turn + 1
    return position._replace(
        phase=LEADERS if turn < position.ground.camel_turn else CAMELS,
        turn=turn,
        who=_next(position),
        free=position.free ^ bit,
        camels=_with(position.camels, index, bit),
        leaders=_with(position.leaders, index, bit),
    )


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _place_camel(position: Position, move: Camel) -> Position:
    ground, phase, turn, who, placed, free, camels, leaders, herds, taken, areas, removed = position
    site = ground.sites[move.space]
    colour = COLOUR_AT[move.colour]
    index = who * KINDS + colour
    before = camels[index]
    caravan = before | site.bit
    free ^= site.bit
    herds = (*herds[:colour], herds[colour] - 1, *herds[colour + 1 :])
    camels = (*camels[:index], caravan, *camels[index + 1 :])
    for value, holes in enumerate(ground.water, start=1):
        if site.bit & holes:
            taken = _gain(taken, who, value)  # TD-W1
    if site.near & ground.oases:
        grid = BOARDS[ground.board].grid
        reached = sum(not grid.grow(oasis) & before for oasis in grid.each(site.near & ground.oases))
        taken = _gain(taken, len(ground.seats) + who, OASIS * reached)  # TD-O1
    if may_enclose(position, site, before):
        for area in enclosed_areas(position, caravan):
            water, oases = spoils(position, caravan, area)
            taken = _gain(_gain(taken, who, water), len(ground.seats) + who, OASIS * oases)  # TD-E4
            free &= ~area
            areas = (*areas, Area(who, colour, area, turn))
    placed += 1
    if placed == 2 or turn < ground.full_turn:
        turn += 1
        placed = 0
        who = who + 1 if who + 1 < len(ground.seats) else 0
        if 0 in herds:  # TD-S1
            phase = OVER
    return Position(ground, phase, turn, who, placed, free, camels, leaders, herds, taken, areas, removed)


def _gain(taken: tuple[int, ...], index: int, points: int) -> tuple[int, ...]:
    return _with(taken, index, taken[index] + points)
