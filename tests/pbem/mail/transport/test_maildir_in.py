"""A Maildir is emptied letter by letter, and none leaves `new` before it is kept."""

import mailbox
import time
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from pbem.mail.transport.maildir import MaildirIntake
from pbem.mail.transport.protocols import Accepted
from pbem.mail.transport.retry import LeftLetters
from pbem.settings.sections import MaildirIntakeSettings as Wishes


@pytest.fixture
def folder(tmp_path: Path) -> mailbox.Maildir:
    return mailbox.Maildir(tmp_path / "maildir")


def way(folder: mailbox.Maildir, **more: Any) -> MaildirIntake:
    return MaildirIntake(Wishes(Path(folder._path), **more), Accepted(1_000, lambda _: True))


def names(folder: mailbox.Maildir, sub: str) -> list[str]:
    return sorted(path.name for path in (Path(folder._path) / sub).iterdir())


def test_letters_are_taken_in_order_and_marked_as_read(folder: mailbox.Maildir, box: Any) -> None:
    for number in range(3):
        folder.add(f"Subject: {number}\n\n")
        time.sleep(0.002)
    assert way(folder).collect(box) == 3
    assert box.letters == [b"Subject: 0\n\n", b"Subject: 1\n\n", b"Subject: 2\n\n"]
    assert {intake for intake, *_ in box.envelopes} == {"maildir"}
    assert names(folder, "new") == []
    assert len(names(folder, "cur")) == 3
    assert all(name.endswith(":2,S") for name in names(folder, "cur"))
    assert way(folder).collect(box) == 0


def test_numbers_in_names_count_as_numbers(folder: mailbox.Maildir, box: Any) -> None:
    """Python's own Maildir writes the parts of a second without their noughts."""
    in_order = [f"{moment}P7Q1.here" for moment in ("1794821330.M998", "1794821330.M1000", "1794821331.M5")]
    for name in reversed(in_order):
        Path(folder._path, "new", name).write_bytes(name.encode())
    assert way(folder).collect(box) == 3
    assert box.letters == [name.encode() for name in in_order]


def test_a_letter_that_there_is_no_room_for_stays_and_holds_up_no_other(folder: mailbox.Maildir, box: Any) -> None:
    for number in range(3):
        folder.add(f"Subject: {number}\n\n")
        time.sleep(0.002)
    box.no_room_for = b"Subject: 1"
    reader = way(folder)
    assert reader.collect(box) == 2
    assert box.letters == [b"Subject: 0\n\n", b"Subject: 2\n\n"]
    assert len(names(folder, "new")) == 1
    box.no_room_for = None
    assert reader.collect(box) == 0, "it is not read again at every look"
    assert way(folder).collect(box) == 1
    assert names(folder, "new") == []


def test_a_letter_that_was_left_is_brought_again_after_an_hour() -> None:
    hour = [0.0]
    left = LeftLetters(lambda: hour[0])
    left.leave("one")
    assert "one" in left
    assert "two" not in left
    hour[0] = 3_600.0
    assert "one" not in left


def test_a_letter_that_could_not_be_kept_stays_where_it_is(folder: mailbox.Maildir, box: Any) -> None:
    folder.add("Subject: 1\n\n")
    box.broken = True
    with pytest.raises(RuntimeError, match="disk is full"):
        way(folder).collect(box)
    assert len(names(folder, "new")) == 1
    box.broken = False
    assert way(folder).collect(box) == 1


def test_no_letter_waits_for_what_is_none(folder: mailbox.Maildir, box: Any) -> None:
    new = Path(folder._path, "new")
    (new / "0.folder").mkdir()
    (new / "1.link").symlink_to("nowhere")
    folder.add("Subject: 1\n\n")
    assert way(folder).collect(box) == 1
    assert box.letters == [b"Subject: 1\n\n"]
    assert names(folder, "new") == ["0.folder", "1.link"]


def test_no_letter_waits_for_one_that_cannot_be_read_but_that_is_told(
    folder: mailbox.Maildir, box: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = MaildirIntake._read

    def be_kept_out(self: MaildirIntake, path: Path) -> bytes:
        if path.name == "0.mail":
            raise PermissionError(13, "Permission denied", str(path))
        return read(self, path)

    monkeypatch.setattr(MaildirIntake, "_read", be_kept_out)
    for name in ("0.mail", "1.mail"):
        Path(folder._path, "new", name).write_text(name)
    with pytest.raises(PermissionError):
        way(folder).collect(box)
    assert box.letters == [b"1.mail"]
    assert names(folder, "new") == ["0.mail"]


def test_of_a_letter_too_large_as_much_is_taken_as_shows_it(folder: mailbox.Maildir, box: Any) -> None:
    folder.add("Subject: large\n\n" + "x" * 5_000)
    assert way(folder).collect(box) == 1
    assert len(box.letters[0]) == 1_001
    (kept,) = (Path(folder._path) / "cur").iterdir()
    assert kept.stat().st_size > 5_000


def test_new_letters_are_noticed_until_told_to_stop(folder: mailbox.Maildir, box: Any) -> None:
    stop = Event()
    watcher = Thread(target=way(folder, every=timedelta(milliseconds=20)).watch, args=(box, stop))
    watcher.start()
    try:
        folder.add("Subject: 1\n\n")
        assert box.dropped.wait(10)
    finally:
        stop.set()
        watcher.join(10)
    assert not watcher.is_alive()
    assert box.letters == [b"Subject: 1\n\n"]


def test_a_maildir_that_comes_late_is_waited_for(tmp_path: Path, box: Any) -> None:
    stop = Event()
    late = MaildirIntake(Wishes(tmp_path / "late", timedelta(milliseconds=20)), Accepted(1_000, lambda _: True))
    watcher = Thread(target=late.watch, args=(box, stop))
    watcher.start()
    try:
        time.sleep(0.1)
        mailbox.Maildir(tmp_path / "late").add("Subject: 1\n\n")
        assert box.dropped.wait(10)
    finally:
        stop.set()
        watcher.join(10)
