"""Nomadi's whole turns: how long it takes to list every table to which one can lead, and how many there are.

Once from positions of all moments of a turn, as an ordinary run can afford, and once from whole throws alone, with all
six dice still to play, which takes half an hour and is measured only when asked for.
"""

import gc
import time
from collections.abc import Iterator
from multiprocessing import Pool
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import median, quantiles
from typing import Any, NamedTuple

from benchmarks.measuring import Tell
from benchmarks.nomadi_games import sample_steps
from benchmarks.sizes import Sizes
from benchmarks.table import Row
from engine.nomadi.outcomes import Outcomes
from engine.nomadi.position import Position


class Listed(NamedTuple):
    """All tables to which a turn can lead: how many, in how many seconds, and the memory of the process by then."""

    tables: int
    seconds: float
    megabytes: float


def measure_moments(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """From positions of all moments of a turn, of which a fifth has all its dice still to play."""
    yield from _list_all("a turn", _draw(sizes, [position for position, _ in sample_steps(sizes.nomadi_games)]), tell)


def measure_throws(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """From whole throws alone, of which no die is played yet."""
    positions = [position for position, _ in sample_steps(sizes.nomadi_games)]
    thrown = [position for position in positions if len(position.unplayed) == len(position.dice)]
    yield from _list_all("a whole throw", _draw(sizes, thrown), tell)


def _draw(sizes: Sizes, positions: list[Any]) -> list[Position]:
    drawn = Random(len(positions)).sample(positions, sizes.listed)
    return [position._replace(unplayed=position.unplayed[: sizes.dice]) for position in drawn]


def _list_all(what: str, positions: list[Position], tell: Tell) -> Iterator[Row]:
    """How long the lists take, and how long they are; as many are made at once as the machine has cores."""
    listed = []
    with Pool(maxtasksperchild=10) as pool:  # what one list leaves behind is not charged to many others
        for one in pool.imap(_list_tables, positions):
            listed.append(one)
            if len(listed) % 50 == 0:
                longest = max(one.seconds for one in listed)
                tell(f"{len(listed)} of {len(positions)} positions listed, {longest:.0f} s at worst so far")
    times = [1000 * one.seconds for one in listed]
    what = f"all tables {what} can lead to, {len(positions):,} positions"
    yield Row(f"{what}: in the middle", "ms", median(times))
    if len(times) > 1:
        yield Row(f"{what}: 99 of 100 within", "ms", quantiles(times, n=100, method="inclusive")[-1])
    yield Row(f"{what}: at worst", "ms", max(times))
    yield Row(f"{what}: in the middle", "tables", median([one.tables for one in listed]))
    yield Row(f"{what}: at most", "tables", max([one.tables for one in listed]))
    yield Row(f"{what}: memory at most", "MB", max([one.megabytes for one in listed]))


def _list_tables(position: Position) -> Listed:
    gc.disable()
    begun = time.process_time()
    tables = len(Outcomes(position))
    seconds = time.process_time() - begun
    return Listed(tables, seconds, getrusage(RUSAGE_SELF).ru_maxrss / 1024)
