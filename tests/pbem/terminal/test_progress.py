"""A bar appears on a terminal when things take long, and leaves no trace."""

import io
import sys
import time

import pytest

from pbem.terminal.display import Progress


class Screen(io.StringIO):
    """A standard error that says whether it is a terminal."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    return clock


@pytest.mark.parametrize(("terminal", "seconds", "shown"), [(True, 5, True), (True, 0.1, False), (False, 5, False)])
def test_a_bar_is_for_terminals_and_patience(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, terminal: bool, seconds: float, shown: bool
) -> None:
    screen = Screen(terminal=terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    with Progress("judging", 200) as progress:
        clock.now += seconds
        progress.tell(50, "7 games")
        assert ("judging [=======" in screen.getvalue()) is shown
        assert ("25% 7 games" in screen.getvalue()) is shown
    assert screen.getvalue().endswith("\r\x1b[K") is shown


def test_a_bar_is_drawn_only_so_often(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    screen = Screen(terminal=True)
    monkeypatch.setattr(sys, "stderr", screen)
    with Progress("counting") as progress:
        clock.now += 5
        for done in range(1000):
            progress.tell(done)
        assert screen.getvalue().count("counting") == 1
        clock.now += 1
        progress.tell(2000)
        assert "counting 2,000" in screen.getvalue()
