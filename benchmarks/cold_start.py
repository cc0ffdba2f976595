"""What a user waits for when a program starts: ours beside one-command typer programs of the same version.

Every program is started in a fresh process with its bytecode compiled, and must have done its work when it ends. Its
CPU time is taken, which on an idle machine is the waiting time and on a busy one does not swing with the others.
"""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.desert_games import sample_desert
from benchmarks.measuring import Contender, Tell, race
from benchmarks.programs import LEAN_COMMAND, ONE_COMMAND, PBEM
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Target
from pbem.service.post_folder import create_post

OFTEN: Final = ("status", "send", "tick")
"""What a machine runs every few minutes, and finds nothing to do."""


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """`pbem --help` and `pbem validate` of one record beside typer and bare Python; other commands beside `--help`."""
    with tempfile.TemporaryDirectory() as folder:
        record, plain, lean = Path(folder, "game.turns"), Path(folder, "plain.py"), Path(folder, "lean.py")
        record.write_text(sample_desert(3)[-1].text(), "utf-8")
        plain.write_text(ONE_COMMAND, "utf-8")
        lean.write_text(LEAN_COMMAND, "utf-8")
        programs = {
            "pbem --help": [*PBEM, "--help"],
            "pbem validate": [*PBEM, "validate", str(record)],
            "plain --help": [sys.executable, str(plain), "--help"],
            "plain": [sys.executable, str(plain), str(record)],
            "lean --help": [sys.executable, str(lean), "--help"],
            "lean": [sys.executable, str(lean), str(record)],
            "bare": [sys.executable, "-c", "pass"],
            **{f"pbem {name}": [*PBEM, name, "--config", str(Path(folder, "post"))] for name in OFTEN},
        }
        create_post(Path(folder, "post"), {})
        for words in programs.values():
            start(words)  # compiles what is not compiled yet
        contenders = [Contender(name, 1, start, partial(words_of, words), 0) for name, words in programs.items()]
        paces = race(contenders, rounds=sizes.starts, tell=tell, clock=children_time)
    ours = [("pbem --help", "pbem --help", " --help", 1.2), ("pbem validate", "pbem validate, one record", "", 1.5)]
    for name, what, option, bound in ours:
        for peer, like in [("one typer command", "plain"), ("the same, lean", "lean")]:
            theirs = paces[like + option]
            yield Row.of_times(what, ours=paces[name], peer=peer + option, theirs=theirs, target=Target(bound))
    for name in OFTEN:
        what, peer = f"pbem {name}, nothing to do", "pbem --help"
        yield Row.of_times(what, ours=paces[f"pbem {name}"], peer=peer, theirs=paces[peer], target=Target(3))
    for name, what, _, _ in ours:
        yield Row.of_times(what, ours=paces[name], peer="bare python", theirs=paces["bare"])


def children_time() -> float:
    """The CPU time of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def words_of(words: list[str], number: int) -> list[str]:
    """A command line is the same in every round."""
    return words


def start(words: list[str]) -> int:
    """Run a program to its end."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    return subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, check=False).returncode
