"""The command line of the benchmarks: what to measure, how often, and in which form to print it."""

import argparse
import platform
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

from benchmarks import (
    boards,
    cold_start,
    many_tables,
    memory,
    nomadi_games,
    nomadi_turns,
    playing,
    post,
    reading,
    validating,
    watch_games,
)
from benchmarks.measuring import Tell
from benchmarks.sizes import FULL, QUICK, Sizes
from benchmarks.table import Row, write_json, write_table

BENCHMARKS: Final[dict[str, Callable[[Sizes, Tell], Iterator[Row]]]] = {
    "reading": reading.measure,
    "judging": playing.measure_judging,
    "validating": validating.measure,
    "listing": playing.measure_listing,
    "nomadi": nomadi_games.measure,
    "turns": nomadi_turns.measure_moments,
    "throws": nomadi_turns.measure_throws,
    "brotherhood": watch_games.measure,
    "boards": boards.measure,
    "start": cold_start.measure,
    "memory": memory.measure,
    "tables": many_tables.measure,
    "post": post.measure,
}
ASKED_FOR: Final = {"throws"}
"""What takes too long to be measured with the rest."""


def main() -> None:
    """Measure what the command line asks for and print the table."""
    options = _parser().parse_args()
    sizes = (QUICK if options.quick else FULL)._replace(against=options.against)
    if options.rounds:
        sizes = sizes._replace(rounds=options.rounds, short_rounds=options.rounds, starts=options.rounds)
    names = options.only or [name for name in BENCHMARKS if name not in ASKED_FOR]
    rows = [row for name in names for row in BENCHMARKS[name](sizes, _teller(name))]
    write = write_json if options.json else write_table
    sys.stdout.write(write(rows, _about()) + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks/run", description="Measure the house against its targets.")
    parser.add_argument("--quick", action="store_true", help="tiny amounts, to see that everything runs")
    parser.add_argument("--only", action="append", choices=BENCHMARKS, help="measure this alone; may be repeated")
    parser.add_argument("--rounds", type=int, metavar="N", help="how often each contender runs")
    parser.add_argument(
        "--against", type=Path, metavar="FOLDER", help="another checkout, with its .venv, to validate records beside"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def _teller(name: str) -> Tell:
    """Progress goes to stderr, one line for each step."""
    return lambda text: sys.stderr.write(f"{name}: {text}\n")


def _about() -> str:
    peers = ", ".join(f"{name} {version(name)}" for name in ("chess", "catanatron", "typer", "lark"))
    return f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}; {peers}"
