"""Only one process at a time is the clerk of a post; the others are told who it is, or wait for an errand."""

import os
import threading
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.service.lock import SERVING, PostBusyError, take_lock
from pbem.service.post_folder import open_post
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError

AT_ONCE = timedelta()


@pytest.mark.parametrize("broken", ["missing", "empty"])
def test_there_is_no_key_to_a_post_without_a_database(settings: Settings, tmp_path: Path, broken: str) -> None:
    settings.database.write_bytes(b"")
    if broken == "missing":
        settings.database.unlink()
    with pytest.raises(StoreRefusedError, match="put a backup in its place"), take_lock(settings, "tick"):
        pass
    assert not (tmp_path / "post/post.db.lock").exists()


def test_the_second_clerk_is_told_at_once_that_the_post_is_served(settings: Settings) -> None:
    began = time.monotonic()
    with take_lock(settings, SERVING):
        with (
            pytest.raises(PostBusyError, match=f"is being served by process {os.getpid()}") as told,
            take_lock(settings, "tick"),
        ):
            pass
        with open_post(settings):
            pass  # looking is free
    assert told.value.served
    assert time.monotonic() - began < settings.store.patience.total_seconds() / 2
    with take_lock(settings, "tick"):
        pass


def test_an_errand_is_waited_for(settings: Settings) -> None:
    taken, over = threading.Event(), threading.Event()

    def deliver() -> None:
        with take_lock(settings, "deliver"):
            taken.set()
            over.wait(30)

    clerk = threading.Thread(target=deliver)
    clerk.start()
    taken.wait(30)
    threading.Timer(0.3, over.set).start()
    with take_lock(settings, SERVING):
        assert over.is_set()
    clerk.join()


def test_an_errand_that_does_not_end_is_named_and_is_no_service(settings: Settings) -> None:
    with take_lock(settings, "deliver"):
        said = rf"process {os.getpid()} \(`pbem deliver`\) is at work"
        with pytest.raises(PostBusyError, match=said) as told, take_lock(settings, SERVING, patience=AT_ONCE):
            pass
    assert not told.value.served


def test_what_a_dead_service_wrote_is_not_believed_of_the_next_clerk(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with take_lock(settings, "tick"):
        lock = tmp_path / "post/post.db.lock"
        now = lock.read_text("ascii")
        lock.write_text(f"1 {SERVING}\n", "ascii")
        sleep = time.sleep

        def name_the_clerk(seconds: float) -> None:
            lock.write_text(now, "ascii")
            sleep(seconds)

        monkeypatch.setattr("pbem.service.lock.time.sleep", name_the_clerk)
        with pytest.raises(PostBusyError) as told, take_lock(settings, "send", patience=timedelta(seconds=0.2)):
            pass
    assert not told.value.served


def test_a_process_that_dies_leaves_no_key_behind(settings: Settings) -> None:
    child = os.fork()
    if not child:
        with take_lock(settings, SERVING):
            os._exit(9)
    os.waitpid(child, 0)
    with take_lock(settings, "tick"):
        pass


def test_the_key_lies_beside_the_database_and_names_its_holder(settings: Settings, tmp_path: Path) -> None:
    with take_lock(settings, "tick"):
        assert (tmp_path / "post/post.db.lock").read_text("ascii") == f"{os.getpid()} tick\n"


def test_a_key_that_cannot_be_taken_is_told_by_file_and_remedy(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "post/post.db.lock"

    def refuse(number: int) -> None:
        def fail(*_: object) -> int:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "pwrite", fail)

    for number, said in [(28, "there is no room on the disk for"), (30, "is on a disk that can only be read")]:
        refuse(number)
        with pytest.raises(StoreRefusedError, match=said) as told, take_lock(settings, SERVING):
            pass
        assert str(lock) in str(told.value)
    lock.unlink()
    lock.mkdir()
    with (
        pytest.raises(StoreRefusedError, match=r"post\.db\.lock is a folder; name a file"),
        take_lock(settings, SERVING),
    ):
        pass


def test_somebody_waits_no_longer_than_the_settings_say(settings: Settings) -> None:
    hasty = replace(settings, store=replace(settings.store, patience=timedelta(seconds=0.1)))
    began = time.monotonic()
    with take_lock(hasty, "send"), pytest.raises(PostBusyError), take_lock(hasty, "tick"):
        pass
    assert time.monotonic() - began < 5
