"""A round of sending: what was taken is marked, what was not comes again, and a closed way costs nobody a try."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.mail.transport.protocols import Checked, Deferred, Rejected, SendResult, Sent
from pbem.mail.transport.retry import (
    MAIL_DELAYS,
    SendCounts,
    mail_delay,
    reconnect_delay,
    send_claimed,
)
from pbem.store.rows import MailRow, NewMail
from pbem.store.store import Store

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


class Scripted:
    """A way out that answers by the recipient."""

    def __init__(self, **answers: SendResult) -> None:
        self.answers = answers
        self.seen: list[tuple[str, bytes]] = []

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        self.seen.append((recipient, raw))
        return self.answers.get(recipient.partition("@")[0], Sent())

    def check(self) -> Checked:
        return Checked("test", good=True, text="")

    def close(self) -> None:
        pass


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(f"sqlite:///{tmp_path}/post.db", now=lambda: NOON) as opened:
        yield opened


def queue(store: Store, *names: str) -> None:
    with store.transaction() as at_desk:
        at_desk.enqueue([NewMail(f"<{name}@post>", f"{name}@x.org", "turn", name.encode()) for name in names])


def state(store: Store, name: str) -> MailRow:
    with store.reading() as at_desk:
        found = at_desk.find_message(f"<{name}@post>")
    assert found is not None
    return found


def at(moment: datetime) -> Callable[[], datetime]:
    return lambda: moment


def test_every_mail_gets_what_the_way_out_said_of_it(store: Store) -> None:
    queue(store, "anna", "gone", "busy", "boris")
    way = Scripted(gone=Rejected("550 no such person"), busy=Deferred("450 later"))
    assert send_claimed(store, way, at(NOON)) == SendCounts(sent=2, later=1, failed=1)
    assert [name for name, _ in way.seen] == ["anna@x.org", "gone@x.org", "busy@x.org", "boris@x.org"]
    assert [state(store, name).state for name in ("anna", "gone", "busy", "boris")] == [
        *("sent", "failed", "queued", "sent")
    ]
    assert state(store, "gone").last_error == "550 no such person"
    assert state(store, "busy").not_before == NOON + timedelta(minutes=1)
    assert send_claimed(store, way, at(NOON)) == SendCounts()


def test_a_closed_way_ends_the_round_and_costs_nobody_a_try(store: Store) -> None:
    queue(store, "anna", "boris")
    shut = Scripted(anna=Deferred("connection refused", closed=True, tried=False))
    for minute in range(20):
        moment = NOON + timedelta(minutes=minute)
        assert send_claimed(store, shut, at(moment)) == SendCounts(later=2, trouble="connection refused")
    assert {name for name, _ in shut.seen} == {"anna@x.org"}
    assert (state(store, "anna").attempts, state(store, "boris").attempts) == (0, 0)
    assert send_claimed(store, Scripted(), at(NOON + timedelta(minutes=21))) == SendCounts(sent=2)


def test_a_mail_that_breaks_the_way_is_counted_and_does_not_stand_before_the_others_for_ever(store: Store) -> None:
    queue(store, "poison", "boris")
    way = Scripted(poison=Deferred("connection lost", closed=True))
    assert send_claimed(store, way, at(NOON)) == SendCounts(later=2, trouble="connection lost")
    assert (state(store, "poison").attempts, state(store, "boris").attempts) == (1, 0)
    second = NOON + timedelta(minutes=1)
    send_claimed(store, way, at(second))
    assert send_claimed(store, way, at(second + timedelta(minutes=1))) == SendCounts(sent=1)
    assert state(store, "boris").state == "sent"


def test_tries_come_further_and_further_apart_and_end(store: Store) -> None:
    queue(store, "busy")
    way, moment = Scripted(busy=Deferred("450 later")), NOON
    for wait in MAIL_DELAYS:
        assert send_claimed(store, way, at(moment)) == SendCounts(later=1)
        assert send_claimed(store, way, at(moment + wait - timedelta(seconds=1))) == SendCounts()
        moment += wait
    assert send_claimed(store, way, at(moment)) == SendCounts(failed=1)
    assert state(store, "busy").last_error == "given up after 10 tries; the last: 450 later"
    assert len(way.seen) == 10
    assert timedelta(days=4) < moment - NOON < timedelta(days=6)
    with store.reading() as at_desk:
        assert [mail.recipient for mail in at_desk.unreported_failures()] == ["busy@x.org"]


def test_the_waits_are_the_same_for_everyone() -> None:
    minutes = [wait.total_seconds() / 60 for tries in range(1, 7) if (wait := mail_delay(tries)) is not None]
    assert minutes == [1, 5, 30, 120, 360, 1440]
    assert mail_delay(10) is None
    assert [reconnect_delay(failures) for failures in (1, 2, 3, 4, 5, 99)] == [1, 5, 15, 60, 300, 300]


def test_a_round_takes_no_more_than_it_is_told(store: Store) -> None:
    queue(store, "a", "b", "c")
    assert send_claimed(store, Scripted(), at(NOON), limit=2) == SendCounts(sent=2)
    assert send_claimed(store, Scripted(), at(NOON), limit=2) == SendCounts(sent=1)


def test_what_leaves_is_to_the_byte_what_was_queued_however_often(store: Store) -> None:
    queue(store, "busy")
    way = Scripted(busy=Deferred("450"))
    for minutes in (0, 1, 6):
        send_claimed(store, way, at(NOON + timedelta(minutes=minutes)))
    assert way.seen == [("busy@x.org", b"busy")] * 3
