"""Time that counts: measured minute by minute, it is what the calendar says it is."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.clock.calendar import Absence, Calendar, add_time, subtract_time, time_between

ZONES = [ZoneInfo(name) for name in ("UTC", "Europe/Warsaw", "America/New_York", "Asia/Jerusalem", "Africa/Cairo")]
STEP = timedelta(minutes=30)

# Spring and autumn of 2026, when the clocks of these zones change; Cairo's do so at midnight.
MOMENTS = st.datetimes(datetime(2026, 3, 1), datetime(2026, 5, 10)) | st.datetimes(
    datetime(2026, 10, 10), datetime(2026, 11, 10)
)
STARTS = MOMENTS.map(
    lambda moment: moment.replace(minute=moment.minute // 30 * 30, second=0, microsecond=0, tzinfo=UTC)
)
LENGTHS = st.integers(0, 400).map(lambda count: count * STEP)
ABSENCES = st.lists(
    st.builds(
        lambda first, days: Absence(first, first + timedelta(days=days)),
        st.dates(date(2026, 3, 1), date(2026, 11, 15)),
        st.integers(0, 12),
    ),
    max_size=3,
).map(tuple)
RESTING = st.frozensets(st.integers(0, 6), max_size=5)
HOLIDAYS = st.frozensets(st.dates(date(2026, 3, 1), date(2026, 11, 15)), max_size=4)
CALENDARS = st.builds(Calendar, st.sampled_from(ZONES), ABSENCES, RESTING, HOLIDAYS)


def measured(start: datetime, end: datetime, calendar: Calendar) -> timedelta:
    """Time that counts, by looking at the local date of every half hour."""
    total, moment = timedelta(), start
    while moment < end:
        total += STEP if calendar.counts(moment.astimezone(calendar.zone).date()) else timedelta()
        moment += STEP
    return total


@given(STARTS, LENGTHS, CALENDARS)
def test_time_is_what_every_half_hour_of_it_adds_up_to(start: datetime, length: timedelta, calendar: Calendar) -> None:
    assert time_between(start, start + length, calendar) == measured(start, start + length, calendar)


@given(STARTS, LENGTHS, CALENDARS)
def test_the_end_of_a_length_is_where_that_much_has_passed(
    start: datetime, length: timedelta, calendar: Calendar
) -> None:
    end = add_time(start, length, calendar)
    assert end.tzinfo is UTC
    assert time_between(start, end, calendar) == length
    if length:
        assert time_between(start, end - STEP, calendar) == length - STEP, "and not earlier"


@given(STARTS, LENGTHS, CALENDARS)
def test_the_beginning_of_a_length_is_the_last_moment_from_which_that_much_is_left(
    end: datetime, length: timedelta, calendar: Calendar
) -> None:
    begin = subtract_time(end, length, calendar)
    assert begin.tzinfo is UTC
    assert time_between(begin, end, calendar) == measured(begin, end, calendar) == length
    if length:
        assert calendar.counts(begin.astimezone(calendar.zone).date())
        assert time_between(begin + STEP, end, calendar) == length - STEP, "and not earlier"


@given(STARTS, LENGTHS, LENGTHS, CALENDARS)
def test_time_that_is_overdrawn_lies_so_far_back_that_what_is_added_counts_from_there(
    now: datetime, overdrawn: timedelta, added: timedelta, calendar: Calendar
) -> None:
    if added > overdrawn:
        deadline = add_time(now, -overdrawn, calendar)
        assert add_time(deadline, added, calendar) == add_time(now, added - overdrawn, calendar)


@given(STARTS, LENGTHS, st.sampled_from(ZONES))
def test_without_rest_days_a_length_is_a_length_whatever_the_clocks_do(
    start: datetime, length: timedelta, zone: ZoneInfo
) -> None:
    assert add_time(start, length, Calendar(zone)) == start + length
    assert subtract_time(start, length, Calendar(zone)) == start - length


@given(STARTS, LENGTHS, CALENDARS)
def test_an_absence_never_brings_an_end_nearer(start: datetime, length: timedelta, calendar: Calendar) -> None:
    assert add_time(start, length, calendar) >= add_time(
        start, length, Calendar(calendar.zone, (), calendar.resting, calendar.holidays)
    )


def test_a_weekend_is_left_out_in_the_players_own_zone() -> None:
    friday = datetime(2026, 11, 13, 20, tzinfo=UTC)
    day = timedelta(days=1)
    assert add_time(friday, day, Calendar(ZoneInfo("UTC"), resting=frozenset({5, 6}))) == datetime(
        2026, 11, 16, 20, tzinfo=UTC
    )
    # In Auckland it is Saturday already, and Monday begins on Sunday noon of UTC.
    auckland = Calendar(ZoneInfo("Pacific/Auckland"), resting=frozenset({5, 6}))
    assert add_time(friday, day, auckland) == datetime(2026, 11, 16, 11, tzinfo=UTC)


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 7, 1), 24)])
def test_a_day_on_which_the_clocks_change_has_its_own_length(day: date, hours: int) -> None:
    warsaw = ZoneInfo("Europe/Warsaw")
    midnight = datetime(day.year, day.month, day.day, tzinfo=warsaw)
    away = Calendar(warsaw, (Absence(day, day),))
    assert add_time(midnight, timedelta(), away) - midnight.astimezone(UTC) == timedelta(hours=hours)


def test_time_that_is_overdrawn_lies_in_the_past() -> None:
    noon = datetime(2026, 11, 16, 12, tzinfo=UTC)
    assert add_time(noon, timedelta(hours=-3), Calendar(ZoneInfo("UTC"))) == noon - timedelta(hours=3)
    assert time_between(noon, noon - timedelta(days=1), Calendar(ZoneInfo("UTC"))) == timedelta()


def test_an_absence_without_end_is_a_bug_and_not_a_hang() -> None:
    for_ever = Calendar(ZoneInfo("UTC"), (Absence(date(2026, 1, 1), date(2099, 1, 1)),))
    with pytest.raises(OverflowError):
        add_time(datetime(2026, 11, 16, tzinfo=UTC), timedelta(hours=1), for_ever)
    since_ever = Calendar(ZoneInfo("UTC"), (Absence(date(1999, 1, 1), date(2026, 12, 1)),))
    with pytest.raises(OverflowError):
        subtract_time(datetime(2026, 11, 16, tzinfo=UTC), timedelta(hours=1), since_ever)
