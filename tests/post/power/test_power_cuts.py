"""The power goes at any moment: what was acknowledged, told or mailed is there afterwards, and the game goes on.

A killed process does not show this, for the system still writes what the process has handed to it. So a day at a post
is recorded as its disk saw it, and the disk laid down as a power cut may leave it. `CARAVAN_CUTS` says how often.
"""

import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from pbem.events.chain import first_broken
from pbem.mail.transport.protocols import Checked, SendResult, Sent
from pbem.service.game_records import read_record
from pbem.service.post_folder import open_post
from pbem.service.send_queue import send_due
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store.errors import StoreFailedError, StoreRefusedError
from pbem.store.store import Transaction
from pbem.workflow.context import events_from_rows
from pbem.workflow.handle_letter import handle_arrived_letters
from tests.post.post_games import START, TABLE, found_post, invite_friends, make_friends, make_script, moves_of
from tests.post.power.cut_disk import CutDisk
from tests.post.power.day_at_a_post import TURNS
from tests.post.power.recorded_disk import Entry, Note, Sync

DAY = Path(__file__).with_name("day_at_a_post.py")
CUTS = int(os.environ.get("CARAVAN_CUTS", "100"))
DATABASE = "post.db"
SPENT = "spent"
"""The note at the end of a day: what follows is packing."""


class Post(NamedTuple):
    """A post at which friends have been invited."""

    folder: Path
    friends: Path


class Inbox:
    """Where mails go: to one mailbox for all."""

    def __init__(self) -> None:
        self.mails: list[bytes] = []

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        self.mails.append(raw)
        return Sent()

    def check(self) -> Checked:
        return Checked("test", good=True, text="")

    def close(self) -> None:
        """There is nothing to let go of."""


class Day(NamedTuple):
    """A recorded day: the post before it, and all that was asked of the disk in its course."""

    before: Path
    trace: list[Entry]

    @property
    def letters(self) -> list[bytes]:
        """The letters of the day, in order."""
        return [entry.facts[1] for entry in self.trace if isinstance(entry, Note) and entry.kind == "acknowledged"]

    @property
    def notes(self) -> list[int]:
        """The places of the trace from which on somebody relies on something more."""
        return [place for place, entry in enumerate(self.trace) if isinstance(entry, Note)]

    @property
    def packing(self) -> range:
        """The places of the trace at which mails are packed."""
        return range(self.notes[-1] + 1, len(self.trace))


Record = Callable[[str], Day]


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Post:
    home = tmp_path_factory.mktemp("power")
    friends, script = make_friends(), make_script()
    with open_post(found_post(home / "post"), lambda: START) as context:
        invite_friends(context, friends.values(), script)
        sent = Inbox()
        send_due(context, sent)
    for friend, mail in zip(friends.values(), sent.mails, strict=True):
        friend.get(mail)
    (home / "friends").write_bytes(pickle.dumps(friends))
    return Post(home / "post", home / "friends")


@pytest.fixture(scope="module")
def record(post: Post, tmp_path_factory: pytest.TempPathFactory) -> Record:
    def record(fault: str) -> Day:
        home = tmp_path_factory.mktemp("day")
        shutil.copytree(post.folder, home / "post")
        words = [sys.executable, str(DAY), str(home / "post"), str(post.friends), str(home / "trace"), fault]
        # It shares modules with tests, and finds them where tests do.
        subprocess.run(words, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=True)
        with (home / "trace").open("rb") as stream:
            return Day(post.folder, list(_entries(stream)))

    return record


def _entries(stream: Any) -> Iterator[Entry]:
    with suppress(EOFError):
        while True:
            yield pickle.load(stream)  # noqa: S301 - the day has written it


@pytest.fixture(scope="module")
def day(record: Record) -> Day:
    return record("none")


def cut_power(day: Day, home: Path, places: Iterable[int], seed: str) -> Iterator[tuple[Path, list[Note]]]:
    """The post after a cut at each of some places of the trace, and what was relied on by then."""
    chance, often = Random(seed), Counter(places)
    disk, relied = CutDisk(day.before / DATABASE), []
    for place, entry in enumerate(day.trace):
        disk.take(entry)
        if isinstance(entry, Note):
            relied.append(entry)
        for number in range(often[place]):
            folder = home / f"{place}-{number}"
            shutil.copytree(day.before, folder, ignore=shutil.ignore_patterns(f"{DATABASE}*"))
            disk.lose_power(chance, folder)
            yield folder, relied
            shutil.rmtree(folder)


def anywhere(day: Day, times: int) -> list[int]:
    """Places by chance."""
    return Random("places").choices(range(len(day.trace)), k=times)


def find_losses(folder: Path, relied: list[Note]) -> list[str]:
    """What somebody relies on and is not there, or not as it was."""
    try:
        with open_post(_settings(folder), lambda: START) as context, context.store.reading() as at_desk:
            if complaints := at_desk.integrity_problems():
                return complaints
            broken = first_broken(events_from_rows(at_desk.load_events(TABLE)))
            lost = [note.kind for note in relied if note.kind != SPENT and not _stands(at_desk, note)]
            return lost if broken is None else [*lost, "chain"]
    except (StoreRefusedError, StoreFailedError, sqlite3.Error) as reason:
        return [str(reason)]


def _stands(at_desk: Transaction, note: Note) -> bool:
    name, value = note.facts
    if note.kind == "sent":
        mail = at_desk.find_message(name)
        return mail is not None and mail.raw == value
    letter = at_desk.find_letter(name)
    return letter is not None and value == (letter.raw if note.kind == "acknowledged" else letter.state)


def finish_day(folder: Path, letters: list[bytes]) -> str:
    """Let senders send again what was not acknowledged, and the rest of the letters come; the last head of the game."""
    with open_post(_settings(folder), lambda: START) as context:
        with context.store.transaction() as at_desk:
            at_desk.put_all_back()  # as a service does that comes back
        for letter in ([], *([each] for each in letters[context.store.counters().received :])):
            context.store.receive_all(letter, intake="test")
            assert {outcome.fate for outcome in handle_arrived_letters(context)} <= {"applied"}
            send_due(context, Inbox())
        record = read_record(context, TABLE)
        assert record is not None
        assert moves_of(record) == moves_of(make_script(), TURNS)
        with context.store.reading() as at_desk:
            assert at_desk.mails_by_state().keys() == {"sent"}
            assert at_desk.counters().difference == 0
            game = at_desk.find_game(TABLE)
            assert game is not None
            return game.head_hash


def test_nobody_is_answered_and_nothing_sent_before_it_is_safe(day: Day) -> None:
    disk, relied = CutDisk(day.before / DATABASE), Counter[str]()
    for entry in day.trace:
        disk.take(entry)
        if isinstance(entry, Note):
            relied[entry.kind] += 1
            assert f"{DATABASE}-wal" not in disk.unsafe()
    assert relied == {"acknowledged": 3 + TURNS, "told": 3 + TURNS, "sent": relied["sent"], "spent": 1}
    assert relied["sent"] > 2 * TURNS
    assert Sync(DATABASE) in day.trace, "in a day the log is copied into the database, too"


def test_whatever_somebody_relies_on_is_there_after_a_power_cut(day: Day, tmp_path: Path) -> None:
    for folder, relied in cut_power(day, tmp_path, [*anywhere(day, CUTS), *day.notes], "cuts"):
        assert find_losses(folder, relied) == []


def test_no_mail_is_lost_when_the_power_goes_while_mails_are_packed(day: Day, tmp_path: Path) -> None:
    syncs = [place for place in day.packing if isinstance(day.trace[place], Sync)]
    places = Random("packing").choices(day.packing, k=CUTS // 3)
    left = Counter[int]()
    for folder, relied in cut_power(day, tmp_path, [*places, *syncs, *(place + 1 for place in syncs[:-1])], "packs"):
        assert find_losses(folder, relied) == []
        with open_post(_settings(folder), lambda: START) as context, context.store.reading() as at_desk:
            left[at_desk._value("SELECT count(*) FROM outbox_bytes WHERE pack IS NULL")] += 1
    assert min(left) == 0, "in the end all are packed"
    assert len(left) > 3, "cuts found them packed in part"


def test_a_post_that_packs_in_steps_is_caught(record: Record, tmp_path: Path) -> None:
    day = record("packs in steps")
    syncs = [place + 1 for place in day.packing if isinstance(day.trace[place], Sync)]
    losses = [find_losses(*cut) for cut in cut_power(day, tmp_path, syncs[:-1], "steps")]
    assert sum(map(bool, losses)) >= 0.5 * len(losses)


def test_after_a_power_cut_the_game_goes_on_and_comes_to_the_same_end(day: Day, tmp_path: Path) -> None:
    cuts = cut_power(day, tmp_path, anywhere(day, CUTS // 10), "ends")
    assert len({finish_day(folder, day.letters) for folder, _ in cuts}) == 1


@pytest.mark.parametrize(
    ("fault", "often"), [("normal", 0.5), ("off", 0.5), ("answers too soon", 0.1), ("sends too soon", 0.1)]
)
def test_a_post_that_makes_a_mistake_is_caught(record: Record, tmp_path: Path, fault: str, often: float) -> None:
    day = record(fault)
    losses = [find_losses(*cut) for cut in cut_power(day, tmp_path, day.notes, fault)]
    assert sum(map(bool, losses)) >= often * len(losses)


def _settings(folder: Path) -> Settings:
    settings = read_settings(folder / "post.toml")
    assert isinstance(settings, Settings)
    return settings
