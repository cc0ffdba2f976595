"""Mails leave while the post is open, within measure, and old ones are forgotten."""

from datetime import timedelta
from email import message_from_bytes
from typing import Any

import pytest

from pbem.mail.transport.protocols import Checked, Deferred, Rejected, SendResult, Sent
from pbem.mail.transport.retry import SendCounts
from pbem.service.health import count_everything
from pbem.service.housekeeping import tidy_up
from pbem.service.send_queue import MailerState, send_due
from pbem.store.rows import NewMail
from pbem.workflow.context import PostContext
from tests.post.post_games import Hours


class Gate:
    """A way out that remembers, and can be told to be closed."""

    def __init__(self) -> None:
        self.taken: list[tuple[bytes, str]] = []
        self.closed = False
        self.answers: dict[str, SendResult] = {}

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        if self.closed:
            return Deferred("no way", closed=True, tried=False)
        self.taken.append((raw, recipient))
        return self.answers.get(recipient, Sent())

    def check(self) -> Checked:
        return Checked("test", good=True, text="")

    def close(self) -> None:
        pass


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def queued(context: PostContext) -> int:
    """Mails that wait."""
    count = 25
    with context.store.transaction() as at_desk:
        at_desk.enqueue([NewMail(f"<{one}@post>", "anna@x.test", "news", b"mail") for one in range(count)])
    return count


def states(context: PostContext) -> dict[str, int]:
    with context.store.reading() as at_desk:
        return {str(state): count for state, count in at_desk.mails_by_state().items()}


def test_everything_that_is_due_goes(context: PostContext, gate: Gate, queued: int) -> None:
    assert send_due(context, gate) == SendCounts(sent=queued)
    assert states(context) == {"sent": queued}


def test_a_closed_way_keeps_all_of_them(context: PostContext, gate: Gate, queued: int) -> None:
    gate.closed = True
    assert send_due(context, gate).trouble == "no way"
    assert states(context) == {"queued": queued}


def said(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    """What the journal was told, with its facts."""
    told = [(record.getMessage(), getattr(record, "facts", {})) for record in caplog.records]
    caplog.clear()
    return told


def test_a_mail_that_is_put_off_or_fails_has_a_line_with_its_reason_and_no_address(
    context: PostContext, gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    with context.store.transaction() as at_desk:
        at_desk.enqueue([NewMail("<a@post>", "gone@x.test", "turn", b"mail", "sirocco-7", "red")])
        at_desk.enqueue([NewMail("<b@post>", "busy@x.test", "news", b"mail", "sirocco-7", "blue")])
    gate.answers = {"gone@x.test": Rejected("550 <gone@x.test>: nobody"), "busy@x.test": Deferred("450 later")}
    caplog.set_level("INFO")
    send_due(context, gate)
    reason = {"reason": "550 (an address): nobody"}
    assert said(caplog) == [
        ("mail failed", {"mail": 1, "kind": "turn", "game": "sirocco-7", "seat": "red", **reason}),
        ("mail deferred", {"mail": 2, "kind": "news", "game": "sirocco-7", "seat": "blue", "reason": "450 later"}),
    ]
    assert count_everything(context.store, context.now()).facts["last_error"] == "450 later"


def test_that_no_mail_leaves_is_told_once_with_the_reason_and_so_is_that_they_leave_again(
    context: PostContext, gate: Gate, queued: int, hours: Hours, caplog: pytest.LogCaptureFixture
) -> None:
    watch = MailerState()

    def send() -> list[tuple[str, dict[str, Any]]]:
        watch.update(send_due(context, gate))
        hours.forward(minutes=2)
        return said(caplog)

    caplog.set_level("INFO")
    gate.closed = True
    assert send() == [("no mail can be sent now", {"reason": "no way"})]
    assert send() == []
    assert count_everything(context.store, context.now()).facts["last_error"] == "no way"
    gate.closed = False
    assert send()[-1] == ("mails can be sent again", {})
    assert send() == []
    assert count_everything(context.store, context.now()).facts["last_error"] is None


def test_at_closing_time_no_other_mail_is_begun_and_none_is_left_claimed(
    context: PostContext, gate: Gate, queued: int
) -> None:
    send_due(context, gate, closed=lambda: len(gate.taken) == 3)
    assert len(gate.taken) == 3
    assert states(context) == {"sent": 3, "queued": queued - 3}


def test_a_storm_of_our_own_stops_and_wakes_the_referee_once_a_day(
    context: PostContext, gate: Gate, hours: Hours
) -> None:
    most = context.settings.post.mails_per_hour
    with context.store.transaction() as at_desk:
        at_desk.enqueue([NewMail(f"<{one}@post>", "anna@x.test", "news", b"mail") for one in range(most + 1)])
    for _ in range(3):
        assert "post.mails_per_hour" in send_due(context, gate).trouble
    ((raw, recipient),) = gate.taken
    assert recipient == "referee@post.test"
    mail = message_from_bytes(raw)
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "post.mails_per_hour" in str(mail.get_payload())
    assert states(context) == {"queued": most + 1}
    hours.forward(hours=2)
    assert send_due(context, gate).sent == most + 1


def put_aside(context: PostContext, words: bytes) -> int:
    """A letter that the post died of as often as it is tried."""
    letter = context.store.receive(words, intake="pipe").id
    while (taken := context.store.take_next()) is not None and not taken.exhausted:
        assert taken.letter.id == letter
    assert taken is not None
    with context.store.transaction() as at_desk:
        at_desk.put_aside(taken.letter)
    return letter


def test_a_letter_that_was_tried_too_often_is_told_to_the_referee_once_whoever_handled_it(
    context: PostContext, gate: Gate
) -> None:
    first = put_aside(context, b"one")
    for _ in range(3):
        send_due(context, gate)
    second = put_aside(context, b"two")
    send_due(context, gate)
    assert [recipient for _, recipient in gate.taken] == ["referee@post.test"] * 2
    told = [str(message_from_bytes(raw).get_payload()) for raw, _ in gate.taken]
    assert f"letter {first}. See `pbem quarantine`" in told[0]
    assert f"letter {second}. See `pbem quarantine`" in told[1]
    assert context.store.redrive(first)
    send_due(context, gate)
    put_aside(context, b"one")
    send_due(context, gate)
    assert len(gate.taken) == 3
    assert count_everything(context.store, context.now()).facts["quarantined"] == 2


def test_a_letter_that_nobody_can_read_is_put_aside_without_a_word(context: PostContext, gate: Gate) -> None:
    letter = context.store.receive(b"no head", intake="pipe").id
    with context.store.transaction() as at_desk:
        at_desk.set_fate(letter, "quarantined", "no-sender")
    send_due(context, gate)
    assert gate.taken == []


def test_texts_of_old_mails_are_dropped_once_a_day(context: PostContext, gate: Gate, queued: int, hours: Hours) -> None:
    tidy_up(context)
    send_due(context, gate)
    hours.moment += context.settings.store.keep_sent + timedelta(hours=1)
    tidy_up(context)
    with context.store.reading() as at_desk:
        mail = at_desk.find_message("<1@post>")
    assert mail is not None
    assert (mail.state, mail.raw) == ("sent", b"")
