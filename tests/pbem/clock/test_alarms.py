"""Alarms come once each, in time, and never while time stands still."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import CHANCE
from pbem.clock.alarms import (
    LATE,
    REMIND,
    Alarm,
    acknowledge,
    alarms,
    next_check,
    outage_compensation,
)
from pbem.clock.calendar import Absence, time_between
from pbem.clock.clock import Clock, add_absence, extend, pause, resume, update_due
from pbem.clock.time_control import TimeControl

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ZONES = {"red": ZoneInfo("UTC"), "blue": ZoneInfo("Europe/Warsaw")}
CONTROL = TimeControl(per_turn=3 * DAY, grace=12 * HOUR, reminders=(DAY, 6 * HOUR))


def begun(control: TimeControl = CONTROL) -> Clock:
    return update_due(Clock(control, ZONES), ["red"], NOON, turn=1)


def watch(clock: Clock, start: datetime, end: datetime, step: timedelta) -> tuple[Clock, list[tuple[str, datetime]]]:
    """Look at a clock every so often, see to every alarm, and tell what came when."""
    replayed, now = [], start
    while now <= end:
        for alarm in tuple(alarms(clock, now)):
            replayed.append((alarm.kind, now))
            clock = acknowledge(clock, alarm, now)
        now += step
    return clock, replayed


def follow(clock: Clock, now: datetime) -> list[tuple[str, datetime]]:
    """Look at a clock whenever it says so, see to every alarm, and tell what came when."""
    replayed = []
    while (moment := next_check(clock, now)) is not None:
        now = moment
        for alarm in tuple(alarms(clock, now)):
            replayed.append((alarm.kind, now))
            clock = acknowledge(clock, alarm, now)
    return replayed


def test_where_the_post_plays_for_who_is_late_it_goes_on_after_the_dice() -> None:
    control = TimeControl(silence="play")
    late = NOON + control.per_turn + control.grace
    for silence, again in (("play", [LATE]), ("wait", [])):
        clock = update_due(Clock(replace(control, silence=silence), ZONES), ["red"], NOON, turn=1)
        (alarm,) = alarms(clock, late)
        clock = acknowledge(clock, alarm, late)
        clock = update_due(update_due(clock, [CHANCE], late, turn=1), ["red"], late, turn=1)
        assert [each.kind for each in alarms(clock, late)] == again
        assert next_check(clock, late) == (late if again else None)


def test_reminders_come_before_the_deadline_and_lateness_after_the_grace() -> None:
    _, replayed = watch(begun(), NOON, NOON + 30 * DAY, HOUR)
    assert replayed == [
        (REMIND, NOON + 2 * DAY),
        (REMIND, NOON + 2 * DAY + 18 * HOUR),
        (LATE, NOON + 3 * DAY + 12 * HOUR),
    ]


@given(st.integers(1, 60 * 24 * 5))
def test_however_seldom_one_looks_each_alarm_comes_once_at_most(minutes: int) -> None:
    _, replayed = watch(begun(), NOON, NOON + 30 * DAY, timedelta(minutes=minutes))
    kinds = [kind for kind, _ in replayed]
    assert kinds.count(LATE) == 1
    assert kinds.count(REMIND) <= 2
    assert kinds == sorted(kinds, reverse=True), "no reminder after one is late"


def test_looking_only_when_the_clock_says_so_misses_nothing() -> None:
    assert follow(begun(), NOON) == watch(begun(), NOON, NOON + 30 * DAY, HOUR)[1]


@given(st.integers(0, 60 * 24 * 6), st.integers(0, 60 * 24 * 20))
def test_a_pause_delays_all_alarms_and_brings_none_twice(begin: int, length: int) -> None:
    minutes = timedelta(minutes=1)
    clock, before = watch(begun(), NOON, NOON + begin * minutes, minutes * 15)
    stopped = pause(clock, "vote", NOON + begin * minutes)
    assert not list(alarms(stopped, NOON + 40 * DAY))
    assert next_check(stopped, NOON) is None
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
    _, replayed = watch(extend(clock, 7 * DAY, NOON + 5 * DAY), NOON + 5 * DAY, NOON + 30 * DAY, HOUR)
    assert [kind for kind, _ in replayed] == [REMIND, REMIND, LATE]
    assert replayed[-1][1] == NOON + 10 * DAY + 12 * HOUR
    _, again = watch(extend(clock, HOUR, NOON + 5 * DAY), NOON + 5 * DAY, NOON + 30 * DAY, HOUR)
    assert again == [], "an hour does not make up for a day and a half"


def test_who_is_away_is_left_in_peace() -> None:
    clock = add_absence(begun(), "red", Absence(date(2026, 11, 17), date(2026, 11, 30)), NOON)
    _, replayed = watch(clock, NOON, datetime(2026, 11, 30, 23, tzinfo=UTC), HOUR)
    assert replayed == []


RESTING = replace(CONTROL, weekends=False)
FRIDAY = datetime(2026, 11, 20, 15, tzinfo=UTC)


def test_grace_does_not_run_on_days_that_do_not_count() -> None:
    clock = update_due(Clock(RESTING, ZONES), ["red"], FRIDAY - 3 * DAY, turn=1)
    assert clock.due["red"].deadline == FRIDAY
    assert follow(clock, FRIDAY - DAY / 2)[-1] == (LATE, FRIDAY + 2 * DAY + 12 * HOUR), "Monday, three in the morning"


def test_an_absence_that_begins_within_the_grace_stops_it() -> None:
    away = Absence(date(2026, 11, 20), date(2026, 11, 30))
    said_before = add_absence(begun(), "red", away, NOON)
    assert follow(said_before, NOON)[-1] == (LATE, datetime(2026, 12, 1, tzinfo=UTC)), "the grace ended with the day"
    in_grace = NOON + 3 * DAY + 11 * HOUR
    clock, _ = watch(begun(replace(CONTROL, grace=DAY)), NOON, in_grace, HOUR)
    clock = add_absence(clock, "red", away, in_grace)
    assert follow(clock, in_grace) == [(LATE, datetime(2026, 12, 1, 12, tzinfo=UTC))]


def test_reminders_come_as_much_time_that_counts_before_the_deadline_as_was_agreed() -> None:
    clock = update_due(Clock(RESTING, ZONES), ["red"], datetime(2026, 11, 18, 3, tzinfo=UTC), turn=1)
    assert clock.due["red"].deadline == datetime(2026, 11, 23, 3, tzinfo=UTC), "a Monday"
    reminders = [moment for kind, moment in follow(clock, clock.due["red"].since) if kind == REMIND]
    assert reminders == [datetime(2026, 11, 20, 3, tzinfo=UTC), datetime(2026, 11, 20, 21, tzinfo=UTC)]


def test_a_post_that_looks_too_late_punishes_nobody_on_a_day_of_rest() -> None:
    clock = update_due(Clock(RESTING, ZONES), ["red"], FRIDAY - 3 * DAY - 7 * HOUR, turn=1)
    late, saturday, monday = FRIDAY + 5 * HOUR, FRIDAY + 10 * HOUR, datetime(2026, 11, 23, tzinfo=UTC)
    assert [alarm.kind for alarm in alarms(clock, late)] == [LATE]
    assert not list(alarms(clock, saturday))
    assert next_check(clock, saturday) == monday
    assert [alarm.kind for alarm in alarms(clock, monday)] == [LATE]


def test_a_pause_within_the_grace_leaves_as_much_of_it_as_there_was() -> None:
    clock = update_due(Clock(RESTING, ZONES), ["red"], FRIDAY - 3 * DAY, turn=1)
    clock, _ = watch(clock, FRIDAY - 3 * DAY, FRIDAY + 5 * HOUR, HOUR)
    monday = datetime(2026, 11, 23, 1, tzinfo=UTC)
    clock = resume(pause(clock, "vote", FRIDAY + 5 * HOUR), "vote", monday)
    assert follow(clock, monday) == [(LATE, monday + 7 * HOUR)]


def test_an_outage_within_the_grace_gives_time_that_counts() -> None:
    clock = update_due(Clock(RESTING, ZONES), ["red"], FRIDAY - 3 * DAY, turn=1)
    saturday = FRIDAY + DAY
    clock = extend(clock, outage_compensation(FRIDAY + 5 * HOUR, saturday), saturday)
    (_, late) = follow(clock, saturday)[-1]
    assert late == datetime(2026, 11, 24, 22, tzinfo=UTC), "43 hours that count were given, and then 12 of grace"


STARTS = st.integers(0, 60 * 24 * 14).map(lambda minutes: NOON + timedelta(minutes=minutes))
SPANS = st.integers(0, 60 * 24 * 5).map(lambda minutes: timedelta(minutes=minutes))
AWAY = st.tuples(st.integers(0, 20), st.integers(0, 6))
RESTS = st.tuples(st.just("be away"), SPANS, AWAY)
STOPS = st.tuples(st.sampled_from(["pause", "resume", "extend"]), SPANS, st.none())


@given(STARTS, SPANS, SPANS, st.booleans(), st.lists(RESTS | STOPS, max_size=5), st.integers(2, 30))
def test_no_penalty_ever_falls_on_a_day_that_does_not_count(
    start: datetime,
    per_turn: timedelta,
    grace: timedelta,
    weekends: bool,
    acts: list[tuple[str, timedelta, object]],
    hours: int,
) -> None:
    control = TimeControl(per_turn=per_turn, grace=grace, weekends=weekends)
    clock, now, step = update_due(Clock(control, ZONES), ["blue"], start, turn=1), start, hours * HOUR
    for what, span, days in [*acts, ("resume", DAY, None), ("wait", 50 * DAY, None)]:
        for moment in (now + count * step for count in range(span // step + 1)):
            calendar = clock.calendar("blue")
            for alarm in tuple(alarms(clock, moment)):
                if alarm.kind == LATE:
                    assert calendar.counts(calendar.day(moment))
                    assert time_between(clock.due["blue"].deadline, moment, calendar) >= grace
                clock = acknowledge(clock, alarm, moment)
        now += span
        if what == "be away" and isinstance(days, tuple):
            first = clock.calendar("blue").day(now) + timedelta(days=days[0])
            clock = add_absence(clock, "blue", Absence(first, first + timedelta(days=days[1])), now)
        elif what == "extend":
            clock = extend(clock, span, now)
        elif what in ("pause", "resume"):
            clock = (pause if what == "pause" else resume)(clock, "vote", now)
    assert clock.due["blue"].late, "though late it is told, once"


@given(STARTS, SPANS, st.booleans(), st.lists(AWAY, max_size=3), st.lists(SPANS, min_size=1, max_size=3))
def test_a_reminder_comes_on_a_day_that_counts_and_in_time(
    start: datetime, per_turn: timedelta, weekends: bool, away: list[tuple[int, int]], before: list[timedelta]
) -> None:
    reminders = tuple(sorted((each + timedelta(minutes=1) for each in before), reverse=True))
    clock = Clock(TimeControl(per_turn=per_turn, reminders=reminders, weekends=weekends), ZONES)
    for begin, length in away:
        first = (start + begin * DAY).date()
        clock = add_absence(clock, "blue", Absence(first, first + length * DAY), start)
    clock = update_due(clock, ["blue"], start, turn=1)
    calendar, deadline = clock.calendar("blue"), clock.due["blue"].deadline
    replayed = [moment for kind, moment in follow(clock, start) if kind == REMIND]
    # One that would come with the turn mail is none, unless that comes on a day of rest, before its time begins to run.
    longest = per_turn if calendar.counts(calendar.day(start)) else per_turn + timedelta(minutes=1)
    expected = sorted({each for each in reminders if each < longest}, reverse=True)
    assert [time_between(moment, deadline, calendar) for moment in replayed] == expected
    assert all(calendar.counts(calendar.day(moment)) for moment in replayed)


def test_an_alarm_says_whom_and_what_it_is_about() -> None:
    (alarm,) = alarms(begun(), NOON + 9 * DAY)
    assert alarm == Alarm(LATE, "red", NOON + 3 * DAY)


@pytest.mark.parametrize(
    ("slept", "given"), [(timedelta(), timedelta()), (HOUR, timedelta()), (2 * HOUR, 26 * HOUR), (9 * DAY, 10 * DAY)]
)
def test_a_post_that_slept_gives_the_time_back_and_a_day_more(slept: timedelta, given: timedelta) -> None:
    assert outage_compensation(NOON, NOON + slept) == given


def test_a_post_that_looks_once_a_day_may_say_so() -> None:
    assert outage_compensation(NOON, NOON + 25 * HOUR, outage=26 * HOUR) == timedelta()
    assert outage_compensation(NOON, NOON + 27 * HOUR, outage=26 * HOUR, extra=HOUR) == 28 * HOUR
