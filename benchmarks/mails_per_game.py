"""How many mails a game is: whole games by the post's own parts, and what lies in the mailboxes afterwards.

    python -m benchmarks.mails_per_game [--game GAME]... [--notices each] [--checkout FOLDER] [--json]

Four play each game at the demonstration's pace, about three mails a day. The seed decides what they send; dice and
draws are the post's own, so games differ from run to run. With `--checkout` the games are played by the code in another
folder, such as that of an older version, which needs nothing but `pbem demo`.
"""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from engine.registry import find_game
from pbem.demo.game_by_mail import SETTINGS, DemoPlan, play_by_post
from pbem.service.post_folder import CreatedPost, create_post

GAMES: Final = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")
SEATS: Final = 4
WRITTEN: Final = "written"
"""What the demonstration calls a letter of a player, in the names of its files."""
MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class MailCount:
    """The mails of one game: to its players, and from them."""

    game: str
    players: int
    letters: int
    """Mails from players."""
    mails: int
    """Mails to players."""
    megabytes: float
    kinds: dict[str, int]
    """Kind of mail -> how many went to the players."""
    kilobytes: dict[str, int]
    """Kind of mail -> how much all of them hold."""

    @property
    def mails_each(self) -> float:
        """Mails to one player, on average."""
        return self.mails / self.players

    @property
    def megabytes_each(self) -> float:
        """What one player got, on average."""
        return self.megabytes / self.players


def count_mails(game: str, folder: Path) -> MailCount:
    """Count what a demonstration has left in its folder `letters`."""
    mails, sizes, letters = Counter[str](), Counter[str](), 0
    boxes = [box for box in (folder / "letters").iterdir() if box.name != "pictures"]
    for path in (path for box in boxes for path in box.glob("*.eml")):
        kind = path.stem.partition("-")[2]
        if kind == WRITTEN:
            letters += 1
        else:
            mails[kind] += 1
            sizes[kind] += path.stat().st_size
    in_all = {kind: round(size / 1_000) for kind, size in sizes.most_common()}
    return MailCount(
        game, len(boxes), letters, mails.total(), sizes.total() / MILLION, dict(mails.most_common()), in_all
    )


def play(game: str, folder: Path, *, seed: str, notices: str | None) -> MailCount:
    """Play a game with this code; `notices` is how often players are written to, if not as at any new post."""
    post = create_post(folder, {**SETTINGS, **({"post.notices": notices} if notices else {})})
    assert isinstance(post, CreatedPost)
    rules = find_game(game)
    assert rules is not None
    play_by_post(post, DemoPlan(rules, rules.seats[:SEATS], seed), lambda *_: None)
    return count_mails(game, folder)


def play_elsewhere(checkout: Path, game: str, folder: Path, *, seed: str) -> MailCount:
    """Play a game with the code in another folder."""
    asked = ("demo", str(folder), "--game", game, "--seats", str(SEATS), "--seed", seed, "--json")
    there = {**os.environ, "PYTHONPATH": str(checkout)}
    subprocess.run((sys.executable, "-m", "pbem", *asked), cwd=checkout, env=there, check=True, capture_output=True)
    return count_mails(game, folder)


def show_counts(counts: Iterable[MailCount]) -> str:
    """The counts as a table in Markdown."""
    rows = ["| game | letters | mails | mails to each | MB to each | by kind |", "|---|---|---|---|---|---|"]
    for count in counts:
        kinds = ", ".join(f"{kind} {number}" for kind, number in count.kinds.items())
        each = f"{count.mails_each:.0f} | {count.megabytes_each:.1f}"
        rows.append(f"| {count.game} | {count.letters} | {count.mails} | {each} | {kinds} |")
    return "\n".join(rows)


def main() -> None:
    """Play the games that are asked for, and print the counts."""
    parser = ArgumentParser(description="How many mails whole games are.")
    parser.add_argument("--game", action="append", choices=GAMES, help="one game alone; may be repeated")
    parser.add_argument("--notices", choices=("each", "turn", "daily"), help="how often players are written to")
    parser.add_argument("--checkout", type=Path, help="play with the code in another folder")
    parser.add_argument("--seed", default="1", help="another seed, other games")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    asked = parser.parse_args()
    if asked.checkout is not None and asked.notices is not None:
        parser.error("the code in another folder plays as its own demonstration does, without --notices")
    counts = []
    for game in asked.game or GAMES:
        sys.stderr.write(f"playing {game}\n")
        with TemporaryDirectory() as place:
            folder = Path(place) / "post"
            if asked.checkout is not None:
                counts.append(play_elsewhere(asked.checkout.resolve(), game, folder, seed=asked.seed))
            else:
                counts.append(play(game, folder, seed=asked.seed, notices=asked.notices))
    said = json.dumps([asdict(count) for count in counts], indent=1) if asked.json else show_counts(counts)
    sys.stdout.write(f"{said}\n")


if __name__ == "__main__":
    main()
