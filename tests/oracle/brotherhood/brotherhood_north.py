"""North of the Wall and over it: tokens, camps, rush, clearings, breaches, the Gift, and the end they bring.

Step by step as sections 2.6, 2.7 and 4.6 to 4.8 of the digest tell it; the drawn tokens are given from outside.
"""

from collections import Counter
from typing import Any

from tests.oracle.brotherhood.brotherhood_table import all_points, finish, guards_of

CLAN_OF_TRAIL = {
    **dict.fromkeys((1, 2, 3), "ice-river"),
    **dict.fromkeys((4, 5), "cave-dwellers"),
    **dict.fromkeys((6, 7, 8), "hornfoot"),
}
SECTION_OF_TRAIL = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4}
RUSH_OVER = {"ice-river": (1, 3), "cave-dwellers": (4, 5), "hornfoot": (6, 7)}
"""The lower trail by its lower number, and the higher one."""

CROWD = 5
MOST_BREACHES = 3
MOST_IN_THE_GIFT = 8


# -- Tokens


def pool_generation(table: Any) -> Any:
    """The shuffle that the pool comes from."""
    return max(generation for generation, count in table.pool.items() if count)


def lift_tokens(table: Any, seat: Any, piece: Any, count: Any) -> None:
    """A piece leaves the card, and the tokens that lay under it are revealed one after the other."""
    for _ in range(count):
        table.agenda.append(("token", table.under[seat, piece].pop(0)))


def may_be_revealed(table: Any, source: Any, token: Any) -> Any:
    """Whether a token may be the one that is due: from the pool, or from the card by its shuffle."""
    generation = pool_generation(table) if source == "pool" else source
    return table.unseen[generation][token] > 0


def reveal(table: Any, source: Any, token: Any) -> None:
    """Turn a token up and place its figure."""
    generation = source
    if source == "pool":
        generation = pool_generation(table)
        table.pool[generation] -= 1
    table.unseen[generation][token] -= 1
    table.used[token] += 1
    refill(table)
    gather(table, *token)


def refill(table: Any) -> None:
    """Shuffle the used tokens into a new pool as soon as the old one is empty."""
    if not table.pool.total() and table.used.total():
        generation = max(table.unseen) + 1
        table.unseen[generation] = table.used
        table.pool = Counter({generation: table.used.total()})
        table.used = Counter()


def put_fresh_token(table: Any, seat: Any) -> None:
    """The settlement that came back to the card gets a token from the pool."""
    generation = pool_generation(table)
    table.pool[generation] -= 1
    table.under[seat, "settlement"].append(generation)
    refill(table)


def return_token(table: Any, seat: Any) -> None:
    """The token under a settlement of set-up goes back to the pool unseen."""
    table.pool[table.under[seat, "settlement"].pop(0)] += 1


# -- Camps and trails


def gather(table: Any, clan: Any, kind: Any) -> None:
    """A figure comes from the Frostfangs to the hottest free camp of its clan; the fifth brings a rush."""
    if not table.frostfangs[kind]:
        return
    table.frostfangs[kind] -= 1
    table.camps[clan].append(kind)
    if len(table.camps[clan]) == CROWD:
        for trail in RUSH_OVER[clan]:
            if not table.over:
                advance(table, clan, trail)


def follow_wildling_die(table: Any, number: Any) -> None:
    """The wildling in the hottest camp at the trail of that number advances, if there is one."""
    clan = CLAN_OF_TRAIL.get(number)
    if clan is not None and table.camps[clan]:
        advance(table, clan, number)


def advance(table: Any, clan: Any, trail: Any) -> None:
    """The one in the hottest camp comes to the clearing; the others move up."""
    kind = table.camps[clan].pop(0)
    section = SECTION_OF_TRAIL[trail]
    if kind == "climber":
        cross(table, kind, trail)
        look_for_the_end(table)
    elif kind == "giant" and table.guards[section]:
        table.guards[section].pop(0)
        table.frostfangs[kind] += 1
        hold_clearing(table, section, trail)
    elif kind == "giant":
        table.clearings[section].append(kind)
        breach(table, section, trail)
    else:
        table.clearings[section].append(kind)
        hold_clearing(table, section, trail)


def hold_clearing(table: Any, section: Any, trail: Any) -> None:
    """More wildlings than guards make a breach."""
    if len(table.clearings[section]) > len(table.guards[section]):
        breach(table, section, trail)


def breach(table: Any, section: Any, trail: Any) -> None:
    """The guard on space 1 leaves, all in the clearing cross, the marker moves."""
    if table.guards[section]:
        table.guards[section].pop(0)
    while table.clearings[section]:
        cross(table, table.clearings[section].pop(0), trail)
    table.breaches += 1
    look_for_the_end(table)


def cross(table: Any, kind: Any, trail: Any) -> None:
    """A wildling blocks the first hex without one, along the lines of the digest's table."""
    section = SECTION_OF_TRAIL[trail]
    own = [trail, *(number for number in table.board.lines if SECTION_OF_TRAIL[number] == section and number != trail)]
    others = sorted(
        (number for number in table.board.lines if SECTION_OF_TRAIL[number] != section),
        key=lambda number: (abs(SECTION_OF_TRAIL[number] - section), SECTION_OF_TRAIL[number], number),
    )
    for number in (*own, *others):
        for place in table.board.lines[number]:
            if place not in table.gift:
                table.gift[place] = kind
                return
    raise AssertionError("the Gift is full")


# -- The end that wildlings bring


def look_for_the_end(table: Any) -> None:
    """The third breach, or the eighth wildling in the Gift."""
    if table.breaches >= MOST_BREACHES or len(table.gift) >= MOST_IN_THE_GIFT:
        finish(table, min(table.seats, key=lambda seat: rank(table, seat)))


def rank(table: Any, seat: Any) -> Any:
    """Most guards, most points, lowest spaces, most western sections, earliest seat: the least rank wins."""
    posts = [
        (space, section)
        for section, owners in table.guards.items()
        for space, owner in enumerate(owners, start=1)
        if owner == seat
    ]
    return (
        -guards_of(table, seat),
        -all_points(table, seat),
        sorted(space for space, _ in posts),
        sorted(section for _, section in posts),
        table.seats.index(seat),
    )
