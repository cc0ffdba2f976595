"""What handling a letter costs, beside an older version: the same game by mail in both, letter by letter in turns.

    python -m benchmarks.letter_costs --checkout FOLDER [--game GAME]... [--letters N] [--json]
    python -m benchmarks.letter_costs --long [--game GAME] [--letters N] [--json]

The older version is a checkout with an environment of its own in `.venv`. Every game is played once to learn its
moves, then once more by each version: every letter is handled by one and then by the other, in shuffled order. Dice
are alike, and everybody is told of every move (`notify each`). What is timed is the CPU from taking up a letter to the
commit: reading, judging, events, all mails with their pictures. A game of other seats before it fills the caches.

With `--long` two games of today's code, in which everybody does only what must be done, are played to their 50th and
their 600th turn. From there on they go on by turns, letter by letter: with the table in memory, as it is after the
first letter of a game, and folded anew.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.mails_per_game import GAMES

SEATS: Final = 4
WARM: Final = 3
"""Seats of the game before."""
WARM_LETTERS: Final = 24
PLAYER: Final = Path(__file__).with_name("letter_player.py")
LONG: Final = "brotherhood-base"
"""A game that goes on as long as nobody builds."""
EARLY: Final = 50
LATE: Final = 600
TARGETS: Final = {"through-the-desert": 0.6, "nomadi": 0.6, "brotherhood-base": 0.35, "brotherhood": 0.35}


class Player:
    """A version of the post, playing in a process of its own."""

    def __init__(self, python: Path | str, code: Path) -> None:
        there = {**os.environ, "PYTHONPATH": str(code), "PYTHONHASHSEED": "1"}
        self._process = subprocess.Popen(
            [python, str(PLAYER)], cwd=code, env=there, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, verb: str, *values: object) -> Any:
        """Let it do something; its answer."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps([verb, *values]) + "\n")
        process.stdin.flush()
        if not (line := process.stdout.readline()):
            raise RuntimeError(f"the post of {process.args!r} gave up")
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@contextmanager
def players(checkouts: Sequence[Path]) -> Iterator[list[Player]]:
    """A player for each version."""
    own = Path(__file__).resolve().parents[1]
    all_of_them = [Player(sys.executable if code == own else code / ".venv/bin/python", code) for code in checkouts]
    try:
        yield all_of_them
    finally:
        for player in all_of_them:
            player.close()


@dataclass(frozen=True, slots=True)
class LetterCosts:
    """The letters of one game: milliseconds of CPU for each letter, now and before."""

    game: str
    now: list[float]
    before: list[float]

    @property
    def ratio(self) -> float:
        """All letters together, now as a share of before."""
        return sum(self.now) / sum(self.before)


def learn(player: Player, folder: Path, key: str, seats: int, most: int) -> list[list[str]]:
    """Who plays what in a game of this version, as far as it is wanted."""
    player.ask("open", str(folder), key, seats)
    played: list[list[str]] = []
    while len(played) < most and player.ask("standing")[0] == "playing":
        played.append(player.ask("plan", len(played)))
        player.ask("write", *played[-1])
    return played


def compare(checkouts: Sequence[Path], key: str, most: int) -> LetterCosts:
    """The same letters in both versions."""
    order = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="letters-") as home, players([*checkouts, checkouts[0]]) as (*both, scout):
        costs: dict[Player, list[float]] = {}
        for name, seats, amount in (("warm", WARM, WARM_LETTERS), ("timed", SEATS, most)):
            moves = learn(scout, Path(home, f"{name}-scout"), key, seats, amount)
            for number, player in enumerate(both):
                player.ask("open", str(Path(home, f"{name}-{number}")), key, seats)
                costs[player] = []
            for move in moves:
                for player in order.sample(both, len(both)):
                    costs[player].append(1_000 * player.ask("write", *move))
            if len(stood := {json.dumps(player.ask("standing")) for player in (*both, scout)}) != 1:
                raise RuntimeError(f"not the same game: {stood}")
    return LetterCosts(key, *costs.values())


def compare_lengths(key: str, amount: int) -> list[LetterCosts]:
    """Letters late in a game beside letters early in one: with the table in memory, and folded anew."""
    order, code = random.Random(1), Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory(prefix="letters-") as home, players([code, code]) as both:
        late, early = both
        for player, turn in ((late, LATE), (early, EARLY)):
            player.ask("open", str(Path(home, str(turn))), key, SEATS)
            sys.stderr.write(f"{player.ask('play_on', turn)} letters to turn {turn}\n")
        found = []
        for name, anew in (("in memory", False), ("folded anew", True)):
            costs: dict[Player, list[float]] = {late: [], early: []}
            for _ in range(amount):
                for player in order.sample(both, len(both)):
                    move = player.ask("plan_least")
                    if anew:
                        player.ask("forget")
                    costs[player].append(1_000 * player.ask("write", *move))
            found.append(LetterCosts(f"{key}, {name}", costs[late], costs[early]))
    return found


def show_lengths(costs: Sequence[LetterCosts]) -> str:
    """The same as a table in Markdown."""
    columns = ("table", "letters", f"turn {LATE}, ms", f"turn {EARLY}, ms", f"{LATE} of {EARLY}", "target")
    rows = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for each in costs:
        late, early = median(each.now), median(each.before)
        rows.append(f"| {each.game} | {len(each.now)} | {late:.1f} | {early:.1f} | {late / early:.2f}x | <= 1.2x |")
    return "\n".join(rows)


def show(costs: Sequence[LetterCosts]) -> str:
    """The costs as a table in Markdown."""
    rows = [
        "| game | letters | now, ms | before, ms | now of before | middle letters | target |",
        "|---|---|---|---|---|---|---|",
    ]
    for each in costs:
        now, before = (sum(all_of_them) / len(all_of_them) for all_of_them in (each.now, each.before))
        middle = median(mine / theirs for mine, theirs in zip(each.now, each.before, strict=True))
        rows.append(
            f"| {each.game} | {len(each.now)} | {now:.1f} | {before:.1f} | {each.ratio:.2f}x | {middle:.2f}x "
            f"| <= {TARGETS[each.game]}x |"
        )
    return "\n".join(rows)


def main() -> None:
    """Play the games that are asked for, and print the costs."""
    parser = ArgumentParser(description="What handling a letter costs.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--checkout", type=Path, help="the older version")
    what.add_argument("--long", action="store_true", help="letters late in a game, beside letters early in one")
    parser.add_argument("--game", action="append", choices=GAMES, help="one game alone; may be repeated")
    parser.add_argument("--letters", type=int, default=120, help="at most so many letters of each game")
    parser.add_argument("--json", action="store_true", help="print the costs as JSON")
    asked = parser.parse_args()
    costs, own = list[LetterCosts](), Path(__file__).resolve().parents[1]
    for key in asked.game or ([LONG] if asked.long else GAMES):
        sys.stderr.write(f"playing {key}\n")
        if asked.long:
            costs += compare_lengths(key, asked.letters)
        else:
            costs.append(compare((own, asked.checkout.resolve()), key, asked.letters))
    tell = show_lengths if asked.long else show
    said = json.dumps([asdict(each) for each in costs], indent=1) if asked.json else tell(costs)
    sys.stdout.write(f"{said}\n")


if __name__ == "__main__":
    main()
