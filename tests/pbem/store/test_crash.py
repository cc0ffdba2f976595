"""Killed at any step of a letter's way and started again: nothing lost, nothing applied twice, mails the same."""

import json
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.store.rows import KILLS
from pbem.store.store import Store

WAY = Path(__file__).with_name("letters_way.py")
STEPS = [
    *("opened", "receiving", "acknowledged", "tried", "event", "ply", "mails", "receipt", "fate"),
    *("committed", "claimed", "sent", "marked", "over"),
]


class Walker:
    """Lets processes walk, one after the other."""

    def __init__(self, program: subprocess.Popen[str], url: str, sent: Path) -> None:
        self._program = program
        self._url = url
        self.sent = sent

    def walk(self, step: str, *, answered: bool = False) -> list[str]:
        """The steps that a process reached before it ended."""
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(json.dumps([self._url, str(self.sent), step, answered]) + "\n")
        self._program.stdin.flush()
        reached, ended = json.loads(self._program.stdout.readline())
        assert ended == (0 if step == "never" else signal.SIGKILL)
        return [*reached]


@pytest.fixture(scope="module")
def program() -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, str(WAY)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as started:
        yield started


@pytest.fixture
def walker(program: subprocess.Popen[str], url: str, tmp_path: Path) -> Walker:
    return Walker(program, url, tmp_path / "sent")


@pytest.mark.parametrize("step", STEPS)
def test_a_service_killed_at_a_step_and_started_again_finishes_the_letter_once(
    url: str, walker: Walker, step: str
) -> None:
    reached = walker.walk(step)
    assert reached[-1] == step
    # A sender who got no answer sends again; one who got it does not.
    again = walker.walk("never", answered="acknowledged" in reached)
    assert again[-1] == "over"
    with Store.open(url) as store, store.reading() as at_desk:
        assert at_desk.integrity_problems() == []
        counters = at_desk.counters()
        assert (counters.received, counters.applied, counters.difference) == (1, 1, 0)
        assert [event.seq for event in at_desk.load_events("sirocco-7")] == [1]
        assert at_desk.find_ply("sirocco-7", epoch=0, turn=1) is not None
        assert len(at_desk.receipts()) == 1
        assert at_desk.mails_by_state() == {"sent": 2}
    copies = defaultdict(list)
    for line in walker.sent.read_text("ascii").splitlines():
        message_id, content = line.split()
        copies[message_id].append(content)
    assert copies.keys() == {"<red@post>", "<blue@post>"}
    assert all(len(set(same)) == 1 for same in copies.values()), "a mail sent again is the same to the byte"
    # Only a mail that was on its way when the process died goes twice.
    assert max(map(len, copies.values())) == (2 if step == "sent" else 1)


def test_a_letter_that_kills_the_process_each_time_is_put_aside(url: str, walker: Walker) -> None:
    walker.walk("acknowledged")
    for _ in range(KILLS):
        with Store.open(url) as store:
            letter = store.next_received()
            assert letter is not None
            assert not letter.exhausted
        walker.walk("event", answered=True)
    with Store.open(url) as store:
        taken = store.take_next()
        assert taken is not None
        assert (taken.exhausted, taken.letter.attempts) == (True, 0)
