"""A million draws for several ranges: how evenly they fall, by chi-square and by pairs, and how fast they come.

    python benchmarks/draws.py [DRAWS]

The last column is the chance of a statistic at least as large if all is fair (Wilson and Hilferty's approximation). One
below 0.001 in a run that nobody picked is worth a look; the program then ends with 1.
"""

import sys
import time
from collections import Counter
from math import erfc, sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pbem.proof.draws import BoundDealer, DrawPlace, draw_key

RANGES = (2, 3, 5, 6, 7, 30, 52, 1_000)
LEAST = 0.001


def unlikely(statistic: float, freedom: int) -> float:
    """The chance of a chi-square statistic at least as large."""
    cube = (statistic / freedom) ** (1 / 3)
    spread = 2 / (9 * freedom)
    return 0.5 * erfc((cube - (1 - spread)) / sqrt(2 * spread))


def chi_square(found: Counter[int], outcomes: int, draws: int) -> float:
    """How far the counts are from even."""
    even = draws / outcomes
    return sum((found[each] - even) ** 2 / even for each in range(outcomes))


def main(draws: int) -> int:
    """Draw, count and tell; 1 if something looks wrong."""
    key = draw_key(b"benchmark of the draws".ljust(32), "sirocco-7", ["00" * 32])
    worst = 1.0
    for outcomes in RANGES:
        begin = time.perf_counter()
        drawn = [
            BoundDealer(key, DrawPlace("sirocco-7", 0, place, "ab" * 32)).pick(outcomes, "dice")
            for place in range(draws)
        ]
        rate = draws / (time.perf_counter() - begin)
        single = chi_square(Counter(drawn), outcomes, draws)
        chances = [unlikely(single, outcomes - 1)]
        if outcomes**2 * 20 <= draws:
            pairs = Counter(first * outcomes + second for first, second in zip(drawn[::2], drawn[1::2], strict=True))
            chances.append(unlikely(chi_square(pairs, outcomes**2, draws // 2), outcomes**2 - 1))
        worst = min(worst, *chances)
        told = ", ".join(f"{chance:.3f}" for chance in chances)
        sys.stdout.write(f"1 of {outcomes:>5}: {draws:,} draws, {rate:,.0f}/s, chi-square {single:9.1f}, p {told}\n")
    return int(worst < LEAST)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
