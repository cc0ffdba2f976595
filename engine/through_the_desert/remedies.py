"""Small changes that might make a refused move legal in Through the Desert: another first, a piece less or more.

Whether one does is for `judge` to say, so nothing is left out here because of a rule.
"""

from collections.abc import Iterator
from dataclasses import replace

from engine.game import Ply, Seat
from engine.through_the_desert.apply import apply
from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.judge import judge
from engine.through_the_desert.legal import leader_colours, settle
from engine.through_the_desert.moves import Camel, Leader
from engine.through_the_desert.position import (
    CAMELS,
    COLOUR_AT,
    KINDS,
    LAST,
    LEADERS,
    OVER,
    Position,
    Site,
    shores_around,
    shores_by_space,
)
from engine.verdict import TURN, Proposal, Remedy, after, free


def remedies(position: Position, ply: Ply) -> Iterator[Proposal]:
    """Changes for a refused ply, the smallest first, each with the position as it would be then."""
    for proposal in _changes(settle(position), ply):
        changed: Position = proposal.position
        # Whoever places a leader has one to place, also in what is imagined.
        if changed.phase != LEADERS or leader_colours(changed):
            yield proposal


def _changes(position: Position, ply: Ply) -> Iterator[Proposal]:
    seat, move = ply
    if seat not in position.ground.seats:
        return
    if seat != position.ground.seats[position.who]:
        yield _own_turn(position, seat)
        return
    site = position.ground.sites.get(move.space) if isinstance(move, Camel | Leader) else None
    if site is None:
        return
    if site.bit & position.ground.oases:
        yield free(move.space, _without_oasis(position, site.bit))
    elif site.bit & sum(position.camels):
        # Where the own caravan of the colour stands already, there is nothing to wish for.
        if not (isinstance(move, Camel) and site.bit & _own(position, COLOUR_AT.get(move.colour, 0))):
            yield free(move.space, _without_camel(position, site.bit))
    elif isinstance(move, Camel):
        yield from _near_camel(position, seat, move, site)
    else:
        yield from _near_leader(position, seat, move, site)


def _own_turn(position: Position, seat: Seat) -> Proposal:
    phase = CAMELS if position.phase == LAST else position.phase
    turned = position._replace(who=position.ground.seats.index(seat), placed=0, phase=phase)
    return Proposal(Remedy("order", TURN, {"seat": seat}), turned)


def next_turn(position: Position, ply: Ply) -> Position | None:
    """The table in the next turn of a seat, if nobody did anything until then."""
    position, seats = settle(position), position.ground.seats
    if position.phase == OVER or ply.seat not in seats:
        return None
    turned: Position = _own_turn(position, ply.seat).position
    if turned.phase == LEADERS and not leader_colours(turned):
        return None
    return turned._replace(turn=position.turn + (turned.who - position.who) % len(seats))


def _near_camel(position: Position, seat: Seat, move: Camel, site: Site) -> Iterator[Proposal]:
    """A camel that leads to the space, a rival's camel beside it, or a camel for the herd."""
    colour = COLOUR_AT.get(move.colour)
    if colour is None:
        return
    ground = position.ground
    beside = ground.grid.spaces(site.near & position.free)
    for space in beside:
        first = Camel(move.colour, space)
        if judge(position, Ply(seat, first)) is None:
            yield after(first, apply(position, Ply(seat, first)), space)
    yield from _without_neighbour(position, site.near & (position.flocks[colour] ^ _own(position, colour)))
    if not position.herd(colour):
        more = position._replace(ground=replace(ground, herd=ground.herd + 1, flock=ground.flock + 1))
        yield Proposal(
            Remedy("stock", "it would be legal with one more {colour} camel in the herd", {"colour": move.colour}), more
        )
    for space in beside:
        first = Camel(move.colour, space)
        if judge(position, Ply(seat, first)) is None:
            facts = {"seat": seat, "colour": move.colour, "at": space}
            says = "it would be legal if a {colour} camel of {seat}'s stood at {at}"
            yield Proposal(Remedy("piece", says, facts, (space,)), _with_camel(position, colour, space))


def _near_leader(position: Position, seat: Seat, move: Leader, site: Site) -> Iterator[Proposal]:
    """A waterhole under the leader, an oasis or a leader beside it, or a leader of its colour anywhere."""
    ground = position.ground
    if site.bit & ground.wet:
        one, two, three = (water & ~site.bit for water in ground.water)
        dry = replace(ground, water=(one, two, three), wet=ground.wet & ~site.bit)
        yield Proposal(
            Remedy("piece", "it would be legal if no waterhole lay at {at}", {"at": move.space}, (move.space,)),
            position._replace(ground=dry),
        )
    for oasis in ground.grid.each(site.near & ground.oases):
        at = ground.grid.names[oasis]
        yield Proposal(
            Remedy("piece", "it would be legal if no oasis stood at {at}", {"at": at}, (at,)),
            _without_oasis(position, oasis),
        )
    yield from _without_neighbour(position, site.near & sum(position.leaders))
    colour = COLOUR_AT.get(move.colour)
    if colour is not None:
        yield from _without_neighbour(position, sum(position.leaders[colour::KINDS]))


def _own(position: Position, colour: int) -> int:
    """The caravan of the player on turn."""
    return position.camels[position.who * KINDS + colour]


def _without_neighbour(position: Position, camels: int) -> Iterator[Proposal]:
    """That one of some camels or leaders did not stand where it stands."""
    ground = position.ground
    for bit in ground.grid.each(camels):
        index = next(index for index, caravan in enumerate(position.camels) if caravan & bit)
        facts = {
            "owner": ground.seats[index // KINDS],
            "colour": COLOURS[index % KINDS],
            "at": ground.grid.names[bit],
        }
        says = (
            "it would be legal if {owner}'s {colour} leader did not stand at {at}"
            if bit & sum(position.leaders)
            else "it would be legal if {owner}'s {colour} camel did not stand at {at}"
        )
        yield Proposal(Remedy("piece", says, facts, (ground.grid.names[bit],)), _without_camel(position, bit))


def _without_camel(position: Position, bit: int) -> Position:
    """The table without the camel, or the leader, on a space."""
    return position._replace(
        free=position.free | bit,
        camels=tuple([caravan & ~bit for caravan in position.camels]),
        flocks=tuple([flock & ~bit for flock in position.flocks]),
        leaders=tuple([leader & ~bit for leader in position.leaders]),
    )


def _with_camel(position: Position, colour: int, space: str) -> Position:
    """The table with another camel of the player on turn."""
    bit, at = position.ground.sites[space].bit, position.who * KINDS + colour
    camels, flocks = [*position.camels], [*position.flocks]
    camels[at] |= bit
    flocks[colour] |= bit
    return position._replace(free=position.free & ~bit, camels=tuple(camels), flocks=tuple(flocks))


def _without_oasis(position: Position, oasis: int) -> Position:
    """The table without one of the oases."""
    ground, oases = position.ground, position.ground.oases & ~oasis
    changed = replace(
        ground,
        oases=oases,
        shore_of=shores_around(ground.board, oases),
        shores_at=shores_by_space(ground.board, oases),
        shores=ground.grid.grow(oases),
    )
    return position._replace(ground=changed, free=position.free | oasis)
