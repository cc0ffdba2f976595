"""The memory that `pbem validate` takes for an archive of any length: a short one and a long one, as a pipe.

The archive is written as it is read and never stands anywhere. A process that starts another hands on its own
peak, so a small process stands between this one and the one that is measured.
"""

import subprocess
import sys
from collections.abc import Iterator
from typing import Final

from benchmarks.desert_games import archive, sample_desert
from benchmarks.measuring import Tell
from benchmarks.programs import PBEM
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Target

SHARE: Final = 100
"""The short archive is this part of the long one."""

_WITNESS: Final = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""

_UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""The bytes in which a system counts its peaks."""


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """Peak memory over the archive, and over its first hundredth."""
    tell("sampling games")
    games = sample_desert(sizes.desert_games + sizes.other_games)
    short = sizes.archive // SHARE
    yield Row(
        f"peak memory of validate, {sizes.archive:,} games",
        "MB",
        peak(archive(games, sizes.archive), sizes.archive, tell),
        peer=f"the same, {short:,} games",
        theirs=peak(archive(games, short), short, tell),
        target=Target(100, unit=" MB"),
    )


def peak(texts: Iterator[str], amount: int, tell: Tell) -> float:
    """The megabytes that `pbem validate -` takes at most for some texts."""
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _WITNESS, *PBEM, "validate", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as evidence:
        assert evidence.stdin is not None
        assert evidence.stdout is not None
        for number, text in enumerate(texts):
            if number % 2000 == 0:
                tell(f"{number:,} of {amount:,} games")
            evidence.stdin.write(text + "\n")
        evidence.stdin.close()
        code, size = map(int, evidence.stdout.read().split())
    if code != 0:
        raise AssertionError(f"the archive is in order, and validate ended with {code}")
    return size * _UNIT / 1e6
