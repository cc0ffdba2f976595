"""The CPU time of reading hostile letters, for one character of a short letter and of one of 16,000.

    python -m tests.steps.letter_growth [GAME ...]

Every shape is read in every game. Unlike counted steps, time holds everything: Python, patterns, functions in C. It
varies, but reading that grows with the square of the length takes ten times as long for a character at 16,000 as at
1,600, and that is more than noise. Each text is another one, so that nothing is found in a cache. What seems to grow is
measured again. A pattern that takes quadratic time is planted first, and must be noticed. Ends with 1 if a shape grows.
"""

import gc
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from tests.steps.hostile_letters import KEYS, SHAPES, PatientReader

LENGTHS: Final = (400, 1_600, 16_000)
GROWTH: Final = 2.5
"""How much more a character may cost in the longest text than in a shorter one. By the square it would be ten times."""
FLOOR: Final = 0.5e-6
"""Seconds for a character below which nothing is compared: short texts may end reading early."""
_TIMES: Final = (3, 3, 1)
_AGAIN: Final = (15, 9, 3)
"""How often each length is read, and how often if it seems to grow; the shortest time counts."""
PLANTED: Final = re.compile(r"[.]+\Z")
"""Takes quadratic time for dots that something follows: it looks for the end behind each of them, from each of them."""
_PLANTED_FOR: Final = ["words", "not ", ".", "x"]


class ShapeCost(NamedTuple):
    """The seconds that a shape takes for a character, at each length."""

    shape: Sequence[str]
    key: str
    seconds: tuple[float, ...]

    @property
    def growth(self) -> float:
        """How much more a character costs in the longest text."""
        *short, long = self.seconds
        return long / max(*short, FLOOR)

    def __str__(self) -> str:
        costs = " ".join(f"{1e6 * each:8.2f}" for each in self.seconds)
        return f"{self.growth:6.2f}x  {costs} us/character  {self.key:20} {self.shape!r}"


def measure(reader: PatientReader, shape: Sequence[str], key: str) -> ShapeCost:
    """What a shape costs in a game."""
    reader.read(reader.write(shape, 60), key)
    cost = _time(reader, shape, key, _TIMES)
    return cost if cost.growth <= GROWTH else _time(reader, shape, key, _AGAIN)


def _time(reader: PatientReader, shape: Sequence[str], key: str, times: Sequence[int]) -> ShapeCost:
    seconds = []
    for longest, often in zip(LENGTHS, times, strict=True):
        best = float("inf")
        for length in range(longest, longest - often, -1):
            letter = reader.write(shape, length)
            started = time.process_time()
            reader.read(letter, key)
            best = min(best, (time.process_time() - started) / length)
        seconds.append(best)
    gc.collect()
    return ShapeCost(shape, key, tuple(seconds))


@contextmanager
def planted_pattern() -> Iterator[None]:
    """Let letters be read with a pattern that takes quadratic time."""
    from pbem.mail.commands import parse_letter

    sound = parse_letter._SURROGATE
    vars(parse_letter)["_SURROGATE"] = PLANTED
    try:
        yield
    finally:
        vars(parse_letter)["_SURROGATE"] = sound


def report(costs: Sequence[ShapeCost]) -> Iterator[str]:
    """The shapes that grow most, and the dearest."""
    yield "growth most in:"
    yield from map(str, sorted(costs, key=lambda each: -each.growth)[:12])
    yield "dearest for a character:"
    yield from map(str, sorted(costs, key=lambda each: -each.seconds[-1])[:6])
    yield f"{sum(cost.growth > GROWTH for cost in costs)} of {len(costs)} grow by more than {GROWTH}x"


def main(keys: Sequence[str]) -> int:
    """Measure every shape in some games; 1 if one grows, or if what was planted is not noticed."""
    reader = PatientReader(keys)
    gc.disable()
    with planted_pattern():
        planted = measure(reader, _PLANTED_FOR, keys[0])
    sys.stdout.write(f"planted, and {'' if planted.growth > GROWTH else 'NOT '}noticed:\n{planted}\n")
    started = time.process_time()
    costs = [measure(reader, shape, key) for key in keys for shape in SHAPES]
    took = time.process_time() - started
    sys.stdout.write(
        f"{len(SHAPES)} shapes, {len(keys)} games, {took:.0f} s of CPU; " + "\n".join(report(costs)) + "\n"
    )
    return int(planted.growth <= GROWTH or any(cost.growth > GROWTH for cost in costs))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or KEYS))
