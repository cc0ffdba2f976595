"""Timing contenders side by side: what a busy machine does to one of them, it does to all.

In every round each contender runs once, in shuffled order, with the garbage collector off. The quickest run
of each is quoted, because noise only ever adds. It knows clocks and nothing of what is timed.
"""

import gc
import random
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, NamedTuple

Tell = Callable[[str], object]
"""Says how far things are."""

Clock = Callable[[], float]
"""Seconds, from whenever."""


class Contender(NamedTuple):
    """Something to be timed: `run` is given what `prepare` made of the round's number, off the clock."""

    name: str
    amount: int
    """How much a run does: plies, moves, positions."""
    run: Callable[[Any], object]
    prepare: Callable[[int], Any]
    expected: object
    """What `run` must answer; a contender that does other work than agreed has no time."""


class Pace(NamedTuple):
    """How much a contender did in each round, and in how many seconds."""

    amount: int
    seconds: tuple[float, ...]

    @property
    def best(self) -> float:
        """The shortest time."""
        return min(self.seconds)

    @property
    def rate(self) -> float:
        """The highest amount per second."""
        return self.amount / self.best

    def over(self, other: "Pace") -> "Ratio":
        """How many times more than `other` this does per second."""
        share = self.amount / other.amount
        rounds = [share * theirs / mine for mine, theirs in zip(self.seconds, other.seconds, strict=True)]
        return Ratio(self.rate / other.rate, min(rounds), median(rounds), max(rounds))


class Ratio(NamedTuple):
    """The ratio of two best rates, and the ratios within single rounds: the lowest, the middle, the highest."""

    best: float
    low: float
    middle: float
    high: float


def race(
    contenders: Sequence[Contender], *, rounds: int, tell: Tell, clock: Clock = time.process_time
) -> dict[str, Pace]:
    """The pace of each contender by name; the clock is this process's CPU time unless another is given."""
    order = random.Random(1)
    gc.freeze()  # what was prepared is no garbage: looking through it before every run would only empty the caches
    seconds: dict[str, list[float]] = {each.name: [] for each in contenders}
    for number in range(rounds):
        if number % 10 == 0:
            tell(f"round {number + 1} of {rounds}")
        for each in order.sample(contenders, len(contenders)):
            seconds[each.name].append(_time(each, number, clock))
    gc.unfreeze()
    return {each.name: Pace(each.amount, tuple(seconds[each.name])) for each in contenders}


def _time(contender: Contender, number: int, clock: Clock) -> float:
    given = contender.prepare(number)
    gc.collect()
    gc.disable()
    try:
        start = clock()
        answer = contender.run(given)
        taken = clock() - start
    finally:
        gc.enable()
    if answer != contender.expected:
        raise AssertionError(f"{contender.name} answered {answer!r}, not {contender.expected!r}")
    return taken
