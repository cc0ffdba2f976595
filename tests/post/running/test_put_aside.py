"""Letters that cannot be handled are put aside, each for its own reasons, and a player hears of it."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.reading.limits import TICKETED
from pbem.store.rows import KILLS, TRIES
from pbem.workflow import handle_letter
from pbem.workflow.handle_letter import handle_arrived_letters
from tests.post.post_games import TABLE
from tests.post.running.two_tables import ANNA, MOVE, TwoTables, open_two_tables

SERVER = "mx.post.test"
GENUINE = f"Authentication-Results: {SERVER}; dmarc=pass header.from=players.test"
FAKED = f"Authentication-Results: {SERVER}; dmarc=fail header.from=players.test"
SAYS = "We could not handle your mail"


@pytest.fixture
def post(tmp_path: Path) -> Iterator[TwoTables]:
    with open_two_tables(tmp_path, authserv_id=SERVER, referee="referee@post.test") as found:
        yield found


def told(post: TwoTables, table: str = TABLE) -> list[str]:
    """What Anna was told of letters that were put aside."""
    mails = [message_from_bytes(mail.raw, policy=policy.default) for mail in post.mails(table)]
    return [" ".join(str(mail.get_content()).split()) for mail in mails if SAYS in str(mail["Subject"])]


def letter(post: TwoTables, *more: str, words: str = MOVE, sender: str = f"Anna <{ANNA}>", number: int = 1) -> bytes:
    lines = [GENUINE, *more, f"From: {sender}", f"To: {post.reply_to(TABLE)}", f"Message-ID: <{number}@anna.test>"]
    return "\r\n".join((*lines, "", words, "")).encode()


class Killed(BaseException):
    """Ends the process at once: nothing more is written."""


def kill_while_handling(post: TwoTables, monkeypatch: pytest.MonkeyPatch, in_hand: bytes) -> None:
    """Let the process be killed with one letter in hand; others are handled as always."""
    honest = handle_letter.handle_letter

    def handle(context: object, transaction: object, row: object) -> object:
        if getattr(row, "raw", b"") == in_hand:
            raise Killed
        return honest(context, transaction, row)  # type: ignore[arg-type]  # what is passed on is not looked at

    with monkeypatch.context() as patch:
        patch.setattr(handle_letter, "handle_letter", handle)
        patch.setattr(type(post.context.store), "put_down", lambda *_: None)
        with suppress(Killed):
            post.handle()


def test_three_sudden_ends_put_no_innocent_letter_aside_and_do_not_touch_the_next(
    post: TwoTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = letter(post), letter(post, words="status", number=2)
    for raw in (first, second):
        post.receive(raw, post.reply_to(TABLE))
    for _ in range(TRIES):
        kill_while_handling(post, monkeypatch, first)
    with post.context.store.reading() as at_desk:
        following = at_desk.find_letter(2)
        assert following is not None
        assert (following.begun, following.attempts) == (0, 0)
    assert [outcome.fate for outcome in post.handle()] == ["applied", "applied"]
    assert post.played(TABLE)
    assert told(post) == []


def test_a_letter_that_kills_the_post_again_and_again_does_not_stop_it_for_ever(
    post: TwoTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison, innocent = letter(post, words="status"), letter(post, number=2)
    for raw in (poison, innocent):
        post.receive(raw, post.reply_to(TABLE))
    for _ in range(KILLS):
        assert not post.played(TABLE)
        kill_while_handling(post, monkeypatch, poison)
    assert [(each.fate, each.seat) for each in post.handle()] == [("quarantined", "red"), ("applied", "red")]
    assert post.played(TABLE)
    (words,) = told(post)
    assert "That is our fault, not yours." in words


def test_a_post_that_is_stopped_between_two_letters_has_none_in_hand(post: TwoTables) -> None:
    for number in range(1, 2 * KILLS):
        post.receive(letter(post, words="status", number=number), post.reply_to(TABLE))
    for _ in range(KILLS):
        handled = handle_arrived_letters(post.context)
        next(handled)
        handled.close()  # type: ignore[attr-defined]  # as the service does when it stops
    with post.context.store.reading() as at_desk:
        unread = [at_desk.find_letter(number) for number in range(KILLS + 1, 2 * KILLS)]
    assert {(row.begun, row.attempts, row.state) for row in unread if row is not None} == {(0, 0, "received")}


def test_a_letter_over_which_we_stumble_is_put_aside_after_three_tries_and_its_writer_is_told(
    post: TwoTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.receive(letter(post), post.reply_to(TABLE))

    def stumble(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(handle_letter, "handle_letter", stumble)
        for _ in range(TRIES):
            with pytest.raises(ZeroDivisionError):
                post.handle()
        (outcome,) = post.handle()
    assert (outcome.fate, outcome.game, outcome.seat) == ("quarantined", TABLE, "red")
    (words,) = told(post)
    assert "Mon 16 Nov" in words
    assert "the operator has been told" in words
    with post.context.store.reading() as at_desk:
        assert at_desk.letters_to_report() == [outcome.letter]


def too_large(post: TwoTables) -> bytes:
    return letter(post, words="x" * TICKETED)[: TICKETED + 1]


def broken_parts(post: TwoTables) -> bytes:
    return letter(post, "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=a", words="--a\r\n\r\nnever ends")


def odd_bytes(post: TwoTables) -> bytes:
    return letter(post, words="lilac \0 E5")


def mixed_line_ends(post: TwoTables) -> bytes:
    return letter(post, words="one\ntwo\r\nthree")


def a_line_that_is_no_header(post: TwoTables) -> bytes:
    return letter(post, "X-Good: yes", "a line without a colon")


def the_same_sender_twice(post: TwoTables) -> bytes:
    return letter(post, f"From: Anna <{ANNA}>")


def a_subject_twice(post: TwoTables) -> bytes:
    return letter(post, "Subject: one", "Subject: two")


def too_many_headers(post: TwoTables) -> bytes:
    return letter(post, *(f"X-Number-{number}: x" for number in range(150)))


def encrypted(post: TwoTables) -> bytes:
    return letter(
        post, 'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=a', words="--a--"
    )


UNREAD = [
    *(too_large, broken_parts, odd_bytes, mixed_line_ends, a_line_that_is_no_header),
    *(the_same_sender_twice, a_subject_twice, too_many_headers, encrypted),
]


@pytest.mark.parametrize("write", UNREAD)
def test_a_player_hears_of_a_letter_that_cannot_be_read(post: TwoTables, write: Callable[[TwoTables], bytes]) -> None:
    post.receive(write(post), post.reply_to(TABLE))
    (outcome,) = post.handle()
    assert (outcome.fate, outcome.game, outcome.seat) == ("quarantined", TABLE, "red")
    (words,) = told(post)
    assert "Please send your move again" in words
    assert message_from_bytes(post.mails(TABLE)[-1].raw)["Reply-To"] == post.reply_to(TABLE)
    assert not post.played(TABLE)
    with post.context.store.reading() as at_desk:
        assert at_desk.letters_to_report() == [outcome.letter]


def in_a_strangers_name(raw: bytes) -> bytes:
    return raw.replace(ANNA.encode(), b"mallory@elsewhere.test")


def not_authentic(raw: bytes) -> bytes:
    return raw.replace(GENUINE.encode(), FAKED.encode())


def by_a_program(raw: bytes) -> bytes:
    return raw.replace(b"To: ", b"Auto-Submitted: auto-replied\r\nTo: ", 1)


def from_two_senders(raw: bytes) -> bytes:
    return raw.replace(b"To: ", b"From: mallory@elsewhere.test\r\nTo: ", 1)


def from_a_broken_sender(raw: bytes) -> bytes:
    return raw.replace(b"To: ", b"From : mallory@elsewhere.test\r\nTo: ", 1)


def a_report(raw: bytes) -> bytes:
    return raw.replace(b"To: ", b"Content-Type: multipart/report; boundary=b\r\nTo: ", 1)


@pytest.mark.parametrize(
    "spoil", [in_a_strangers_name, not_authentic, by_a_program, from_two_senders, from_a_broken_sender, a_report]
)
@pytest.mark.parametrize("write", [too_large, odd_bytes])
def test_strangers_and_programs_hear_nothing(
    post: TwoTables, write: Callable[[TwoTables], bytes], spoil: Callable[[bytes], bytes]
) -> None:
    before = post.context.store.counters().received, len(post.mails(TABLE))
    post.receive(spoil(write(post)), post.reply_to(TABLE))
    post.handle()
    assert (post.context.store.counters().received - 1, len(post.mails(TABLE))) == before
    with post.context.store.reading() as at_desk:
        assert "mallory@elsewhere.test" not in {mail.recipient for mail in at_desk.last_mails_to_seats()}


def test_a_bad_ticket_is_not_answered(post: TwoTables) -> None:
    address = post.reply_to(TABLE)
    spoilt = address.replace(address.partition("@")[0][-4:], "aaaa")
    post.receive(odd_bytes(post), spoilt)
    (outcome,) = post.handle()
    assert (outcome.fate, outcome.seat) == ("quarantined", None)
    assert told(post) == []


def test_a_player_is_told_once_an_hour_at_each_table(post: TwoTables) -> None:
    for number in range(4):
        post.receive(letter(post, words="\0", number=number), *post.both)
        post.handle()
    assert (len(told(post)), len(told(post, "sirocco-8"))) == (1, 1)
    post.hours.forward(hours=1)
    post.receive(letter(post, words="\0", number=9), post.reply_to(TABLE))
    post.handle()
    assert (len(told(post)), len(told(post, "sirocco-8"))) == (2, 1)


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_it_is_said_in_the_players_language(post: TwoTables, language: str) -> None:
    with post.context.store.transaction() as at_desk:
        person = at_desk.find_seat(TABLE, "red")
        assert person is not None
        at_desk.save_seat(replace(person, language=language))
    post.receive(odd_bytes(post), post.reply_to(TABLE))
    post.handle()
    mail = message_from_bytes(post.mails(TABLE)[-1].raw, policy=policy.default)
    english = SAYS in str(mail["Subject"]) or "Nothing in it" in str(mail.get_content())
    assert english == (language == "en")


def test_a_letter_put_aside_can_be_tried_again_and_is_played(post: TwoTables) -> None:
    post.receive(letter(post), post.reply_to(TABLE))
    with post.context.store.transaction() as at_desk:
        at_desk.set_fate(1, "quarantined", "odd-bytes", game=TABLE, seat="red")
        assert at_desk.redrive(1)
    assert [outcome.fate for outcome in post.handle()] == ["applied"]
    assert post.played(TABLE)
