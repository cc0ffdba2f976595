"""Small changes on the map and at the Wall that might make a refused move legal; `remedies` says what they are for."""

from collections.abc import Iterator, Mapping
from functools import reduce

from engine.brotherhood.apply import apply
from engine.brotherhood.board import each, ends_of, numbers
from engine.brotherhood.building import road_places
from engine.brotherhood.judge import judge_plainly
from engine.brotherhood.moves import (
    Benjen,
    Guard,
    Keep,
    Qhorin,
    Ranger,
    Recruits,
    Road,
    Roads,
    Settlement,
    Thorne,
    Tormund,
    Yarwyck,
    Ygritte,
    Yoren,
)
from engine.brotherhood.position import CAMP, Position
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.wall_sections import guards_of, with_section
from engine.brotherhood.wall_state import CLAN_AT, GUARDS, SECTIONS, Watch
from engine.game import Ply, Seat
from engine.verdict import Proposal, Remedy, after


def pieces(position: Position, seat: Seat, who: int, move: object) -> Iterator[Proposal]:
    """Moves that could come first, and pieces that could stand or not stand where they do."""
    chart = position.ground.chart
    match move:
        case Road() | Roads() | Yarwyck():
            yield from _for_paths(position, seat, who, move)
        case Settlement(spot) if 0 < spot <= len(chart.points):
            yield from _without_buildings(position, 1 << spot | chart.near[spot])
            yield from _roads_to(position, seat, who, chart.paths_at[spot])
            yield from _firsts(position, seat, {str(own): Keep(own) for own in numbers(position.settlements[who])})
        case Keep(spot) if 0 < spot <= len(chart.points):
            yield from _for_keep(position, seat, who, spot)
        case Tormund(letter) | Ranger("tormund", letter) if chart.hex_of.get(letter) == position.tormund != CAMP:
            facts = {"hex": letter}
            says = "it would be legal if Tormund did not stand on {hex}"
            yield Proposal(Remedy("piece", says, facts, (letter,)), position._replace(tormund=CAMP))
        case _ if position.watch is not None:
            yield from _at_the_wall(position, position.watch, seat, who, move)


# Roads


def _for_paths(position: Position, seat: Seat, who: int, move: Road | Roads | Yarwyck) -> Iterator[Proposal]:
    chart = position.ground.chart
    pairs = (
        ((move.one, move.two),)
        if isinstance(move, Road)
        else move.paths
        if isinstance(move, Roads)
        else (move.rebuilt,)
    )
    for path in [chart.path_of[pair] for pair in pairs if pair in chart.path_of]:
        if position.paved >> path & 1:
            yield _without_road(position, path)
        else:
            yield from _without_buildings(position, chart.ends[path])
            beside = 0
            for spot in chart.paths[path]:
                beside |= chart.paths_at[spot]
            yield from _roads_to(position, seat, who, beside & ~(1 << path))


def _roads_to(position: Position, seat: Seat, who: int, paths: int) -> Iterator[Proposal]:
    """An own road on one of some paths: built first if it can be, else imagined."""
    chart = position.ground.chart
    near = paths & road_places(WorkingPosition(position), who)
    yield from _firsts(position, seat, {_name(position, path): Road(*chart.paths[path]) for path in numbers(near)})
    for path in numbers(near):
        name = _name(position, path)
        says = "it would be legal if a road of {seat}'s lay on {path}"
        roads = [*position.roads]
        roads[who] |= 1 << path
        yield Proposal(Remedy("piece", says, {"seat": seat, "path": name}, (name,)), _paved(position, roads))


def _without_road(position: Position, path: int) -> Proposal:
    name = _name(position, path)
    remedy = Remedy("piece", "it would be legal if no road lay on {path}", {"path": name}, (name,))
    return Proposal(remedy, _paved(position, [own & ~(1 << path) for own in position.roads]))


def _name(position: Position, path: int) -> str:
    """A path as records and marks name it."""
    return "{}-{}".format(*position.ground.chart.paths[path])


def _paved(position: Position, roads: list[int]) -> Position:
    """The table with other roads."""
    chart = position.ground.chart
    ends = tuple([ends_of(chart, own) for own in roads])
    return position._replace(roads=tuple(roads), ends=ends, paved=reduce(int.__or__, roads))


def _firsts(position: Position, seat: Seat, moves: Mapping[str, Road | Settlement | Keep]) -> Iterator[Proposal]:
    """Legal ones of some moves, to be made first, by their places."""
    for place, first in moves.items():
        ply = Ply(seat, first)
        if judge_plainly(WorkingPosition(position), *ply) is None:
            yield after(first, apply(position, ply), place)


# Settlements and keeps


def _without_buildings(position: Position, spots: int) -> Iterator[Proposal]:
    """That nothing had been built at one of some intersections."""
    for who, owner in enumerate(position.ground.seats):
        for spot in each((position.settlements[who] | position.keeps[who]) & spots):
            facts, bit = {"owner": owner, "at": spot}, ~(1 << spot)
            says = "it would be legal if {owner} had not built at {at}"
            settlements = [own & bit for own in position.settlements]
            keeps = [own & bit for own in position.keeps]
            yield Proposal(Remedy("piece", says, facts, (str(spot),)), _settled(position, settlements, keeps))


def _for_keep(position: Position, seat: Seat, who: int, spot: int) -> Iterator[Proposal]:
    """A settlement to replace: built first if it can be, else imagined where one could stand."""
    yield from _firsts(position, seat, {str(spot): Settlement(spot)})
    if not position.closed >> spot & 1:
        settlements = [*position.settlements]
        settlements[who] |= 1 << spot
        says = "it would be legal if a settlement of {seat}'s stood at {at}"
        remedy = Remedy("piece", says, {"seat": seat, "at": spot}, (str(spot),))
        yield Proposal(remedy, _settled(position, settlements, [*position.keeps]))


def _settled(position: Position, settlements: list[int], keeps: list[int]) -> Position:
    """The table with other settlements and keeps."""
    closed = 0
    for spot in each(reduce(int.__or__, (*settlements, *keeps))):
        closed |= 1 << spot | position.ground.chart.near[spot]
    return position._replace(settlements=tuple(settlements), keeps=tuple(keeps), closed=closed)


# The Wall and beyond


def _at_the_wall(position: Position, watch: Watch, seat: Seat, who: int, move: object) -> Iterator[Proposal]:
    match move:
        case Guard(section) | Recruits(section) | Thorne(section) | Yoren(section):
            yield from _for_guard(position, watch, seat, who, section)
        case Ygritte(letter) | Ranger("wildling", letter) if letter in position.ground.chart.hex_of:
            regulars, climbers, giants = watch.gift
            held = (regulars | 1 << position.ground.chart.hex_of[letter], climbers, giants)
            remedy = Remedy("piece", "it would be legal if a wildling held {hex}", {"hex": letter}, (letter,))
            yield Proposal(remedy, position._replace(watch=watch._replace(gift=held)))
        case Benjen():
            yield from _for_benjen(position, watch, move)
        case Qhorin() if position.tormund == CAMP:
            remedy = Remedy("piece", "it would be legal if Tormund stood on a hex")
            yield Proposal(remedy, position._replace(tormund=0))


def _for_guard(position: Position, watch: Watch, seat: Seat, who: int, section: int) -> Iterator[Proposal]:
    """A guard less: on a section that is full, or of a player who has none left."""
    if not 1 <= section <= SECTIONS:
        return
    guards = watch.sections[section - 1]
    if guards:
        remedy = Remedy(
            "piece",
            "it would be legal if a space of section {section} were free",
            {"section": section},
            (f"section {section}",),
        )
        yield Proposal(remedy, position._replace(watch=with_section(watch, section - 1, guards[:-1])))
    if guards_of(watch, who) == GUARDS:
        other = next(at for at, there in enumerate(watch.sections) if who in there)
        there = [*watch.sections[other]]
        there.remove(who)
        says = "it would be legal if a guard of {seat}'s did not stand on section {section}"
        facts = {"seat": seat, "section": other + 1}
        fewer = with_section(watch, other, tuple(there))
        yield Proposal(Remedy("piece", says, facts, (f"section {other + 1}",)), position._replace(watch=fewer))


def _for_benjen(position: Position, watch: Watch, move: Benjen) -> Iterator[Proposal]:
    """A wildling where Benjen looks for one."""
    facts = {"place": move.place, "clan": move.clan}
    if move.clan is None and 1 <= move.place <= len(watch.clearings):
        clearings = [*watch.clearings]
        clearings[move.place - 1] = 1
        remedy = Remedy("piece", "it would be legal if a wildling waited in clearing {place}", facts)
        yield Proposal(remedy, position._replace(watch=watch._replace(clearings=tuple(clearings))))
    if move.clan in CLAN_AT:
        clan = CLAN_AT[move.clan]
        camps = [*watch.camps]
        camps[clan] = (*camps[clan], 0)
        remedy = Remedy("piece", "it would be legal if a wildling were in camp {place} of {clan}", facts)
        yield Proposal(remedy, position._replace(watch=watch._replace(camps=tuple(camps))))
