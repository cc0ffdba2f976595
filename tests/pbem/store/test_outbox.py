"""Mails leave at least once, in order, with the bytes they were written with."""

from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import pytest

from pbem.mail.writing.mime import encode_base64
from pbem.store.errors import StoreConflictError
from pbem.store.outbox import LEASE
from pbem.store.rows import GameRow, MailRow, NewMail, SeatRow
from pbem.store.store import Store


def mail(number: int, seat: str = "red") -> NewMail:
    return NewMail(f"<{number}@post>", f"{seat}@example.org", "turn", b"Subject: x\r\n\r\n\xff\x00", "sirocco-7", seat)


def queue(store: Store, *mails: NewMail, held: bool = False) -> None:
    with store.transaction() as at_desk:
        at_desk.enqueue(mails, held=held)


def find(store: Store, number: int) -> MailRow:
    with store.reading() as at_desk:
        found = at_desk.find_message(f"<{number}@post>")
        assert found is not None
        assert at_desk.find_mail(found.id) == found
    return found


def test_mails_are_claimed_in_order_and_only_by_one(store: Store) -> None:
    queue(store, mail(1), mail(2), mail(3, "blue"))
    now = store._now()
    first = store.claim_due(now, 2)
    assert [claimed.message_id for claimed in first] == ["<1@post>", "<2@post>"]
    assert all((claimed.state, claimed.attempts) == ("sending", 1) for claimed in first)
    assert first[0].raw == mail(1).raw
    assert (first[0].recipient, first[0].kind, first[0].game, first[0].seat) == (
        *("red@example.org", "turn"),
        *("sirocco-7", "red"),
    )
    assert [claimed.message_id for claimed in store.claim_due(now, 9)] == ["<3@post>"]
    assert store.claim_due(now, 9) == []


def test_a_sent_mail_is_never_claimed_again(store: Store) -> None:
    queue(store, mail(1))
    (claimed,) = store.claim_due(store._now(), 9)
    store.mark_sent(claimed.id)
    assert store.claim_due(store._now() + timedelta(days=99), 9) == []
    assert find(store, 1).state == "sent"


def test_a_claim_that_was_never_finished_runs_out_and_the_same_bytes_go_again(store: Store) -> None:
    queue(store, mail(1))
    now = store._now()
    (lost,) = store.claim_due(now, 9)
    assert store.claim_due(now + LEASE - timedelta(seconds=1), 9) == []
    (again,) = store.claim_due(now + LEASE, 9)
    assert (again.message_id, again.raw, again.attempts) == (lost.message_id, lost.raw, 2)


def test_a_mail_that_could_not_be_sent_waits_and_says_why(store: Store) -> None:
    queue(store, mail(1))
    now = store._now()
    (claimed,) = store.claim_due(now, 9)
    store.mark_retry(claimed.id, not_before=now + timedelta(minutes=5), error="451 try later")
    assert store.claim_due(now + timedelta(minutes=4, seconds=59), 9) == []
    assert (find(store, 1).state, find(store, 1).last_error) == ("queued", "451 try later")
    (again,) = store.claim_due(now + timedelta(minutes=5), 9)
    assert again.attempts == 2


def test_a_claim_that_was_not_tried_is_put_back_as_if_it_had_not_been(store: Store) -> None:
    queue(store, mail(1), mail(2))
    now = store._now()
    claimed = store.claim_due(now, 9)
    store.put_back([one.id for one in claimed], not_before=now, error="no way out")
    again = store.claim_due(now, 9)
    assert [(one.message_id, one.attempts, one.last_error) for one in again] == [
        ("<1@post>", 1, "no way out"),
        ("<2@post>", 1, "no way out"),
    ]
    store.mark_sent(again[0].id)
    store.put_back([again[0].id], not_before=now)
    assert find(store, 1).state == "sent"


def test_claims_of_a_sender_that_died_are_put_back_and_nothing_else(store: Store) -> None:
    queue(store, mail(1), mail(2), mail(3))
    now = store._now()
    sent, lost = store.claim_due(now, 2)
    store.mark_sent(sent.id)
    with store.transaction() as at_desk:
        assert at_desk.put_all_back() == 1
    assert [claimed.message_id for claimed in store.claim_due(now, 9)] == [lost.message_id, "<3@post>"]


def test_a_failure_is_told_once(store: Store) -> None:
    queue(store, mail(1))
    (claimed,) = store.claim_due(store._now(), 9)
    store.mark_failed(claimed.id, "550 no such person")
    with store.transaction() as at_desk:
        (failed,) = at_desk.unreported_failures()
        assert (failed.message_id, failed.last_error, failed.state) == ("<1@post>", "550 no such person", "failed")
        at_desk.mark_reported([failed.id])
        assert at_desk.unreported_failures() == []
    assert store.claim_due(store._now() + timedelta(days=9), 9) == []


def test_mails_of_a_paused_seat_are_held_and_let_go(store: Store) -> None:
    queue(store, mail(1), mail(2, "blue"))
    queue(store, mail(3), held=True)
    with store.transaction() as at_desk:
        assert at_desk.hold_mails("sirocco-7", "red") == 1
        assert at_desk.mails_by_state() == {"held": 2, "queued": 1}
    now = store._now()
    assert [one.message_id for one in store.claim_due(now, 9)] == ["<2@post>"]
    with store.transaction() as at_desk:
        assert at_desk.release_mails("sirocco-7", "red") == 2
    assert [one.message_id for one in store.claim_due(now, 9)] == ["<1@post>", "<3@post>"]


def test_a_message_id_is_used_once(store: Store) -> None:
    queue(store, mail(1))
    with pytest.raises(StoreConflictError):
        queue(store, mail(2), mail(1))
    with store.reading() as at_desk:
        assert at_desk.find_message("<2@post>") is None


def test_mails_of_the_last_hour_are_counted_by_recipient_and_in_all(store: Store) -> None:
    queue(store, mail(1), mail(2, "blue"))
    hour_ago = store._now() - timedelta(hours=1)
    with store.reading() as at_desk:
        assert at_desk.mails_since(hour_ago) == 2
        assert at_desk.mails_since(hour_ago, "red@example.org") == 1
        assert at_desk.mails_since(hour_ago + timedelta(hours=2)) == 0


def test_answers_to_a_player_are_counted_together_whatever_capitals_the_address_has(store: Store) -> None:
    with store.transaction() as at_desk:
        for game, address in {"sirocco-7": "Anna@example.org", "mistral-8": "anna@Example.org"}.items():
            at_desk.add_game(GameRow(game, "playing", b"", store._now()))
            at_desk.save_seat(SeatRow(game, "red", address, "Anna"))
            at_desk.enqueue([NewMail(f"<{game}@post>", address, "answer", b"hello")])
        hour_ago = store._now() - timedelta(hours=1)
        for address in ("Anna@example.org", "anna@Example.org", "anna@example.org"):
            assert at_desk.answers_since(hour_ago, address) == 2


def picture_mail(number: int, picture: bytes = b"picture" * 1_000) -> NewMail:
    head = b"head %d " % number
    return NewMail(f"<{number}@post>", "red@example.org", "turn", head + b" tail", shared=picture, shared_at=len(head))


def whole(new: NewMail) -> bytes:
    return new.raw[: new.shared_at] + new.shared + new.raw[new.shared_at :]


def test_what_many_mails_share_is_kept_once_and_every_mail_is_whole(store: Store) -> None:
    mails = [picture_mail(1), picture_mail(2), picture_mail(3, b"another"), mail(4)]
    queue(store, *mails[:2])
    queue(store, *mails[2:])
    assert [find(store, number).raw for number in range(1, 5)] == [whole(each) for each in mails]
    assert [claimed.raw for claimed in store.claim_due(store._now(), 9)] == [whole(each) for each in mails]
    with store.reading() as at_desk:
        assert at_desk._value("SELECT count(*) FROM outbox_shared") == 2


def test_what_is_shared_is_forgotten_with_the_last_mail_that_needs_it(store: Store) -> None:
    queue(store, picture_mail(1), picture_mail(2))
    first, second = store.claim_due(store._now(), 9)
    store.mark_sent(first.id)
    later = store._now() + timedelta(days=1)
    with store.transaction() as at_desk:
        assert at_desk.forget_sent(later) == 1
    assert find(store, 2).raw == whole(picture_mail(2))
    store.mark_sent(second.id)
    with store.transaction() as at_desk:
        assert at_desk.forget_sent(later) == 1
        assert at_desk._value("SELECT count(*) FROM outbox_shared") == 0


def test_the_text_of_old_sent_mails_is_forgotten_and_nothing_else(store: Store) -> None:
    queue(store, mail(1), mail(2))
    first, _ = store.claim_due(store._now(), 9)
    store.mark_sent(first.id)
    with store.transaction() as at_desk:
        assert at_desk.forget_sent(store._now()) == 0
        assert at_desk.forget_sent(store._now() + timedelta(seconds=1)) == 1
    assert (find(store, 1).state, find(store, 1).raw) == ("sent", b"")
    assert find(store, 2).raw == mail(2).raw


@pytest.mark.parametrize("size", [1, 56, 57, 58, 5_000])
def test_a_picture_is_kept_as_it_was_drawn_and_comes_back_as_it_was_mailed(store: Store, size: int) -> None:
    drawn = bytes(number * 7 % 256 for number in range(size))
    queue(store, replace(mail(1), shared=encode_base64(drawn), shared_at=14))
    with store.reading() as at_desk:
        assert at_desk._row("SELECT content, encoded FROM outbox_shared", {}) == (drawn, 1)
        assert at_desk.altered_pictures() == []
    raw = mail(1).raw
    assert find(store, 1).raw == raw[:14] + encode_base64(drawn) + raw[14:]


@pytest.mark.parametrize("shared", [b"no base64!", b"YQ==\n", b"YR==", b"YWJj\r\nYWJj", b"\xff\x00"])
def test_what_base64_would_not_give_back_to_the_byte_is_kept_as_it_is(store: Store, shared: bytes) -> None:
    queue(store, replace(mail(1), shared=shared, shared_at=3))
    with store.reading() as at_desk:
        assert at_desk._row("SELECT content, encoded FROM outbox_shared", {}) == (shared, 0)
    raw = mail(1).raw
    assert find(store, 1).raw == raw[:3] + shared + raw[3:]


def test_digest_length_and_head_of_a_mail_stay_when_its_bytes_go(store: Store) -> None:
    queue(store, replace(mail(1), shared=b"AAAA", shared_at=2, head_seq=17))
    raw = find(store, 1).raw
    (claimed,) = store.claim_due(store._now(), 9)
    store.mark_sent(claimed.id)
    with store.transaction() as at_desk:
        assert at_desk.forget_sent(store._now() + timedelta(days=1)) == 1
    assert find(store, 1).raw == b""
    with store.reading() as at_desk:
        kept = at_desk._row("SELECT sha256, length, head_seq FROM outbox", {})
    assert kept == (sha256(raw).hexdigest(), len(raw), 17)
