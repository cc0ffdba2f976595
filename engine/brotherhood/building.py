"""Roads, settlements and keeps: where they may go, what they cost, how they are judged and built.

The rules are BB-B1 to BB-B8 in play, BB-P4 and BB-P5 in set-up. Places are masks of paths and intersections. This
module knows no dice, no trade, and of cards only what a piece costs.
"""

from typing import Final

from engine.brotherhood.board import paths_touching
from engine.brotherhood.hands import KEEP_PRICE, ONE, ROAD_PRICE, SETTLEMENT_PRICE, covers, unpack
from engine.brotherhood.longest_road import compare_roads, longest_through, measure
from engine.brotherhood.moves import RESOURCES, Keep, Road, Settlement
from engine.brotherhood.position import NOBODY, PAVE, SETTLE
from engine.brotherhood.rules import building, turns
from engine.brotherhood.table import WorkingPosition
from engine.verdict import Verdict

ROADS: Final = 15
SETTLEMENTS: Final = 5
KEEPS: Final = 4
"""Pieces of each player (BB-B2)."""


def reach(table: WorkingPosition, who: int) -> int:
    """The intersections from which a player may build on (BB-B4)."""
    return table.ends[who] & ~table.foreign(who) | table.settlements[who] | table.keeps[who]


def road_places(table: WorkingPosition, who: int) -> int:
    """The paths that may take a player's road."""
    return paths_touching(table.chart, reach(table, who)) & ~table.paved


def settlement_places(table: WorkingPosition, who: int) -> int:
    """The intersections that may take a player's settlement (BB-B5 to BB-B7)."""
    return table.ends[who] & ~table.closed


def missing(table: WorkingPosition, who: int, price: int, thing: str) -> Verdict | None:
    """BB-B1: whether a player can pay, and what is wanting."""
    if covers(table.hands[who], price):
        return None
    wanting = [
        f"{need - have} {name}"
        for name, need, have in zip(RESOURCES, unpack(price), unpack(table.hands[who]), strict=True)
        if need > have
    ]
    facts = {"seat": table.ground.seats[who], "thing": thing, "wanting": ", ".join(wanting)}
    return Verdict(building.B1, "{seat} cannot pay for {thing}: {wanting} is missing", facts)


# Roads


def judge_path(table: WorkingPosition, pair: tuple[int, int], spots: int, paved: int) -> Verdict | None:
    """Whether a path can take a road that must start at one of some intersections."""
    path = table.chart.path_of.get(pair)
    facts: dict[str, object] = {"path": "{}-{}".format(*pair), "seat": table.on_turn}
    if path is None:  # BB-B3
        spot = next((each for each in pair if table.chart.spots >> each & 1), None)
        if spot is None:
            return Verdict(building.B3, "there is no path {path} on this board", facts)
        facts |= {"spot": spot, "paths": ", ".join(f"{a}-{b}" for a, b in table.chart.paths if spot in (a, b))}
        return Verdict(building.B3, "there is no path {path} on this board; from {spot} there are {paths}", facts)
    if paved >> path & 1:  # BB-B3
        facts["owner"] = next((s for s, r in zip(table.ground.seats, table.roads, strict=True) if r >> path & 1), "")
        return Verdict(building.B3, "a road of {owner} lies on {path}", facts)
    ends = table.chart.ends[path]
    if ends & spots:
        return None
    if table.stage == PAVE:  # BB-P5
        return Verdict(turns.P5, "{path} does not start at the settlement on {spot}", {**facts, "spot": table.fresh})
    says = "{path} touches no road or building of {seat}"
    if ends & table.ends[table.who]:  # BB-B4
        says = "{path} continues {seat}'s road only past somebody else's building"
    return Verdict(building.B4, says, facts)


def judge_road(table: WorkingPosition, who: int, move: Road) -> Verdict | None:
    """None if the road can be built."""
    if table.stage == PAVE:
        return judge_path(table, (move.one, move.two), 1 << table.fresh, table.paved)
    verdict = judge_path(table, (move.one, move.two), reach(table, who), table.paved)
    if verdict is not None:
        return verdict
    if table.roads[who].bit_count() >= ROADS:  # BB-B2
        return Verdict(building.B2, "all 15 roads of {seat} are built", {"seat": table.ground.seats[who]})
    return missing(table, who, ROAD_PRICE, "a road")


def play_road(table: WorkingPosition, who: int, move: Road) -> None:
    """Build a road; in set-up it ends the turn."""
    lay_road(table, who, table.chart.path_of[move.one, move.two])
    if table.stage == PAVE:
        table.begin_turn(table.turn + 1)
        return
    table.pay(who, ROAD_PRICE)
    table.start_building()
    compare_roads(table)


def lay_road(table: WorkingPosition, who: int, path: int) -> None:
    """Put a road on a path and measure the line it makes."""
    table.roads[who] |= 1 << path
    table.ends[who] |= table.chart.ends[path]
    table.paved |= 1 << path
    through = longest_through(table.chart, table.roads[who], table.foreign(who) & table.ends[who], path)
    if through > table.lengths[who]:
        table.lengths[who] = through


# Settlements


def judge_settlement(table: WorkingPosition, who: int, move: Settlement) -> Verdict | None:
    """None if the settlement can be built."""
    spot, seats = move.spot, table.ground.seats
    facts: dict[str, object] = {"spot": spot, "seat": seats[who]}
    if not 0 < spot <= len(table.chart.points):  # BB-B5
        return Verdict(building.B5, "there is no intersection {spot} on this board", facts)
    if table.closed >> spot & 1:
        return _too_close(table, spot, facts)
    if table.stage == SETTLE:
        return None
    if not table.ends[who] >> spot & 1:  # BB-B7
        return Verdict(building.B7, "no road of {seat} ends at {spot}", facts)
    if table.settlements[who].bit_count() >= SETTLEMENTS:  # BB-B2
        return Verdict(building.B2, "all 5 settlements of {seat} are built; a keep would free one", facts)
    return missing(table, who, SETTLEMENT_PRICE, "a settlement")


def _too_close(table: WorkingPosition, spot: int, facts: dict[str, object]) -> Verdict:
    for owner, seat in enumerate(table.ground.seats):
        if table.buildings(owner) >> spot & 1:  # BB-B5
            return Verdict(building.B5, "{owner} has built at {spot}", {**facts, "owner": seat})
    for owner, seat in enumerate(table.ground.seats):
        near = table.buildings(owner) & table.chart.near[spot]
        if near:
            facts |= {"owner": seat, "at": near.bit_length() - 1}
    return Verdict(building.B6, "{spot} is one path from what {owner} has built at {at}", facts)  # BB-B6


def play_settlement(table: WorkingPosition, who: int, move: Settlement) -> None:
    """Build a settlement; in set-up its road follows, and the second one brings the first cards (BB-P9)."""
    spot = move.spot
    table.settlements[who] |= 1 << spot
    table.closed |= 1 << spot | table.chart.near[spot]
    if table.stage == SETTLE:
        if table.turn > table.players:
            first_cards(table, who, spot)
        table.fresh, table.stage = spot, PAVE
        table.law.placed(table, who)
        return
    table.pay(who, SETTLEMENT_PRICE)
    table.start_building()
    table.law.settled(table, who)
    for other in range(table.players):  # BB-L2: it may cut somebody's road
        if other != who and table.ends[other] >> spot & 1:
            measure(table, other)
    compare_roads(table)


def first_cards(table: WorkingPosition, who: int, spot: int) -> None:
    """One card for each hex at a settlement of the start."""
    for hex_ in table.chart.hexes_at[spot]:
        kind = table.ground.produce[hex_]
        if kind != NOBODY:
            table.gain(who, ONE[kind])


# Keeps


def judge_keep(table: WorkingPosition, who: int, move: Keep) -> Verdict | None:
    """None if the keep can be built."""
    facts = {"spot": move.spot, "seat": table.ground.seats[who]}
    if move.spot < 0 or not table.settlements[who] >> move.spot & 1:  # BB-B8
        return Verdict(building.B8, "{seat} has no settlement at {spot}", facts)
    if table.keeps[who].bit_count() >= KEEPS:  # BB-B2
        return Verdict(building.B2, "all 4 keeps of {seat} are built", facts)
    return missing(table, who, KEEP_PRICE, "a keep")


def play_keep(table: WorkingPosition, who: int, move: Keep) -> None:
    """Replace a settlement by a keep."""
    table.settlements[who] ^= 1 << move.spot
    table.keeps[who] |= 1 << move.spot
    table.pay(who, KEEP_PRICE)
    table.start_building()
    table.law.fortified(table, who)
