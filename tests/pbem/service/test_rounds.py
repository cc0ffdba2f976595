"""Rounds go on through trouble, rest, answer the bell, and end when the post does."""

import logging
import time
from collections.abc import Callable, Iterator
from threading import Event

import pytest

from pbem.service import server
from pbem.service.server import Worker as Round
from pbem.store.errors import StoreBusyError, StoreFailedError


class Worker:
    """Does what it is told, one thing after the other; then rests for an hour."""

    def __init__(self, *problems: Exception) -> None:
        self._problems = [*problems]
        self.times = 0
        self.done = Event()

    def __call__(self) -> float:
        self.times += 1
        if self._problems:
            raise self._problems.pop(0)
        self.done.set()
        return 3_600.0


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Worker], tuple[Round, list[str]]]]:
    monkeypatch.setattr(server, "reconnect_delay", lambda failures: 0.01)
    stop, begun = Event(), []

    def start(worker: Worker) -> tuple[Round, list[str]]:
        failures: list[str] = []
        one = Round("work", worker, stop=stop, fail=failures.append)
        begun.append(one)
        one.start()
        return one, failures

    yield start
    stop.set()
    for one in begun:
        one.wake()
        one.join()


Begin = Callable[[Worker], tuple[Round, list[str]]]


def test_a_round_rests_until_the_bell_rings(begin: Begin) -> None:
    worker = Worker()
    one, _ = begin(worker)
    assert worker.done.wait(10)
    worker.done.clear()
    assert worker.times == 1
    one.wake()
    assert worker.done.wait(10)
    assert worker.times == 2


def test_trouble_is_told_and_the_round_goes_on(begin: Begin, caplog: pytest.LogCaptureFixture) -> None:
    worker = Worker(ValueError("a bug"), StoreBusyError("another process keeps writing"), OSError("gone"))
    with caplog.at_level(logging.WARNING):
        _, failures = begin(worker)
        assert worker.done.wait(10)
    assert worker.times == 4
    assert failures == []
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING", "ERROR"]


def test_a_disk_that_failed_ends_it(begin: Begin) -> None:
    worker = Worker(StoreFailedError("the disk failed us"))
    one, failures = begin(worker)
    one.join()
    assert failures == ["the disk failed us"]
    assert worker.times == 1


def test_a_bell_that_rings_during_the_work_is_not_lost(begin: Begin) -> None:
    times = []
    again = Event()

    def work() -> float:
        times.append(time.monotonic())
        if len(times) == 1:
            one.wake()
        else:
            again.set()
        return 3_600.0

    stop = Event()
    one = Round("work", work, stop=stop, fail=lambda reason: None)
    one.start()
    assert again.wait(10)
    stop.set()
    one.wake()
    one.join()
