"""Controls and clocks as plain data: what is kept comes back as it was."""

import json
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.clock.calendar import Absence
from pbem.clock.clock import Clock, Due, decode_clock, encode_clock
from pbem.clock.time_control import (
    PLAY,
    WAIT,
    TimeControl,
    control_from_terms,
    control_to_terms,
    format_duration,
    parse_duration,
)

ZONES = {"red": ZoneInfo("UTC"), "blue": ZoneInfo("Europe/Warsaw")}
SEATS = st.sampled_from(sorted(ZONES))
SPANS = st.integers(0, 10**7).map(lambda seconds: timedelta(seconds=seconds))
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))
DATES = st.dates(date(2020, 1, 1), date(2040, 1, 1))

CONTROLS = st.builds(
    TimeControl,
    per_turn=SPANS,
    bank=st.none() | SPANS,
    increment=SPANS,
    grace=SPANS,
    reminders=st.lists(SPANS, max_size=4).map(lambda spans: tuple(sorted(spans, reverse=True))),
    weekends=st.booleans(),
    silence=st.sampled_from([WAIT, PLAY]),
    absence=st.integers(0, 60),
)
DUES = st.builds(
    Due, st.integers(1, 500), MOMENTS, SPANS, MOMENTS, st.integers(0, 3), late=st.booleans(), asked=st.booleans()
)
CLOCKS = st.builds(
    Clock,
    st.just(TimeControl()),
    st.just(ZONES),
    due=st.dictionaries(SEATS, DUES),
    halted=st.dictionaries(SEATS, DUES),
    banks=st.dictionaries(SEATS, SPANS),
    absences=st.dictionaries(SEATS, st.lists(st.builds(Absence, DATES, DATES), max_size=3).map(tuple)),
    paused=st.dictionaries(st.text(max_size=9), MOMENTS, max_size=3),
)


@given(CLOCKS)
def test_a_clock_that_was_kept_shows_the_same_time(clock: Clock) -> None:
    assert decode_clock(json.loads(json.dumps(encode_clock(clock))), clock.control, clock.zones) == clock


@given(CONTROLS)
def test_a_control_is_the_same_after_it_was_part_of_the_terms(control: TimeControl) -> None:
    terms = json.loads(json.dumps(control_to_terms(control)))
    assert control_from_terms(terms) == control


def test_what_the_terms_leave_out_is_as_usual() -> None:
    assert control_from_terms({}) == TimeControl()
    assert control_from_terms({"per_turn": "2d", "grace": "0s"}) == TimeControl(
        per_turn=timedelta(days=2), grace=timedelta()
    )
    assert control_from_terms({"weekends": "rest", "reminders": []}) == TimeControl(weekends=False, reminders=())


def test_a_bank_may_be_larger_than_usual() -> None:
    control = control_from_terms({"bank": "30d"})
    assert control.bank == control.cap == timedelta(days=30)
    assert control_from_terms({"bank": "30d", "cap": "20d"}).first_length == timedelta(days=20)


@given(SPANS)
def test_every_duration_can_be_written_and_read(span: timedelta) -> None:
    assert parse_duration(format_duration(span)) == span


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("3d", timedelta(days=3)),
        ("36h", timedelta(hours=36)),
        ("1d 12h", timedelta(hours=36)),
        ("1D12H30M5S", timedelta(days=1, hours=12, minutes=30, seconds=5)),
        ("0s", timedelta()),
    ],
)
def test_durations_are_read_as_people_write_them(text: str, span: timedelta) -> None:
    assert parse_duration(text) == span


@pytest.mark.parametrize("text", ["", "3", "d", "3 days", "-3d", "12h1d", "1.5d", "3dd", "٣d٣"])
def test_what_is_no_duration_is_none(text: str) -> None:
    assert parse_duration(text) is None
