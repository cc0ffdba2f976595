"""Yarwyck, Thorne and Yoren, who act while their player builds."""

from collections.abc import Iterator

from engine.brotherhood.board.geometry import each, ends_of, paths_touching
from engine.brotherhood.building.longest import compare_roads, measure
from engine.brotherhood.building.pieces import judge_path, lay_road
from engine.brotherhood.cards.playing import compare_patrols
from engine.brotherhood.hands import GUARD_PRICE
from engine.brotherhood.heroes import rules
from engine.brotherhood.heroes.handling import BUILDING, judge_use, use
from engine.brotherhood.heroes.paying import changed_price, may_replace, replacements
from engine.brotherhood.heroes.roster import THORNE, YARWYCK, YOREN
from engine.brotherhood.moves import Thorne, Yarwyck, Yoren
from engine.brotherhood.table import Table
from engine.brotherhood.wall.recruiting import judge_section, open_sections, send_guard, unpaid
from engine.verdict import Verdict

# Yarwyck


def judge_yarwyck(table: Table, who: int, move: Yarwyck) -> Verdict | None:
    """An own road with one loose end, and a place that takes it once it is lifted (BW-J4, BW-J14)."""
    verdict = judge_use(table, who, YARWYCK, BUILDING)
    if verdict is not None:
        return verdict
    path = table.chart.path_of.get(move.lifted)
    facts = {"seat": table.ground.seats[who], "path": "{}-{}".format(*move.lifted)}
    if path is None or not table.roads[who] >> path & 1:
        return Verdict(rules.J4, "{seat} has no road on {path}", facts)
    if not is_loose(table, who, path):
        return Verdict(rules.J4, "{seat}'s pieces touch the road on {path} at both ends", facts)
    if move.rebuilt == move.lifted:
        return Verdict(rules.J14, "the road on {path} must go to another place", facts)
    return judge_path(table, move.rebuilt, _reach_without(table, who, path), table.paved ^ 1 << path)


def play_yarwyck(table: Table, who: int, move: Yarwyck) -> None:
    """Lift the road, lay it again, and compare the longest roads once."""
    path = table.chart.path_of[move.lifted]
    table.start_building()
    table.paved ^= 1 << path
    table.roads[who] ^= 1 << path
    table.ends[who] = ends_of(table.chart, table.roads[who])
    lay_road(table, who, table.chart.path_of[move.rebuilt])
    measure(table, who)
    compare_roads(table)
    use(table, who)


def list_yarwyck(table: Table, who: int) -> Iterator[Yarwyck]:
    """Every loose road to every other place."""
    paths = table.chart.paths
    for path in each(table.roads[who]):
        if is_loose(table, who, path):
            places = paths_touching(table.chart, _reach_without(table, who, path)) & ~table.paved
            for place in each(places):
                yield Yarwyck(paths[path], paths[place])


def is_loose(table: Table, who: int, path: int) -> bool:
    """Whether own pieces touch a road at just one of its ends."""
    others = ends_of(table.chart, table.roads[who] ^ 1 << path) | table.buildings(who)
    return (table.chart.ends[path] & others).bit_count() == 1


def _reach_without(table: Table, who: int, path: int) -> int:
    """The intersections from which a player may build on when a road is lifted."""
    ends = ends_of(table.chart, table.roads[who] ^ 1 << path)
    return ends & ~table.foreign(who) | table.buildings(who)


# Thorne


def judge_thorne(table: Table, who: int, move: Thorne) -> Verdict | None:
    """A guard that can be placed, one resource replaced (BW-J5, BW-J15)."""
    verdict = judge_use(table, who, THORNE, BUILDING)
    if verdict is not None:
        return verdict
    if not may_replace(GUARD_PRICE, move.spared, move.paid):
        facts = {"spared": move.spared, "paid": move.paid}
        says = "{paid} cannot replace {spared}: a guard costs lumber, brick and wool"
        return Verdict(rules.J5, says, facts, tuple(list_thorne(table, who))[:3])
    price = changed_price(GUARD_PRICE, move.spared, move.paid)
    return judge_section(table, who, move.section) or unpaid(table, who, price)


def play_thorne(table: Table, who: int, move: Thorne) -> None:
    """Place the guard and pay."""
    table.start_building()
    send_guard(table, who, move.section)
    table.pay(who, changed_price(GUARD_PRICE, move.spared, move.paid))
    use(table, who)


def list_thorne(table: Table, who: int) -> Iterator[Thorne]:
    """Every section with every payment."""
    for section in open_sections(table, who):
        for spared, paid in replacements(GUARD_PRICE, table.hands[who]):
            yield Thorne(section, spared, paid)


# Yoren


def judge_yoren(table: Table, who: int, move: Yoren) -> Verdict | None:
    """A patrol to give up, and room for a guard (BW-J10)."""
    verdict = judge_use(table, who, YOREN, BUILDING)
    if verdict is not None:
        return verdict
    if not table.patrols[who]:
        return Verdict(rules.J10, "no Ranger Patrol lies before {seat}", {"seat": table.ground.seats[who]})
    return judge_section(table, who, move.section)


def play_yoren(table: Table, who: int, move: Yoren) -> None:
    """The guard comes, the patrol goes, and the patrols are compared (BW-J20)."""
    table.start_building()
    send_guard(table, who, move.section)
    table.patrols[who] -= 1
    compare_patrols(table)
    use(table, who)


def list_yoren(table: Table, who: int) -> Iterator[Yoren]:
    """Every section with room."""
    if table.patrols[who]:
        for section in open_sections(table, who):
            yield Yoren(section)
