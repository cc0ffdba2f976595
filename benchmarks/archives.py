"""How much several cores help with an archive: `python -m benchmarks.archives`, no race and not part of the table.

It judges the same games on one core and on two, in turns, and prints wall and CPU time as ratios. The games are random
ones, some of them many times over, so phrases are met again more often than among people.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from engine.registry import find_game
from notation import write_record
from pbem.cli.sample import make

DIFFERENT = 500
"""How many games are sampled; an archive repeats them."""


class Spent(NamedTuple):
    """Seconds by the clock on the wall, and those of all processes."""

    wall: float
    cpu: float


def make_archive(key: str, games: int, path: Path) -> None:
    """Write an archive of so many games."""
    game = find_game(key)
    assert game is not None
    sampled = [write_record(make(game, game.players[-1], f"archive {n}")) for n in range(min(games, DIFFERENT))]
    with path.open("w", encoding="utf-8") as stream:
        for number in range(games):
            text = sampled[number % len(sampled)]
            stream.write(text.replace("[Id ", f'[Event "{number}"]\n[Id ', 1) + "\n")


def spend(words: Sequence[str]) -> Spent:
    """What a command takes."""
    before, began = os.times(), time.monotonic()
    answer = subprocess.run(words, capture_output=True, check=False)
    assert answer.returncode in (0, 1), answer.stderr
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Spent(time.monotonic() - began, cpu)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=20_000)
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--game", action="append", dest="keys")
    chosen = options.parse_args()
    pbem = str(Path(sys.executable).with_name("pbem"))
    sys.stdout.write(
        "| game | games | MB | wall, 1 core | wall, 2 cores | ratio | CPU, 2 of 1 |\n|---|---|---|---|---|---|---|\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        for key in chosen.keys or ("through-the-desert", "nomadi"):
            archive = Path(folder, f"{key}.turns")
            make_archive(key, chosen.games, archive)
            best: dict[int, Spent] = {}
            for _ in range(chosen.rounds):
                for jobs in (1, 2):
                    spent = spend([pbem, "validate", str(archive), "--summary", "--jobs", str(jobs)])
                    best[jobs] = min(best.get(jobs, spent), spent)
            one, two = best[1], best[2]
            size = archive.stat().st_size / 1e6
            times = f"{one.wall:.1f} s | {two.wall:.1f} s | {two.wall / one.wall:.2f} | {two.cpu / one.cpu:.2f}"
            sys.stdout.write(f"| {key} | {chosen.games:,} | {size:.0f} | {times} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
