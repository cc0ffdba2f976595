"""What it costs to validate a record, in each of our games; beside another checkout of the house, if there is one.

The records are sampled by the other checkout, or by this one where there is none, so that both can read them; some have
state digests, which cost much more than the moves. Each `pbem validate` is a program of its own, in its own folder and
environment, and all of its CPU time counts. It reads many games, as an archive holds them, so that starting is little.
"""

import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.cold_start import children_time, start, words_of
from benchmarks.measuring import Contender, Tell, race
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Target
from engine.registry import find_game

GAMES: Final = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")
BOUNDS: Final = {"nomadi": 0.5, "brotherhood-base": 0.5, "brotherhood": 0.5}
"""At most so much of what the version before all that cost."""
DIGESTS: Final = {"": 0, ", a digest every 5 turns": 5}


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """`pbem validate` of an archive of each game, without state digests and with them."""
    ours = Path(sys.executable).with_name("pbem")
    theirs = None if sizes.against is None else sizes.against.resolve() / ".venv" / "bin" / "pbem"
    with tempfile.TemporaryDirectory() as folder:
        for key in GAMES:
            for what, digests in DIGESTS.items():
                tell(f"sampling {key}{what}")
                archive = _sample(theirs or ours, key, digests, sizes.validated, Path(folder))
                contenders = [_contender("ours", ours, archive)]
                if theirs is not None:
                    contenders.append(_contender("theirs", theirs, archive))
                paces = race(contenders, rounds=sizes.rounds, tell=tell, clock=children_time)
                games = archive.read_text("utf-8").count("[Format ")
                each = {name: pace.best * 1000 / games for name, pace in paces.items()}
                name = f"validate {key}, of {games} games{what}"
                if theirs is None:
                    yield Row(name, "ms", each["ours"])
                    continue
                ratio, bound = paces["theirs"].over(paces["ours"]), BOUNDS.get(key)
                target = None if bound is None else Target(bound)
                yield Row(name, "ms", each["ours"], "the other checkout", each["theirs"], ratio, target)


def _sample(pbem: Path, key: str, digests: int, amount: int, folder: Path) -> Path:
    """An archive of so many games of the fewest players, and as many of one more."""
    game = find_game(key)
    assert game is not None
    archive = folder / f"{key}-{digests}.turns"
    with archive.open("wb") as together:
        for seats in (game.players[0], game.players[0] + 1):
            part = folder / f"{seats}.turns"
            asked = {"--seats": seats, "--games": amount, "--digests": digests, "--output": part}
            if start([str(pbem), "sample", key, *[str(word) for pair in asked.items() for word in pair]]):
                raise AssertionError(f"{pbem} cannot sample {key}")
            together.write(part.read_bytes())
            part.unlink()
    return archive


def _contender(name: str, pbem: Path, archive: Path) -> Contender:
    words = [str(pbem), "validate", str(archive)]
    start(words)  # compiles what is not compiled yet
    return Contender(name, 1, start, partial(words_of, words), 0)
