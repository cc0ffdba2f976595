"""The post in service: what comes is handled and answered, poison is put aside, a failed disk ends it."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.reading import read_letter
from pbem.service import server
from pbem.service import server as rounds
from pbem.service.journal import close_journal, start_journal
from pbem.service.post_folder import open_post
from pbem.service.server import Intervals, StopSignal, serve
from pbem.settings.sections import Settings
from pbem.store.errors import StoreFailedError
from pbem.workflow import handle_letter
from pbem.workflow.context import PostContext
from pbem.workflow.tick import FAILED, TickResult, tick
from tests.old_tickets import format_old_address
from tests.post.post_games import TABLE, found_post, invite_friends, make_friends, make_script

QUICK = Intervals(letters=0.05, mails=0.05, clocks=0.05, health=0.05)


def until(holds: Callable[[], Any], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    chosen: dict[str, object] = {"in.maildir.path": tmp_path / "box", "out.path": tmp_path / "out"}
    for name in ("new", "cur", "tmp"):
        (tmp_path / "box" / name).mkdir(parents=True)
    return found_post(tmp_path / "post", chosen, referee="referee@post.test")


class Opened:
    """A post that is served in a thread."""

    def __init__(self, settings: Settings) -> None:
        self.end = StopSignal()
        self.failure: str | None = None
        self._settings = settings
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        self.failure = serve(self._settings, self.end, intervals=QUICK)

    def close(self) -> None:
        self.end.set()
        self.join()

    def join(self) -> None:
        self._thread.join(30)
        assert not self._thread.is_alive()


@pytest.fixture
def context(settings: Settings) -> Iterator[PostContext]:
    """A second look at the same post."""
    with open_post(settings) as opened:
        invite_friends(opened, make_friends().values(), make_script())
        yield opened


def drop(settings: Settings, context: PostContext, words: str, number: int = 1) -> None:
    """A letter of Anna's into the Maildir."""
    identity, friend = context.identity, make_friends()["red"]
    to = format_old_address(identity.ticket_key, identity.address, game=TABLE, seat="red", turn=0, epoch=0)
    letter = f"From: {friend.address}\nTo: {to}\nMessage-ID: <{number}@x.test>\n\n{words}\n"
    assert settings.maildir is not None
    (settings.maildir.path / "new" / f"{number}.mail").write_text(letter, "utf-8")


def sent(tmp_path: Path, address: str) -> int:
    return len([*(tmp_path / "out").glob(f"*-{address}-*.eml")])


def test_a_letter_in_the_maildir_is_answered_in_the_folder(
    settings: Settings, context: PostContext, tmp_path: Path
) -> None:
    post = Opened(settings)
    drop(settings, context, "status")
    until(lambda: sent(tmp_path, "anna@players.test") == 2)
    post.close()
    assert post.failure is None
    letters = context.store.counters()
    assert (letters.applied, letters.difference) == (1, 0)


def test_a_letter_that_breaks_the_clerk_is_put_aside_the_referee_is_woken_and_the_next_is_heard(
    settings: Settings, context: PostContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(raw: bytes, **envelope: Any) -> Any:
        if b"poison" in raw:
            raise ZeroDivisionError
        return read_letter(raw, **envelope)

    monkeypatch.setattr(handle_letter, "read_letter", stumble)
    monkeypatch.setattr(rounds, "reconnect_delay", lambda failures: 0.01)
    drop(settings, context, "poison", 1)
    drop(settings, context, "status", 2)
    post = Opened(settings)
    until(lambda: sent(tmp_path, "anna@players.test") == 3 and sent(tmp_path, "referee@post.test") == 1)
    post.close()
    letters = context.store.counters()
    assert (letters.quarantined, letters.applied, letters.difference) == (1, 1, 0)
    (alarm,) = (tmp_path / "out").glob("*-referee@post.test-*.eml")
    assert b"pbem quarantine" in alarm.read_bytes()


def test_a_disk_that_failed_closes_the_post(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(context: PostContext) -> Iterator[Any]:
        raise StoreFailedError("the disk failed us")
        yield

    monkeypatch.setattr(server, "handle_arrived_letters", fail)
    post = Opened(settings)
    post.join()
    assert post.failure == "the disk failed us"


def test_a_sweep_that_fails_stops_no_clock(
    settings: Settings, context: PostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(context: PostContext) -> None:
        raise OverflowError

    looked: list[PostContext] = []

    def look(context: PostContext) -> tuple[()]:
        looked.append(context)
        return ()

    monkeypatch.setattr(server, "tidy_up", stumble)
    monkeypatch.setattr(server, "tick", look)
    post = Opened(settings)
    until(lambda: len(looked) > 1)
    post.close()
    assert post.failure is None


def test_trouble_of_one_round_does_not_stop_the_others(
    settings: Settings, context: PostContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(context: PostContext) -> list[Any]:
        raise ZeroDivisionError

    monkeypatch.setattr(server, "tick", stumble)
    post = Opened(settings)
    drop(settings, context, "help")
    until(lambda: sent(tmp_path, "anna@players.test") == 2)
    post.close()
    assert post.failure is None


def test_whoever_wrote_in_time_is_heard_before_the_clock_is(
    settings: Settings, context: PostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    unread: list[int] = []

    def look(clerk: PostContext) -> Any:
        unread.append(clerk.store.counters().unread)
        return tick(clerk)

    def take_time(clerk: PostContext) -> Any:
        time.sleep(0.5)
        return handle_letter.handle_arrived_letters(clerk)

    monkeypatch.setattr(server, "tick", look)
    monkeypatch.setattr(server, "handle_arrived_letters", take_time)
    context.store.receive(b"From: anna@players.test\n\nhelp\n", intake="test")
    post = Opened(settings)
    until(lambda: unread)
    post.close()
    assert set(unread) == {0}


def test_a_clock_over_which_we_stumble_is_told_by_kind_and_place_and_not_in_words(
    settings: Settings, context: PostContext, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[str] = []

    def replayed() -> str:
        told.append(capsys.readouterr().err)
        return "".join(told)

    def stumble(_: PostContext) -> list[TickResult]:
        return [TickResult(FAILED, TABLE, problem=ValueError("what somebody has said"))]

    monkeypatch.setattr(server, "tick", stumble)
    journal = start_journal(settings.log)
    try:
        post = Opened(settings)
        until(lambda: "report this" in replayed())
        post.close()
    finally:
        close_journal(journal)
    assert "error=ValueError" in replayed()
    assert "what somebody has said" not in replayed()
