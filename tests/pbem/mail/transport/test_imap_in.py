"""Letters over IMAP from a real server: fetched, kept, and only then put away."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from threading import Event, Thread
from typing import Any

import pytest

from pbem.mail.transport.imap import ImapIntake
from pbem.mail.transport.protocols import Accepted
from pbem.settings.kinds import Secret
from pbem.settings.sections import ImapSettings as Wishes

ONE, TWO = b"Subject: one\r\n\r\nlilac E5\r\n", b"Subject: two\r\n\r\n\xff\x00\r\n"


def way(mailbox: Any, folder: str, **more: Any) -> ImapIntake:
    plain = Wishes(
        host="127.0.0.1",
        port=mailbox.port,
        security="starttls",
        ca_file=mailbox.papers.ca,
        user="anna",
        password=Secret("open sesame"),
        folder=folder,
        done=f"{folder}Done",
        timeout=timedelta(seconds=20),
        every=timedelta(milliseconds=50),
    )
    return ImapIntake(replace(plain, **more), Accepted(1_000, lambda _: True))


@contextmanager
def watching(way_in: ImapIntake, box: Any) -> Iterator[None]:
    stop = Event()
    watcher = Thread(target=way_in.watch, args=(box, stop))
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join(20)
    assert not watcher.is_alive()


@pytest.mark.parametrize("after", ["move", "flag"])
def test_a_letter_that_there_is_no_room_for_stays_as_it_is(mailbox: Any, box: Any, after: str) -> None:
    folder = f"Crowded-{after}"
    mailbox.put(folder, ONE, TWO)
    box.no_room_for = b"Subject: one"
    reader = way(mailbox, folder, after=after)
    assert reader.collect(box) == 1
    assert box.letters == [TWO]
    box.no_room_for = None
    assert reader.collect(box) == 0, "it is not fetched again at every look"
    assert way(mailbox, folder, after=after).collect(box) == 1
    assert box.letters == [TWO, ONE]


def test_letters_are_kept_to_the_byte_and_moved_away(mailbox: Any, box: Any) -> None:
    mailbox.put("Moved", ONE, TWO)
    reader = way(mailbox, "Moved")
    assert reader.check().good
    assert reader.collect(box) == 2
    assert box.letters == [ONE, TWO]
    assert {intake for intake, *_ in box.envelopes} == {"imap"}
    assert mailbox.look("Moved") == []
    assert mailbox.look("MovedDone") == [ONE, TWO]
    assert reader.collect(box) == 0


def test_letters_can_be_marked_as_read_instead(mailbox: Any, box: Any) -> None:
    mailbox.put("Marked", ONE)
    reader = way(mailbox, "Marked", after="flag")
    assert reader.collect(box) == 1
    mailbox.put("Marked", TWO)
    assert reader.collect(box) == 1
    assert box.letters == [ONE, TWO]
    assert mailbox.look("Marked") == [ONE, TWO]
    assert mailbox.look("MarkedDone") == []


@pytest.mark.parametrize("after", ["move", "flag"])
def test_a_letter_that_could_not_be_kept_stays_where_it_is(mailbox: Any, box: Any, after: str) -> None:
    folder = f"Broken{after}"
    mailbox.put(folder, ONE)
    box.broken = True
    with pytest.raises(RuntimeError, match="disk is full"):
        way(mailbox, folder, after=after).collect(box)
    box.broken = False
    assert way(mailbox, folder, after=after).collect(box) == 1
    assert box.letters == [ONE]


def test_of_a_letter_too_large_as_much_is_fetched_as_shows_it(mailbox: Any, box: Any) -> None:
    mailbox.put("Large", ONE + b"x" * 5_000)
    assert way(mailbox, "Large").collect(box) == 1
    assert len(box.letters[0]) == 1_001
    assert len(mailbox.look("LargeDone")[0]) > 5_000


def test_the_server_tells_of_a_new_letter_and_it_is_taken_at_once(mailbox: Any, box: Any) -> None:
    mailbox.put("Idle")
    # Without IDLE nobody would look again within the test. A letter that slips in between a search and IDLE is not
    # told, so there is a second one, and a third.
    with watching(way(mailbox, "Idle", every=timedelta(hours=1)), box):
        for _ in range(3):
            mailbox.put("Idle", ONE)
            if box.dropped.wait(10):
                break
        assert box.letters
        assert set(box.letters) == {ONE}


def test_a_letter_that_the_server_told_of_too_early_is_found_all_the_same(mailbox: Any, box: Any) -> None:
    """It comes while the letter before it is being put away, so the answer to that tells of it, and IDLE does not."""
    mailbox.put("Early", ONE)
    reader = way(mailbox, "Early", every=timedelta(hours=1))
    put_away = reader._finish

    def put_away_slowly(server: Any, letters: list[int]) -> None:
        if len(box.letters) == 1:
            mailbox.put("Early", TWO)
        put_away(server, letters)

    reader._finish = put_away_slowly  # type: ignore[method-assign]  # the moment cannot be met from outside
    with watching(reader, box):
        for _ in range(200):
            if box.letters == [ONE, TWO]:
                break
            box.dropped.wait(0.1)
            box.dropped.clear()
    assert box.letters == [ONE, TWO]


def test_without_idle_somebody_looks_every_so_often(mailbox: Any, box: Any) -> None:
    mailbox.put("Poll")
    with watching(way(mailbox, "Poll", idle=False), box):
        mailbox.put("Poll", ONE)
        assert box.dropped.wait(20)


def test_a_server_that_went_away_is_knocked_at_until_it_is_back(mailbox: Any, box: Any) -> None:
    mailbox.put("Gone", ONE)
    with watching(way(mailbox, "Gone"), box):
        assert box.dropped.wait(20)
        box.dropped.clear()
        mailbox.stop()
        mailbox.start()
        mailbox.put("Gone", TWO)
        assert box.dropped.wait(30)
    assert box.letters == [ONE, TWO]


def test_what_is_wrong_with_a_login_is_told_without_the_password(mailbox: Any, papers: Any) -> None:
    wrong = way(mailbox, "INBOX", password=Secret("open barley")).check()
    assert not wrong.good
    assert "LoginError" in wrong.text
    assert "barley" not in wrong.text
    nowhere = way(mailbox, "INBOX", port=1).check()
    assert not nowhere.good
    assert "refused" in nowhere.text
    stranger = way(mailbox, "INBOX", ca_file=None).check()
    assert not stranger.good
    assert "certificate verify failed" in stranger.text
