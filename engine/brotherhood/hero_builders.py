"""Yarwyck, Thorne and Yoren, who act while their player builds.

Thorne and Melisandre pay prices in which one resource is replaced by another (BW-J15); those are worked out here.
"""

from functools import cache, lru_cache

from engine.brotherhood.board import Chart, ends_of, numbers, paths_touching
from engine.brotherhood.building import judge_path, lay_road, reach
from engine.brotherhood.cards import compare_patrols
from engine.brotherhood.hands import GUARD_PRICE, KIND, ONE, at_most_two, count, covers
from engine.brotherhood.hero_roster import THORNE, YARWYCK, YOREN
from engine.brotherhood.heroes import BUILDING, judge_use, use
from engine.brotherhood.longest_road import compare_roads, measure
from engine.brotherhood.moves import RESOURCES, Thorne, Yarwyck, Yoren
from engine.brotherhood.rules import heroes
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.wall_guards import judge_section, open_sections, send_guard, unpaid
from engine.verdict import Verdict


def may_replace(price: int, spared: str | None, paid: str | None) -> bool:
    """Whether the price asks for what is spared, and another resource is paid."""
    return spared in KIND and paid in KIND and spared != paid and count(price, KIND[spared]) > 0


def changed_price(price: int, spared: str | None, paid: str | None) -> int:
    """The price with one card replaced; as it is, when nothing is."""
    return price if spared is None or paid is None else price - ONE[KIND[spared]] + ONE[KIND[paid]]


@cache
def replacements(price: int, hand: int) -> tuple[tuple[str, str], ...]:
    """Every way to pay a price from a hand with one card replaced: what is spared, and what is paid.

    The price has one card of a kind at most, and so `at_most_two` cards of each kind say all about the hand.
    """
    return tuple(
        (spared, paid)
        for spared in RESOURCES
        for paid in RESOURCES
        if may_replace(price, spared, paid) and covers(hand, changed_price(price, spared, paid))
    )


# Yarwyck


def judge_yarwyck(table: WorkingPosition, who: int, move: Yarwyck) -> Verdict | None:
    """An own road with one loose end, and a place that takes it once it is lifted (BW-J4, BW-J14)."""
    verdict = judge_use(table, who, YARWYCK, BUILDING)
    if verdict is not None:
        return verdict
    chart, path = table.chart, table.chart.path_of.get(move.lifted)
    facts = {"seat": table.ground.seats[who], "path": "{}-{}".format(*move.lifted)}
    if path is None or not table.roads[who] >> path & 1:
        return Verdict(heroes.J4, "{seat} has no road on {path}", facts)
    free = _free_ends(chart, table.roads[who], table.buildings(who), path)
    if free.bit_count() != 1:
        return Verdict(heroes.J4, "{seat}'s pieces touch the road on {path} at both ends", facts)
    if move.rebuilt == move.lifted:
        return Verdict(heroes.J14, "the road on {path} must go to another place", facts)
    return judge_path(table, move.rebuilt, reach(table, who) & ~free, table.paved ^ 1 << path)


def play_yarwyck(table: WorkingPosition, who: int, move: Yarwyck) -> None:
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


def list_yarwyck(table: WorkingPosition, who: int) -> list[Yarwyck]:
    """Every loose road to every other place."""
    chart, roads, buildings, spots = table.chart, table.roads[who], table.buildings(who), reach(table, who)
    found: list[Yarwyck] = []
    for path in numbers(roads):
        free = _free_ends(chart, roads, buildings, path)
        if free.bit_count() == 1:
            places = paths_touching(chart, spots & ~free) & ~table.paved
            found += [_yarwyck(chart, path, place) for place in numbers(places)]
    return found


@lru_cache(maxsize=16384)
def _yarwyck(chart: Chart, path: int, place: int) -> Yarwyck:
    """The move, made once."""
    return Yarwyck(chart.paths[path], chart.paths[place])


def _free_ends(chart: Chart, roads: int, buildings: int, path: int) -> int:
    """The ends of a road that no other own piece touches; with just one of them it can be lifted."""
    free, others = chart.ends[path] & ~buildings, roads ^ 1 << path
    for spot in chart.paths[path]:
        if chart.paths_at[spot] & others:
            free &= ~(1 << spot)
    return free


# Thorne


def judge_thorne(table: WorkingPosition, who: int, move: Thorne) -> Verdict | None:
    """A guard that can be placed, one resource replaced (BW-J5, BW-J15)."""
    verdict = judge_use(table, who, THORNE, BUILDING)
    if verdict is not None:
        return verdict
    if not may_replace(GUARD_PRICE, move.spared, move.paid):
        facts = {"spared": move.spared, "paid": move.paid}
        says = "{paid} cannot replace {spared}: a guard costs lumber, brick and wool"
        return Verdict(heroes.J5, says, facts, tuple(list_thorne(table, who))[:3])
    price = changed_price(GUARD_PRICE, move.spared, move.paid)
    return judge_section(table, who, move.section) or unpaid(table, who, price)


def play_thorne(table: WorkingPosition, who: int, move: Thorne) -> None:
    """Place the guard and pay."""
    table.start_building()
    send_guard(table, who, move.section)
    table.pay(who, changed_price(GUARD_PRICE, move.spared, move.paid))
    use(table, who)


def list_thorne(table: WorkingPosition, who: int) -> list[Thorne]:
    """Every section with every payment."""
    found: list[Thorne] = []
    hand = at_most_two(table.hands[who])
    if replacements(GUARD_PRICE, hand):
        for section in open_sections(table, who):
            found += _thornes(section, hand)
    return found


@cache
def _thornes(section: int, hand: int) -> tuple[Thorne, ...]:
    """Every payment for a guard on one section, made once."""
    return tuple(Thorne(section, spared, paid) for spared, paid in replacements(GUARD_PRICE, hand))


# Yoren


def judge_yoren(table: WorkingPosition, who: int, move: Yoren) -> Verdict | None:
    """A patrol to give up, and room for a guard (BW-J10)."""
    verdict = judge_use(table, who, YOREN, BUILDING)
    if verdict is not None:
        return verdict
    if not table.patrols[who]:
        return Verdict(heroes.J10, "no Ranger Patrol lies before {seat}", {"seat": table.ground.seats[who]})
    return judge_section(table, who, move.section)


def play_yoren(table: WorkingPosition, who: int, move: Yoren) -> None:
    """The guard comes, the patrol goes, and the patrols are compared (BW-J20)."""
    table.start_building()
    send_guard(table, who, move.section)
    table.patrols[who] -= 1
    compare_patrols(table)
    use(table, who)


def list_yoren(table: WorkingPosition, who: int) -> list[Yoren]:
    """Every section with room."""
    return [_yoren(section) for section in open_sections(table, who)] if table.patrols[who] else []


_yoren = cache(Yoren)
"""The move, made once."""
