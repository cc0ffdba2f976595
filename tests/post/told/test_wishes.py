"""What players wish about their mails is done: a summary at an hour of their own, deadlines in a calendar, one mail."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.header import decode_header, make_header
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from engine.game import Game
from engine.through_the_desert import GAME as DESERT
from pbem.store.store import LAST_TICK
from pbem.workflow.tick import tick
from tests.post.post_games import TABLE
from tests.post.told.test_telling import plan_for, play, words
from tests.post.towns import Town, found_town

Found = Callable[..., Town]
HALF_HOUR = timedelta(minutes=30)
LARGEST = 75_000
"""Bytes that a turn mail may have in all."""


@pytest.fixture
def found(tmp_path: Path) -> Iterator[Found]:
    """Found a town, in which a game has begun unless it is still waited for answers."""
    with ExitStack() as stack:

        def call(
            game: Game[Any] = DESERT,
            players: int = 3,
            *,
            folder: str = "post",
            accepting: bool = True,
            **chosen: object,
        ) -> Town:
            settings = {key.replace("__", "."): value for key, value in chosen.items()}
            options = {"First": game.seats[0]}
            laid = found_town(tmp_path / folder, game, players, options=options, chosen=settings, accepting=accepting)
            return stack.enter_context(laid)

        yield call


def until(town: Town, moment: str, zone: str = "UTC") -> list[str]:
    """Let time pass until a moment by the clocks of a zone; who gets a summary meanwhile, and when."""
    end = datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    told = []
    while town.hours.moment < end:
        halves = 1 + town.hours.moment.minute // 30
        town.hours.moment = min(end, town.hours.moment.replace(minute=0, second=0) + HALF_HOUR * halves)
        there = town.hours.now().astimezone(ZoneInfo(zone))
        told += [f"{each.seat} {there:%d %H:%M}" for each in tick(town.context) if each.what == "digest"]
    town.carry()
    return told


def person(town: Town, seat: str) -> Any:
    with town.context.store.reading() as at_desk:
        return at_desk.find_seat(TABLE, seat)


def play_as(town: Town, *seats: str) -> None:
    for seat in seats:
        assert play(town) == seat


# Summaries


def test_a_summary_comes_at_an_hour_of_ones_own_zone_and_none_on_a_quiet_day(found: Found) -> None:
    town = found()
    town.write("green", "zone Asia/Jerusalem\nnotify daily 7:30")
    assert "every day at 07:30 your time what else happened" in words(town, "green")
    play_as(town, "red")
    assert until(town, "2026-11-18T06:00", "Asia/Jerusalem") == ["green 17 07:30"]
    assert "1 turn played" in words(town, "green")
    assert "Anna: " in words(town, "green")
    assert until(town, "2026-11-19T12:00", "Asia/Jerusalem") == [], "nothing has happened since"


def test_whose_turn_it_is_hears_it_at_once_and_not_again_in_a_summary(found: Found) -> None:
    town = found()
    town.write("green", "notify daily")
    assert person(town, "green").notices == "daily 08:00"
    play_as(town, "red", "blue")
    assert "Your turn, Chloe" in words(town, "green")
    assert until(town, "2026-11-18T12:00") == []


def test_another_hour_and_another_zone_hold_from_the_next_hour_on(found: Found) -> None:
    town = found()
    town.write("green", "notify daily 08:00")
    play_as(town, "red")
    assert until(town, "2026-11-17T10:00") == ["green 17 08:00"]
    town.write("green", "notify daily 20:00")
    play_as(town, "blue")
    town.write("green", "zone America/New_York")
    assert person(town, "green").notices == "daily 20:00"
    with town.context.store.reading() as at_desk:
        since = at_desk.load_setting(f"digest of green of {TABLE}")
    assert since is not None
    assert until(town, "2026-11-18T12:00", "America/New_York") == [], "the turn mail has told all of it"


def test_a_summary_keeps_its_hour_when_clocks_change(found: Found) -> None:
    town = found(time__per_turn=timedelta(days=30), time__reminders=())
    town.hours.moment = datetime(2027, 3, 27, 12, tzinfo=UTC)
    town.wait(minutes=1)
    town.write("green", "zone Europe/Warsaw\nnotify daily 08:00")
    play_as(town, "red")
    assert until(town, "2027-03-28T07:30", "Europe/Warsaw") == []
    assert until(town, "2027-03-28T12:00", "Europe/Warsaw") == ["green 28 08:00"]


def test_a_summary_that_an_outage_kept_back_comes_once_afterwards(found: Found) -> None:
    town = found()
    town.write("green", "notify daily 08:00")
    play_as(town, "red")
    town.hours.moment = datetime(2026, 11, 19, 7, 10, tzinfo=UTC)
    assert until(town, "2026-11-19T07:30") == ["green 19 07:30"]
    assert until(town, "2026-11-20T07:00") == [], "the next one is that of the next day"


def test_whoever_chose_one_mail_a_day_before_there_were_hours_keeps_it(found: Found) -> None:
    town = found()
    with town.context.store.transaction() as transaction:
        (row,) = [each for each in transaction.find_seats(TABLE) if each.seat == "green"]
        transaction.save_seat(replace(row, notices="daily"))
        transaction.save_setting(f"digest of {TABLE}", "2026-11-16T13:00:00+00:00")
    play_as(town, "red")
    assert [each.partition(" ")[0] for each in until(town, "2026-11-18T12:00")] == ["green"]
    town.write("green", "fewer mails")
    assert "notify daily 08:00 – Once a day, at 08:00 (as it is now)" in words(town, "green")


def test_a_clock_that_was_wrong_does_not_keep_a_summary_back(found: Found) -> None:
    town = found()
    town.write("green", "notify daily 08:00")
    play_as(town, "red")
    with town.context.store.transaction() as transaction:
        transaction.save_setting(f"digest of green of {TABLE}", "2031-01-01T00:00:00+00:00")
        transaction.save_setting(LAST_TICK, "2031-01-01T00:00:00+00:00")
    assert until(town, "2026-11-17T12:00") == ["green 17 08:00"]


# One mail for one thing


def test_whoever_is_played_for_hears_it_with_everything_else_in_one_mail(found: Found) -> None:
    town = found(time__silence="play", time__reminders=())
    town.write("red", "notify daily 08:00")
    before = len(town.friends["red"].mails)
    town.wait(days=3.6)
    assert len(town.friends["red"].mails) == before + 1
    assert "We played for you" in words(town, "red")
    assert until(town, "2026-11-20T12:00") == [], "there is nothing more to tell"


def test_a_turn_that_follows_tells_what_was_played_for_its_player(found: Found) -> None:
    town = found(players=2, time__silence="play", time__reminders=())
    before = len(town.friends["red"].mails)
    plan_for(town, "blue")
    town.wait(days=3.6)
    assert town.table.turn == 3
    assert len(town.friends["red"].mails) == before + 1
    assert "Your turn, Anna" in words(town, "red")
    assert "Your time was up, so we played for you: " in words(town, "red")
    assert "This was planned." not in words(town, "red")


# Calendars


def entries(town: Town, seat: str) -> list[Any]:
    """What has gone to a player's calendar, as a library reads it; its bytes are checked on the way."""
    found = []
    for raw in town.mails[town.friends[seat].address]:
        for part in message_from_bytes(raw).walk():
            if part.get_content_type() == "text/calendar":
                text = part.get_payload(decode=True)
                assert isinstance(text, bytes)
                assert text.endswith(b"\r\n")
                assert b"\n" not in text.replace(b"\r\n", b"")
                assert max(map(len, text.split(b"\r\n"))) <= 75
                assert b"+sirocco" not in text, "no ticket leaves the mail"
                calendar = Calendar.from_ical(text.decode())
                assert part.get_param("method") == calendar["METHOD"]
                (event,) = calendar.walk("VEVENT")
                assert not event.errors
                found.append((str(calendar["METHOD"]), event))
        assert len(raw) <= LARGEST
    return found


def calendar_mails(town: Town) -> dict[str, int]:
    return {address: len(mails) for address, mails in town.mails.items()}


def test_a_deadline_stands_in_the_calendar_moves_with_the_clock_and_goes_with_the_answer(found: Found) -> None:
    town = found()
    town.write("blue", "calendar on")
    assert "We put your deadlines into your calendar." in words(town, "blue")
    assert entries(town, "blue") == [], "it is not blue's turn"
    play_as(town, "red")
    ((method, first),) = entries(town, "blue")
    assert (method, first["SEQUENCE"], str(first["STATUS"])) == ("REQUEST", 0, "CONFIRMED")
    assert str(first["SUMMARY"]).startswith(f"[{TABLE}] Your turn 2: answer by ")
    assert first.decoded("DTEND") == until_when(town, "blue")
    assert str(first["ATTENDEE"]) == "mailto:boris@players.test"
    assert str(first["ORGANIZER"]) == "mailto:caravan@post.test"
    town.write("blue", "vacation 2026-11-17 to 2026-11-19")
    _, (method, moved) = entries(town, "blue")
    assert (method, moved["SEQUENCE"]) == ("REQUEST", 1)
    assert moved.decoded("DTEND") - first.decoded("DTEND") == timedelta(days=3)
    play_as(town, "blue")
    *_, (method, gone) = entries(town, "blue")
    assert (method, gone["SEQUENCE"], str(gone["STATUS"])) == ("CANCEL", 2, "CANCELLED")
    assert {str(event["UID"]) for _, event in entries(town, "blue")} == {str(first["UID"])}
    assert "Played: " in words(town, "blue"), "it goes with the receipt"
    play_as(town, "green", "red")
    (*_, (method, second)) = entries(town, "blue")
    assert (method, second["SEQUENCE"]) == ("REQUEST", 0)
    assert str(second["UID"]) != str(first["UID"])


def until_when(town: Town, seat: str) -> datetime:
    with town.context.store.reading() as at_desk:
        clock = at_desk.load_clock(TABLE)
    assert clock is not None
    return datetime.fromisoformat(clock["due"][seat]["deadline"]).replace(microsecond=0)


def test_a_pause_takes_the_entry_away_and_its_end_sets_another(found: Found) -> None:
    town = found()
    town.write("red", "calendar on")
    assert [method for method, _ in entries(town, "red")] == ["REQUEST"]
    for seat in ("blue", "green", "red"):
        town.write(seat, "pause" if seat == "blue" else "agree pause")
    assert town.table.pauses
    assert [method for method, _ in entries(town, "red")] == ["REQUEST", "CANCEL"]
    for seat in ("blue", "green", "red"):
        town.write(seat, "resume" if seat == "blue" else "agree resume")
    assert [method for method, _ in entries(town, "red")] == ["REQUEST", "CANCEL", "REQUEST"]


def test_no_calendar_means_no_entries_and_the_same_number_of_mails(found: Found) -> None:
    with_entries, without = found(folder="with"), found(folder="without")
    with_entries.write("blue", "calendar on")
    without.write("blue", "calendar off")
    for town in (with_entries, without):
        play_as(town, "red", "blue", "green")
        town.wait(days=4)
    assert calendar_mails(with_entries) == calendar_mails(without)
    assert entries(with_entries, "blue")
    assert all(entries(without, seat) == [] for seat in without.table.seats)
    assert entries(with_entries, "red") == [], "and nobody else gets any"


def test_switching_it_off_removes_what_stands_there(found: Found) -> None:
    town = found()
    town.write("red", "calendar on")
    town.write("red", "calendar off")
    assert "We leave your calendar alone." in words(town, "red")
    assert [(method, event["SEQUENCE"]) for method, event in entries(town, "red")] == [("REQUEST", 0), ("CANCEL", 1)]
    assert town.write("red", "status").fate == "applied"
    assert len(entries(town, "red")) == 2


@pytest.mark.parametrize("language", ["he", "nl", "pl", "ru"])
def test_an_entry_in_any_language_says_what_the_subject_says(found: Found, language: str) -> None:
    town = found()
    town.write("blue", f"language {language}\ncalendar on")
    play_as(town, "red")
    subject = str(make_header(decode_header(str(town.friends["blue"].mails[-1]["Subject"]))))
    ((_, event),) = entries(town, "blue")
    assert str(event["SUMMARY"]) == " ".join(subject.split())


def test_sequences_rise_for_as_long_as_an_entry_stands(found: Found) -> None:
    town = found(players=2)
    town.write("red", "calendar on")
    for _ in range(8):
        play(town)
    for (_, one), (_, other) in pairwise(entries(town, "red")):
        same = one["UID"] == other["UID"]
        assert other["SEQUENCE"] == (one["SEQUENCE"] + 1 if same else 0)


def test_a_calendars_answer_is_no_letter(found: Found) -> None:
    town = found()
    town.write("blue", "calendar on")
    play_as(town, "red")
    mails = calendar_mails(town)
    reply_to = town.friends["blue"].reply_to
    letter = (
        f"From: Boris <boris@players.test>\r\nTo: {reply_to}\r\nSubject: Accepted: Your turn\r\n"
        'Message-ID: <a@players.test>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\naccept\r\n--b\r\nContent-Type: text/calendar; method=REPLY\r\n\r\n"
        "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nEND:VCALENDAR\r\n--b--\r\n"
    )
    outcome = town.deliver(letter.encode())
    assert (outcome.fate, outcome.reason) == ("automatic", "receipt")
    assert calendar_mails(town) == mails


# Invitations


def test_an_invitation_is_answered_with_wishes_on_lines_of_their_own(found: Found) -> None:
    town = found(accepting=False)
    assert "We do not know your time zone yet." in words(town, "red")
    assert "promise " in words(town, "red")
    assert town.write("red", "accept\nnotify each\nzone Europe/Warsaw").fate == "applied"
    row = person(town, "red")
    assert (row.notices, row.zone) == ("each", "Europe/Warsaw")
    assert "red" in town.table.accepted
    assert town.write("blue", "accept\nnotify daily 08:00").fate == "applied"
    assert person(town, "blue").notices == "daily 08:00"


def test_a_clock_that_a_mail_has_shown_is_asked_about(found: Found) -> None:
    town = found(accepting=False)
    letter = town.friends["red"].answer("status", town.hours.now())
    lines = [
        b"Date: Mon, 16 Nov 2026 14:00:00 +0530" if each.startswith(b"Date:") else each
        for each in letter.split(b"\r\n")
    ]
    town.deliver(b"\r\n".join(lines))
    with town.context.store.reading() as at_desk:
        assert at_desk.wishes_of(at_desk.find_player("anna@players.test")[0].person)["offset"] == "330"
