"""Alarms come once each, in time, and never while time stands still."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import CHANCE
from pbem.clock.alarms import LATE, REMIND, Alarm, alarms, amends, next_look, note
from pbem.clock.calendar import Absence
from pbem.clock.control import TimeControl
from pbem.clock.running import Clock, be_away, extend, hand_over, pause, resume

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ZONES = {"red": ZoneInfo("UTC"), "blue": ZoneInfo("Europe/Warsaw")}
CONTROL = TimeControl(per_turn=3 * DAY, grace=12 * HOUR, reminders=(DAY, 6 * HOUR))


def begun(control: TimeControl = CONTROL) -> Clock:
    return hand_over(Clock(control, ZONES), ["red"], NOON, turn=1)


def watch(clock: Clock, start: datetime, end: datetime, step: timedelta) -> tuple[Clock, list[tuple[str, datetime]]]:
    """Look at a clock every so often, see to every alarm, and tell what came when."""
    heard, now = [], start
    while now <= end:
        for alarm in tuple(alarms(clock, now)):
            heard.append((alarm.kind, now))
            clock = note(clock, alarm, now)
        now += step
    return clock, heard


def test_where_the_post_plays_for_who_is_late_it_goes_on_after_the_dice() -> None:
    control = TimeControl(silence="play")
    late = NOON + control.per_turn + control.grace
    for silence, again in (("play", [LATE]), ("wait", [])):
        clock = hand_over(Clock(replace(control, silence=silence), ZONES), ["red"], NOON, turn=1)
        (alarm,) = alarms(clock, late)
        clock = note(clock, alarm, late)
        clock = hand_over(hand_over(clock, [CHANCE], late, turn=1), ["red"], late, turn=1)
        assert [each.kind for each in alarms(clock, late)] == again
        assert next_look(clock, late) == (late if again else None)


def test_reminders_come_before_the_deadline_and_lateness_after_the_grace() -> None:
    _, heard = watch(begun(), NOON, NOON + 30 * DAY, HOUR)
    assert heard == [
        (REMIND, NOON + 2 * DAY),
        (REMIND, NOON + 2 * DAY + 18 * HOUR),
        (LATE, NOON + 3 * DAY + 12 * HOUR),
    ]


@given(st.integers(1, 60 * 24 * 5))
def test_however_seldom_one_looks_each_alarm_comes_once_at_most(minutes: int) -> None:
    _, heard = watch(begun(), NOON, NOON + 30 * DAY, timedelta(minutes=minutes))
    kinds = [kind for kind, _ in heard]
    assert kinds.count(LATE) == 1
    assert kinds.count(REMIND) <= 2
    assert kinds == sorted(kinds, reverse=True), "no reminder after one is late"


def test_looking_only_when_the_clock_says_so_misses_nothing() -> None:
    clock, now, heard = begun(), NOON, []
    while (moment := next_look(clock, now)) is not None:
        now = moment
        for alarm in tuple(alarms(clock, now)):
            heard.append((alarm.kind, now))
            clock = note(clock, alarm, now)
    assert heard == watch(begun(), NOON, NOON + 30 * DAY, HOUR)[1]


@given(st.integers(0, 60 * 24 * 6), st.integers(0, 60 * 24 * 20))
def test_a_pause_delays_all_alarms_and_brings_none_twice(begin: int, length: int) -> None:
    minutes = timedelta(minutes=1)
    clock, before = watch(begun(), NOON, NOON + begin * minutes, minutes * 15)
    stopped = pause(clock, "vote", NOON + begin * minutes)
    assert not list(alarms(stopped, NOON + 40 * DAY))
    assert next_look(stopped, NOON) is None
    back = NOON + (begin + length) * minutes
    _, after = watch(resume(stopped, "vote", back), back, back + 30 * DAY, minutes * 15)
    kinds = [kind for kind, _ in before + after]
    assert kinds == [REMIND, REMIND, LATE]


def test_a_reminder_that_would_come_with_the_turn_itself_is_none() -> None:
    clock = begun(TimeControl(per_turn=12 * HOUR, grace=HOUR, reminders=(DAY, 6 * HOUR)))
    assert watch(clock, NOON, NOON + DAY, HOUR)[1] == [(REMIND, NOON + 6 * HOUR), (LATE, NOON + 13 * HOUR)]


def test_whoever_gets_more_time_is_reminded_again_before_the_new_deadline() -> None:
    clock, _ = watch(begun(), NOON, NOON + 5 * DAY, HOUR)
    assert clock.due["red"].late
    _, heard = watch(extend(clock, 7 * DAY, NOON + 5 * DAY), NOON + 5 * DAY, NOON + 30 * DAY, HOUR)
    assert [kind for kind, _ in heard] == [REMIND, REMIND, LATE]
    assert heard[-1][1] == NOON + 10 * DAY + 12 * HOUR
    _, again = watch(extend(clock, HOUR, NOON + 5 * DAY), NOON + 5 * DAY, NOON + 30 * DAY, HOUR)
    assert again == [], "an hour does not make up for a day and a half"


def test_who_is_away_is_left_in_peace() -> None:
    clock = be_away(begun(), "red", Absence(date(2026, 11, 17), date(2026, 11, 30)), NOON)
    _, heard = watch(clock, NOON, datetime(2026, 11, 30, 23, tzinfo=UTC), HOUR)
    assert heard == []


def test_an_alarm_says_whom_and_what_it_is_about() -> None:
    (alarm,) = alarms(begun(), NOON + 9 * DAY)
    assert alarm == Alarm(LATE, "red", NOON + 3 * DAY)


@pytest.mark.parametrize(
    ("slept", "given"), [(timedelta(), timedelta()), (HOUR, timedelta()), (2 * HOUR, 26 * HOUR), (9 * DAY, 10 * DAY)]
)
def test_a_post_that_slept_gives_the_time_back_and_a_day_more(slept: timedelta, given: timedelta) -> None:
    assert amends(NOON, NOON + slept) == given


def test_a_post_that_looks_once_a_day_may_say_so() -> None:
    assert amends(NOON, NOON + 25 * HOUR, outage=26 * HOUR) == timedelta()
    assert amends(NOON, NOON + 27 * HOUR, outage=26 * HOUR, extra=HOUR) == 28 * HOUR
