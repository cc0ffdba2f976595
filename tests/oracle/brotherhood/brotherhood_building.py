"""Where pieces may stand and what building them does, section 3 of the base rules and 4.9, 4.10 of the digest.

What follows from a building, tokens and special cards, is put on the table's agenda in the order of 4.14.5.
"""

from typing import Any

from tests.oracle.brotherhood.brotherhood_north import lift_tokens, return_token
from tests.oracle.brotherhood.brotherhood_roads import holder_of_patrol, holder_of_road
from tests.oracle.brotherhood.brotherhood_table import (
    COSTS,
    SPACES,
    collect_first_cards,
    holds,
    move_cards,
    pieces_left,
)

# -- What may be placed


def free_site(table: Any, point: Any) -> Any:
    """The distance rule: neither this intersection nor one beside it is built on."""
    return point is not None and not any(near in table.buildings for near in (point, *table.board.beside[point]))


def settlement_fits(table: Any, seat: Any, point: Any) -> Any:
    """A free site where a road of one's own ends."""
    own = any(owner == seat and point in path for path, owner in table.roads.items())
    return free_site(table, point) and own and pieces_left(table, seat, "settlement") > 0


def keep_fits(table: Any, seat: Any, point: Any) -> Any:
    """A settlement of one's own."""
    return table.buildings.get(point) == (seat, "settlement") and pieces_left(table, seat, "keep") > 0


def road_fits(table: Any, seat: Any, path: Any) -> Any:
    """A free path that connects to one's own, and not only through a corner that somebody else holds."""
    if path is None or path in table.roads or pieces_left(table, seat, "road") == 0:
        return False
    return any(connects(table, seat, point) for point in path)


def connects(table: Any, seat: Any, point: Any) -> Any:
    """Whether one's own road, settlement or keep is at a point, without a stranger's building there."""
    if point in table.buildings:
        return table.buildings[point][0] == seat
    return any(owner == seat and point in path for path, owner in table.roads.items())


def guard_fits(table: Any, seat: Any, section: Any) -> Any:
    """A free space on that section, and a guard to stand there."""
    return (
        table.watch
        and section in table.guards
        and len(table.guards[section]) < SPACES
        and pieces_left(table, seat, "guard") > 0
    )


def roads_fit(table: Any, seat: Any, paths: Any) -> Any:
    """Two free roads one after the other; one only where there is no second piece or place."""
    if not 1 <= len(paths) <= 2 or not road_fits(table, seat, paths[0]):
        return False
    table.roads[paths[0]] = seat
    second = any(road_fits(table, seat, path) for path in table.board.paths)
    fits = road_fits(table, seat, paths[1]) if len(paths) == 2 else not second
    del table.roads[paths[0]]
    return fits


# -- What building does


def pay(table: Any, seat: Any, what: Any, cost: Any = None) -> None:
    """Give the price to the supply."""
    move_cards(table.hands[seat], table.supply, cost or COSTS[what])


def can_pay(table: Any, seat: Any, what: Any) -> Any:
    """Whether a hand holds the price."""
    return holds(table, seat, COSTS[what])


def raise_settlement(table: Any, seat: Any, point: Any) -> None:
    """A settlement on one's own turn: its token; and it may cut a road."""
    table.buildings[point] = (seat, "settlement")
    if table.watch:
        lift_tokens(table, seat, "settlement", 1)
    award_longest_road(table)


def raise_keep(table: Any, seat: Any, point: Any) -> None:
    """A keep: its two tokens; the settlement goes back to the card with a fresh one under it."""
    table.buildings[point] = (seat, "keep")
    if table.watch:
        lift_tokens(table, seat, "keep", 2)
        table.agenda.append(("fresh token", seat))


def lay_road(table: Any, seat: Any, path: Any) -> None:
    """A road, and Longest Road."""
    table.roads[path] = seat
    award_longest_road(table)


def post_guard(table: Any, seat: Any, section: Any) -> None:
    """A guard on the lowest free space."""
    table.guards[section].append(seat)


def award_longest_road(table: Any) -> None:
    """Longest Road goes where it belongs, at once; the token that it reveals waits for those before it."""
    before, table.longest = table.longest, holder_of_road(table)
    reveal_for_card(table, before, table.longest)


def award_largest_patrol(table: Any) -> None:
    """Largest Patrol likewise."""
    before, table.largest = table.largest, holder_of_patrol(table)
    reveal_for_card(table, before, table.largest)


def reveal_for_card(table: Any, before: Any, now: Any) -> None:
    """Whoever receives a special card reveals a token from the pool."""
    if table.watch and now is not None and now != before:
        table.agenda.append(("token", "pool"))


# -- Set-up


def placed_last(table: Any, seat: Any) -> Any:
    """The settlement that a seat has just placed in set-up: the last that was built."""
    return [point for point, (owner, _) in table.buildings.items() if owner == seat][-1]


def setup_fits(table: Any, what: Any, seat: Any, place: Any) -> Any:
    """Whether the piece that is due in set-up may stand there."""
    if what == "settlement":
        return free_site(table, place)
    if what == "guard":
        return guard_fits(table, seat, place)
    return place is not None and place not in table.roads and placed_last(table, seat) in place


def set_up_piece(table: Any, what: Any, seat: Any, place: Any) -> None:
    """Place what is due in set-up; the second settlement yields cards."""
    table.to_place.pop(0)
    if what == "settlement":
        second = any(owner == seat for owner, _ in table.buildings.values())
        table.buildings[place] = (seat, "settlement")
        if table.watch:
            return_token(table, seat)
        if second:
            collect_first_cards(table, seat, place)
        return
    if what == "guard":
        post_guard(table, seat, place)
    else:
        table.roads[place] = seat
    table.turn += 1
