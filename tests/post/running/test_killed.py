"""Killed at any step of a letter's way and started again: nothing is lost, nothing applied twice, no mail changed."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.events.chain import first_broken
from pbem.mail.transport.factory import open_mailer
from pbem.service.game_records import read_record
from pbem.service.post_folder import open_post
from pbem.service.send_queue import send_due
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.workflow.context import PostContext, events_from_rows
from pbem.workflow.handle_letter import handle_arrived_letters
from tests.post.post_games import (
    START,
    TABLE,
    Friend,
    Hours,
    found_post,
    invite_friends,
    make_friends,
    make_script,
    moves_of,
)

WAY = Path(__file__).with_name("way_of_a_letter.py")

STEPS = [
    *(("begun", 1), ("kept, not committed", 1), ("received", 1), ("acknowledged", 1), ("opened", 1), ("taken", 1)),
    *(("read", 1), ("remembered", 1), ("event", 1), ("ply", 1)),
    *(("composed", 1), ("receipt", 1), ("composed", 2), ("composed", 3), ("queued", 1)),
    *(("people", 1), ("clock", 1), ("fate", 1), ("next one looked for", 1), ("committed", 1)),
    *(("claimed", 1), ("sent", 1), ("marked", 1), ("sent", 2), ("sent", 3), ("marked", 3), ("over", 1)),
]
"""Every named step, and which time it is reached."""

TURNS = 17
"""Played before the letter comes: the camels are on the board."""


class Setting(NamedTuple):
    """A post in the middle of a game, and the next letter to it."""

    folder: Path
    letter: Path
    events: int


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> Setting:
    home = tmp_path_factory.mktemp("setting")
    hours, friends, script = Hours(), make_friends(), make_script()
    settings = found_post(home / "post", {"out.kind": "maildir"})
    *before, (seat, phrase) = moves_of(script, TURNS + 1)
    with open_post(settings, hours.now) as context:
        invite_friends(context, friends.values(), script)
        exchange(context, friends, home / "post", None, "")
        for friend in friends.values():
            exchange(context, friends, home / "post", friend, "accept")
        for who, words in before:
            hours.moment = START
            exchange(context, friends, home / "post", friends[who], words)
        with context.store.reading() as at_desk:
            events = len(at_desk.load_events(TABLE))
    (home / "letter.eml").write_bytes(friends[seat].answer(phrase))
    shutil.rmtree(home / "post/mailboxes")
    return Setting(home / "post", home / "letter.eml", events)


def exchange(context: PostContext, friends: dict[str, Friend], folder: Path, writer: Friend | None, words: str) -> None:
    """Let a friend write, if any does, and let everybody read what comes of it."""
    if writer is not None:
        context.store.receive(writer.answer(words), intake="test")
        assert [outcome.fate for outcome in handle_arrived_letters(context)] == ["applied"]
    send_due(context, open_mailer(context.settings))
    for friend in friends.values():
        for path in (folder / "mailboxes" / friend.address / "new").iterdir():
            friend.get(path.read_bytes())
            path.unlink()


class Walker:
    """Lets processes walk, one after the other."""

    def __init__(self, program: subprocess.Popen[str], setting: Setting, folder: Path) -> None:
        self._program = program
        self._letter = setting.letter
        self.folder = folder

    def walk(self, step: str, time: int = 1, *, answered: bool = False) -> list[str]:
        """The steps that a process reached before it ended."""
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        asked = [str(self.folder), str(self._letter), step, time, answered]
        self._program.stdin.write(json.dumps(asked) + "\n")
        self._program.stdin.flush()
        reached, ended = json.loads(self._program.stdout.readline())
        assert ended == (0 if step == "never" else signal.SIGKILL)
        return [*reached]


@pytest.fixture(scope="module")
def program(setting: Setting, tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    spare = tmp_path_factory.mktemp("spare") / "post"
    shutil.copytree(setting.folder, spare)
    words = [sys.executable, str(WAY), str(spare), str(setting.letter)]
    # It shares modules with tests, and finds them where tests do.
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as started:
        yield started


@pytest.fixture
def walker(program: subprocess.Popen[str], setting: Setting, tmp_path: Path) -> Walker:
    shutil.copytree(setting.folder, tmp_path / "post")
    return Walker(program, setting, tmp_path / "post")


def test_the_steps_are_all_that_an_undisturbed_letter_reaches(walker: Walker) -> None:
    assert {*walker.walk("never")} == {step for step, _ in STEPS}


@pytest.mark.parametrize(("step", "time"), STEPS)
def test_a_post_killed_at_a_step_and_started_again_finishes_the_letter_once(
    setting: Setting, walker: Walker, step: str, time: int
) -> None:
    reached = walker.walk(step, time)
    assert reached[-1] == step
    # A sender who got no answer sends again; one who got it does not.
    assert walker.walk("never", answered="acknowledged" in reached)[-1] == "over"
    _check(setting, walker.folder)
    copies = _copies(walker.folder)
    assert all(len({*same}) == 1 for same in copies.values()), "a mail sent again is the same to the byte"
    # Only a mail that was on its way when the process died goes twice.
    assert sorted(map(len, copies.values())) == ([1, 1, 2] if step == "sent" else [1, 1, 1])


def test_a_post_killed_again_and_again_comes_to_the_same_end(setting: Setting, walker: Walker) -> None:
    walker.walk("kept, not committed")
    walker.walk("acknowledged")
    walker.walk("queued", answered=True)
    walker.walk("fate", answered=True)
    walker.walk("claimed", answered=True)
    walker.walk("never", answered=True)
    _check(setting, walker.folder)
    assert sorted(map(len, _copies(walker.folder).values())) == [1, 1, 1]


def test_a_letter_that_kills_the_post_three_times_is_put_aside_and_the_next_is_heard(walker: Walker) -> None:
    walker.walk("acknowledged")
    for _ in range(3):
        walker.walk("read", answered=True)
    walker.walk("never", answered=True)
    with open_post(_settings(walker.folder)) as context:
        counters = context.store.counters()
        assert (counters.quarantined, counters.applied, counters.difference) == (1, 3 + TURNS, 0)
        assert context.store.redrive(3 + TURNS + 1)
    walker.walk("never", answered=True)
    with open_post(_settings(walker.folder)) as context:
        assert context.store.counters().applied == 3 + TURNS + 1


def _settings(folder: Path) -> Settings:
    settings = read_settings(folder / "post.toml")
    assert isinstance(settings, Settings)
    return settings


def _check(setting: Setting, folder: Path) -> None:
    """The letter was applied, once, and everything fits."""
    with open_post(_settings(folder)) as context, context.store.reading() as at_desk:
        assert at_desk.integrity_problems() == []
        counters = at_desk.counters()
        assert counters.applied == 3 + TURNS + 1
        assert counters.difference == counters.unread == 0
        events = events_from_rows(at_desk.load_events(TABLE))
        assert first_broken(events) is None
        assert [event.kind for event in events[setting.events :]] == ["played"]
        assert at_desk.mails_by_state().keys() == {"sent"}
    with open_post(_settings(folder)) as context:
        record = read_record(context, TABLE)
        assert record is not None
        assert moves_of(record) == moves_of(make_script(), TURNS + 1)


def _copies(folder: Path) -> dict[str, list[bytes]]:
    """What was sent after the setting, by Message-ID."""
    copies = defaultdict(list)
    for path in folder.glob("mailboxes/*/new/*"):
        raw = path.read_bytes()
        copies[str(message_from_bytes(raw)["Message-ID"])].append(raw)
    return copies
