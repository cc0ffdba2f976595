"""The longest road and the two special cards, by trying everything.

A road is a trail: it may meet an intersection twice but uses no path twice, and it does not run on through an
intersection where somebody else has built. All trails are walked from every end.
"""

from functools import lru_cache
from typing import Any

FEWEST = {"road": 5, "patrol": 3}


@lru_cache(maxsize=4096)
def longest_trail(paths: Any, blocked: Any) -> Any:
    """The length of the longest trail along `paths`; through a `blocked` intersection it may only begin or end."""
    ends: dict[Any, set[Any]] = {}
    for path in paths:
        for point in path:
            ends.setdefault(point, set()).add(path)

    def walk(point: Any, left: Any) -> Any:
        if not left & ends[point]:
            return 0
        steps = []
        for path in left & ends[point]:
            (other,) = path - {point}
            on = 0 if other in blocked else walk(other, left - {path})
            steps.append(1 + on)
        return max(steps)

    return max((walk(point, paths) for point in ends), default=0)


def road_length(table: Any, seat: Any) -> Any:
    """How long the longest road of a seat is."""
    own = frozenset(path for path, owner in table.roads.items() if owner == seat)
    blocked = frozenset(point for point, (owner, _) in table.buildings.items() if owner != seat)
    return longest_trail(own, blocked)


def holder(counts: Any, fewest: Any, before: Any) -> Any:
    """Who holds a special card now: taken only by strictly more; on a tie after a break it is set aside."""
    most = max(counts.values())
    best = [seat for seat, count in counts.items() if count == most and most >= fewest]
    if before in best:
        return before
    return best[0] if len(best) == 1 else None


def holder_of_road(table: Any) -> Any:
    """Who holds Longest Road, as the roads lie."""
    return holder({seat: road_length(table, seat) for seat in table.seats}, FEWEST["road"], table.longest)


def holder_of_patrol(table: Any) -> Any:
    """Who holds Largest Patrol, as the Rangers lie."""
    return holder(dict(table.patrols), FEWEST["patrol"], table.largest)
