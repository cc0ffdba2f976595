"""What a catalogue of many games costs: `python -m benchmarks.catalogues`, no race and not part of the table.

It makes an archive, indexes it, indexes it again beside `sha256sum`, and asks it for games beside `pbem --help`. The
figures are CPU seconds, the best of some rounds in turns; what counts are the ratios and the differences.
"""

import argparse
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.archives import spend
from engine.registry import find_game
from notation import write_record
from pbem.cli.sample import Style, make

DIFFERENT = 2_000
"""How many games are sampled; the others are copies with another Id, other names and another event."""
NAMES = 5_000
"""How many people play in the archive."""
FILES = 20

QUESTIONS = {
    "by player": ("player=player 17",),
    "by player and result": ("won=player 17", "turns>60"),
    "by words": ("words:fair 123",),
    "by result": ("result=red 44 won, blue 35, green 39, orange 33",),
    "by first moves": ("moves:{first}",),
    "by date and seats": ("date=2026-05-03", "seats=4", "won=player 9"),
}


def make_files(games: int, folder: Path) -> list[str]:
    """Write an archive of so many games into files; the first three moves of one of them."""
    game = find_game("through-the-desert")
    assert game is not None
    sampled = [write_record(make(game, 4, f"catalogue {n}", style=Style.RANDOM)) for n in range(min(games, DIFFERENT))]
    chosen = random.Random(1)
    for file in range(FILES):
        with (folder / f"{file:02}.turns").open("w", encoding="utf-8") as stream:
            for number in range(file, games, FILES):
                stream.write(_named(sampled[number % len(sampled)], number, chosen) + "\n")
    text = sampled[0].splitlines()
    return [line.partition(": ")[2] for line in text if line.startswith(("1. ", "2. ", "3. "))]


def _named(text: str, number: int, chosen: random.Random) -> str:
    for seat in ("Red", "Blue", "Green", "Orange"):
        text = text.replace(f'"{seat}"', f'"Player {chosen.randrange(NAMES)}"', 1)
    day = f"{chosen.randrange(2020, 2027)}.{chosen.randrange(1, 13):02}.{chosen.randrange(1, 29):02}"
    head, blank, moves = text.partition("\n\n")
    others = "\n".join(line for line in head.splitlines() if not line.startswith("[Id "))
    return f'{others}\n[Id "game {number}"]\n[Date "{day}"]\n[Event "Fair {number % 997}"]{blank}{moves}'


def bytes_a_game(catalogue: Path, games: int) -> tuple[float, float]:
    """Bytes for each game, without words and with them."""
    database = sqlite3.connect(catalogue)
    try:
        pages = dict(database.execute("select name, sum(pgsize) from dbstat group by name"))
    finally:
        database.close()
    words = sum(size for name, size in pages.items() if name.startswith("words"))
    return (sum(pages.values()) - words) / games, sum(pages.values()) / games


def best(rounds: int, *commands: Sequence[str]) -> list[float]:
    """The least CPU time of each command, run in turns."""
    spent = [[spend(words).cpu for words in commands] for _ in range(rounds)]
    return [min(times) for times in zip(*spent, strict=True)]


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    pbem = str(Path(sys.executable).with_name("pbem"))
    with tempfile.TemporaryDirectory() as name:
        folder, catalogue = Path(name, "games"), Path(name, "catalogue")
        folder.mkdir()
        first = make_files(chosen.games, folder)
        files = sorted(map(str, folder.iterdir()))
        size = sum(Path(file).stat().st_size for file in files) / 1e6
        made = [pbem, "index", str(folder), "--in", str(catalogue)]
        new = spend(made)
        _tell(
            f"{chosen.games:,} games, {size:.0f} MB: indexed in {new.cpu:.1f} s of CPU, {new.wall:.1f} s by the clock"
        )
        plain, whole = bytes_a_game(catalogue, chosen.games)
        _tell(f"{plain:.0f} bytes a game without words, {whole:.0f} with them (at most 400 without)")
        again, digests, start = best(chosen.rounds, made, ["sha256sum", *files], [pbem, "--help"])
        said = subprocess.run(made, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
        ratio = again / digests
        _tell(f"a second index: {said}; {again:.2f} s of CPU, sha256sum {digests:.2f} s: {ratio:.1f} times (at most 4)")
        for asked, terms in QUESTIONS.items():
            filled = [each.replace("{first}", ", ".join(first)) for each in terms]
            words = [pbem, "find", "--in", str(catalogue), *filled]
            spent, counted = best(chosen.rounds, words, [*words, "--count"])
            found = subprocess.run([*words, "--count"], capture_output=True, text=True, check=True).stdout.strip()
            _tell(f"{asked}: {found} games, {spent - start:+.3f} s, --count {counted - start:+.3f} s (at most 0.1)")


def _tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
