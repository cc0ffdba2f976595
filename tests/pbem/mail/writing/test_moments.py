"""Deadlines are told in the reader's own zone, and the zone is named."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import Envelope, ReminderMail, TurnMail
from pbem.mail.writing.sentences import find_sentences, say_length, say_moment
from pbem.render import ENGLISH
from tests.post.mailed_games import Game

VOICE = find_sentences(ENGLISH, "through-the-desert")
NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "zone", "said"),
    [
        (datetime(2026, 11, 19, 18, 0, tzinfo=UTC), "UTC", "Thu 19 Nov, 18:00 UTC"),
        (datetime(2026, 11, 19, 23, 30, tzinfo=UTC), "Europe/Warsaw", "Fri 20 Nov, 00:30 your time"),
        (datetime(2026, 7, 1, 0, 0, tzinfo=UTC), "America/New_York", "Tue 30 Jun, 20:00 your time"),
        (datetime(2027, 1, 1, 0, 0, tzinfo=UTC), "Europe/Warsaw", "Fri 1 Jan 2027, 01:00 your time"),
        (datetime(2026, 7, 1, 0, 0, tzinfo=UTC), "Asia/Kolkata", "Wed 1 Jul, 05:30 your time"),
    ],
)
def test_a_moment_in_a_zone(moment: Any, zone: str, said: str) -> None:
    assert say_moment(moment, zone, VOICE, NOW) == said


@pytest.mark.parametrize(
    ("length", "said"),
    [
        (timedelta(days=3), "3 days"),
        (timedelta(days=1, hours=12, minutes=5), "1 day, 12 hours"),
        (timedelta(hours=1, minutes=1, seconds=59), "1 hour, 1 minute"),
        (timedelta(days=2, minutes=30), "2 days, 30 minutes"),
        (timedelta(seconds=30), "0 minutes"),
        (timedelta(days=-2), "0 minutes"),
    ],
)
def test_a_length_in_words(length: Any, said: str) -> None:
    assert say_length(length, VOICE) == said


def test_a_turn_mail_tells_the_deadline_in_both_parts(
    played: Callable[[int], Game], compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    table = played(20).table
    for zone, said in (
        ("Asia/Jerusalem", "20:00 your time"),
        ("America/Lima", "13:00 your time"),
        ("UTC", "18:00 UTC"),
    ):
        for part in read(compose(table, TurnMail(()), zone=zone)).values():
            assert f"Place one camel by Thu 19 Nov, {said}." in " ".join(part.split())


def test_a_reminder_says_how_much_time_is_left_or_that_none_is(
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
    envelope: Envelope,
) -> None:
    table = played(20).table
    soon = compose(table, ReminderMail(()), {"red": envelope.date + timedelta(hours=5)})
    assert "5 hours left" in read(soon)["text/plain"]
    late = compose(table, ReminderMail(()), {"red": envelope.date - timedelta(hours=5)})
    assert "Your time is up" in read(late)["text/plain"]
    assert "Your time was up on Tue 17 Nov, 08:00 your time, but" in " ".join(read(late)["text/plain"].split())


def test_without_a_deadline_none_is_told(
    played: Callable[[int], Game], compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    text = read(compose(played(20).table, TurnMail(()), {}))["text/plain"]
    assert "\nPlace one camel.\n" in text
    assert "due by" not in text
