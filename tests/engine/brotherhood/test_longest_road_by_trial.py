"""The engine measures roads as somebody does who walks all of them.

``CARAVAN_NETWORKS`` says how many random networks are measured (400 unless set).
"""

import os
from collections import Counter
from random import Random
from typing import Any

from engine.brotherhood.board import chart
from engine.brotherhood.longest_road import longest_road
from tests.oracle.brotherhood import brotherhood_networks as networks
from tests.oracle.brotherhood.brotherhood_roads import longest_trail

NETWORKS = int(os.environ.get("CARAVAN_NETWORKS", "400"))


def engine_measures(board: Any, paths: Any, blocked: Any) -> Any:
    """The same network in the engine's integers."""
    there = chart(board.hexes)
    roads = sum(1 << there.path_of[board.ends(path)] for path in paths)
    return longest_road(there, roads, sum(1 << board.number(point) for point in blocked))


def test_the_longest_road_is_the_longest_of_all_trails() -> None:
    lengths: Counter[int] = Counter()
    for number in range(NETWORKS):
        board, paths, blocked = networks.draw(Random(number))
        length = longest_trail(frozenset(paths), frozenset(blocked))
        assert engine_measures(board, paths, blocked) == length, (number, paths, blocked)
        lengths[length] += 1
    assert set(range(1, networks.MOST_ROADS + 1)) <= lengths.keys()
