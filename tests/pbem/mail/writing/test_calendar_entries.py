"""Calendar entries, read again by another program: what they say, and that calendars can read every byte of them."""

from collections.abc import Callable
from datetime import UTC, datetime
from email import message_from_bytes
from typing import Any

import pytest
from icalendar import Calendar

from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.writing.calendar_entries import WIDTH, calendar_part
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import CalendarChange, Correspondent, Post, TurnMail
from tests.post.mailed_games import Game

POST = Post("caravan@post.example", "Caravan Post", b"key")
READER = Correspondent("Anna", "anna+games@example.org")
DEADLINE = datetime(2026, 9, 4, 7, 41, tzinfo=UTC)
CHANGE = CalendarChange("abc@post.example", 3, DEADLINE)
LARGEST = 75_000


def written(summary: str, change: CalendarChange = CHANGE, reader: Correspondent = READER) -> bytes:
    part = message_from_bytes(calendar_part(POST, reader, change, summary, DEADLINE).raw)
    text = part.get_payload(decode=True)
    assert isinstance(text, bytes)
    return text


def read(text: bytes) -> Any:
    (event,) = Calendar.from_ical(text.decode()).walk("VEVENT")
    assert not event.errors
    return event


@pytest.mark.parametrize(
    "summary",
    [
        "[sirocco-1] Your turn 37: answer by Fri 4 Sep",
        "commas, semicolons; and \\ backslashes \\n everywhere, " * 4,
        "тысяча верблюдов, один колодец; " * 5,
        "אלף גמלים, באר אחת; " * 5,
        "\N{DROMEDARY CAMEL}" * 60,
        "x" * 300,
    ],
)
def test_any_summary_arrives_as_it_was_written(summary: str) -> None:
    text = written(summary)
    assert str(read(text)["SUMMARY"]) == " ".join(summary.split())
    assert text.endswith(b"\r\n")
    for line in text.split(b"\r\n"):
        assert len(line) <= WIDTH
        assert b"\n" not in line
        line.decode()


def test_a_line_in_a_name_cannot_become_a_line_of_the_entry() -> None:
    text = written("hello\r\nATTENDEE:mailto:mallory@example.org\nEND:VEVENT")
    assert text.count(b"\r\nATTENDEE") == 1
    assert text.count(b"END:VEVENT\r\n") == 1 + text.count(b" END:VEVENT\r\n")
    read(text)


def test_an_entry_ends_with_the_deadline_in_utc_and_blocks_no_time() -> None:
    event = read(written("turn"))
    assert event.decoded("DTEND") == DEADLINE
    assert event.decoded("DTSTART") < DEADLINE
    assert b"DTEND:20260904T074100Z\r\n" in written("turn")
    assert (str(event["TRANSP"]), str(event["CLASS"])) == ("TRANSPARENT", "PRIVATE")
    assert event["ATTENDEE"].params["RSVP"] == "FALSE"
    assert str(event["ATTENDEE"]) == "mailto:anna+games@example.org"


def test_an_entry_that_is_removed_keeps_its_name_and_time() -> None:
    gone = read(written("turn", CalendarChange(CHANGE.uid, 4, DEADLINE, cancelled=True)))
    assert (str(gone["UID"]), gone["SEQUENCE"], str(gone["STATUS"])) == (CHANGE.uid, 4, "CANCELLED")
    assert gone.decoded("DTEND") == DEADLINE


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_a_turn_mail_with_an_entry_is_not_too_large(
    code: str, played: Callable[[int], Game], compose: Callable[..., Mail]
) -> None:
    game = played(60)
    mail = compose(game.table, TurnMail(game.since("red")), language=code, calendar=CHANGE)
    assert len(mail.raw) <= LARGEST
    kinds = [part.get_content_type() for part in message_from_bytes(mail.raw).walk()]
    assert kinds[0] == "multipart/mixed"
    assert kinds[-1] == "text/calendar"
    assert {"text/plain", "text/html", "image/png"} <= {*kinds}
