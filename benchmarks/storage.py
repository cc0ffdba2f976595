"""What a finished game takes on the disk, beside an older version: the same letters in both, everybody told of all.

    python -m benchmarks.storage --checkout FOLDER [--game GAME]... [--letters N] [--json]

The older version is a checkout with an environment of its own in `.venv`. Four play each game to its end, or as far as
`--letters` allows; dice are alike (`notify each`). Then all mails of today's post are sent, and two days later its
housekeeping packs them and lets the file shrink. Every mail must come back to the byte.
"""

import json
import os
import sqlite3
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from benchmarks.letter_costs import SEATS, learn, players
from benchmarks.mails_per_game import GAMES
from pbem.service.housekeeping import tidy_up
from pbem.service.post_folder import open_post
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store.store import Store

TARGETS: Final = {"through-the-desert": 0.12, "nomadi": 0.12, "brotherhood-base": 0.08, "brotherhood": 0.08}
PLAYED_BY: Final = datetime(2026, 12, 1, tzinfo=UTC)
"""After the last letter of every game."""
MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Storage:
    """The databases of one game, in bytes."""

    game: str
    letters: int
    mails: int
    before: int
    """That of the older version."""
    now: int
    """That of this version when the last mail was sent."""
    archived: int
    """The same two days later."""
    packing: float
    """Milliseconds of CPU that packing took, for each mail."""

    @property
    def ratio(self) -> float:
        """What is left, as a share of before."""
        return self.archived / self.before


def compare(checkouts: Sequence[Path], key: str, most: int) -> Storage:
    """Play the same game in both versions, and measure the databases."""
    with tempfile.TemporaryDirectory(prefix="storage-") as home:
        ours, theirs = Path(home, "ours"), Path(home, "theirs")
        with players(checkouts) as (now, before):
            moves = learn(now, ours, key, SEATS, most)
            before.ask("open", str(theirs), key, SEATS)
            for move in moves:
                before.ask("write", *move)
            if len(stood := {json.dumps(player.ask("standing")) for player in (now, before)}) != 1:
                raise RuntimeError(f"not the same game: {stood}")
        size = _size(ours)
        mails, seconds = _archive(ours)
        return Storage(key, len(moves), mails, _size(theirs), size, _size(ours), 1_000 * seconds / mails)


def _size(folder: Path) -> int:
    """The size of a database with all that is in its log."""
    path = folder / "post.db"
    with closing(sqlite3.connect(path)) as hand:
        hand.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size


def _archive(folder: Path) -> tuple[int, float]:
    """Send everything, and do what a service does two days later; how many mails there are, and seconds of CPU."""
    settings, moment = read_settings(folder / "post.toml"), PLAYED_BY
    if not isinstance(settings, Settings):
        raise TypeError(f"not the settings of a post: {settings}")
    with open_post(settings, lambda: moment) as context:
        while claimed := context.store.claim_due(moment, 100):
            with context.store.transaction() as transaction:
                for mail in claimed:
                    transaction.mark_sent(mail.id)
        written = _read_mails(context.store)
        moment += timedelta(days=2)
        started = time.process_time()
        tidy_up(context)
        seconds = time.process_time() - started
        if _read_mails(context.store) != written:
            raise RuntimeError("a mail did not come back to the byte")
    return len(written), seconds


def _read_mails(store: Store) -> dict[int, bytes]:
    with store.reading() as transaction:
        found = [transaction.find_mail(number) for number in transaction.mail_numbers()]
    return {mail.id: mail.raw for mail in found if mail is not None}


def show(found: Iterable[Storage]) -> str:
    """The databases as a table in Markdown."""
    rows = [
        "| game | letters | mails | before, MB | now, MB | archived, MB | archived of before | target | packing each |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for each in found:
        sizes = " | ".join(f"{size / MILLION:.1f}" for size in (each.before, each.now, each.archived))
        rows.append(
            f"| {each.game} | {each.letters} | {each.mails} | {sizes} | {each.ratio:.1%} "
            f"| <= {TARGETS[each.game]:.0%} | {each.packing:.1f} ms |"
        )
    return "\n".join(rows)


def main() -> None:
    """Play the games that are asked for, and print what they take."""
    parser = ArgumentParser(description="What finished games take on the disk.")
    parser.add_argument("--checkout", type=Path, required=True, help="the older version")
    parser.add_argument("--game", action="append", choices=GAMES, help="one game alone; may be repeated")
    parser.add_argument("--letters", type=int, default=1_000, help="at most so many letters of each game")
    parser.add_argument("--json", action="store_true", help="print the sizes as JSON")
    asked = parser.parse_args()
    own = Path(__file__).resolve().parents[1]
    found = []
    for game in asked.game or GAMES:
        sys.stderr.write(f"playing {game}{os.linesep}")
        found.append(compare([own, asked.checkout.resolve()], game, asked.letters))
    said = json.dumps([asdict(each) for each in found], indent=1) if asked.json else show(found)
    sys.stdout.write(f"{said}\n")


if __name__ == "__main__":
    main()
