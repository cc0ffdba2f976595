"""Arithmetic with time that counts: days of rest in the player's time zone and days of absence are left out."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, NamedTuple

_FAR: Final = 4000
"""Days after which counting gives up; no time control reaches that far."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Days on which a player is away, first and last included."""

    first: date
    last: date

    def includes(self, day: date) -> bool:
        """Whether a day belongs to it."""
        return self.first <= day <= self.last


@dataclass(frozen=True, slots=True)
class Calendar:
    """On which days time runs for one seat."""

    zone: tzinfo
    absences: tuple[Absence, ...] = ()
    resting: frozenset[int] = frozenset()
    """Days of the week on which it does not, from 0 for Monday."""
    holidays: frozenset[date] = frozenset()

    def counts(self, day: date) -> bool:
        """Whether time runs on a day."""
        rests = day.weekday() in self.resting or day in self.holidays
        return not rests and not any(away.includes(day) for away in self.absences)

    def day(self, moment: datetime) -> date:
        """The seat's local date at a moment."""
        return moment.astimezone(self.zone).date()


class _Stretch(NamedTuple):
    """A part of a day, in UTC, and whether time runs in it."""

    begin: datetime
    end: datetime
    runs: bool


def add_time(start: datetime, length: timedelta, calendar: Calendar) -> datetime:
    """The moment, in UTC, at which `length` of counted time has passed since `start`; a negative length goes back."""
    if length < timedelta():
        return subtract_time(start, -length, calendar)
    for begin, end, runs in _stretches(start, calendar):
        if runs and begin + length <= end:
            return begin + length
        length -= end - begin if runs else timedelta()
    raise OverflowError(f"no end within {_FAR} days")


def subtract_time(end: datetime, length: timedelta, calendar: Calendar) -> datetime:
    """The last moment, in UTC, from which `length` of counted time passes until `end`."""
    for begin, until, runs in _stretches_back(end, calendar):
        if runs and until - length >= begin:
            return until - length
        length -= until - begin if runs else timedelta()
    raise OverflowError(f"no beginning within {_FAR} days")


def time_between(start: datetime, end: datetime, calendar: Calendar) -> timedelta:
    """How much counted time passes between two moments; none if the second is not later."""
    total = timedelta()
    for stretch in _stretches(start, calendar):
        if stretch.begin >= end:
            break
        if stretch.runs:
            total += min(stretch.end, end.astimezone(UTC)) - stretch.begin
    return total


def _stretches(start: datetime, calendar: Calendar) -> Iterator[_Stretch]:
    """The days from a moment on, in UTC, because a local day can have 23 or 25 hours."""
    begin, day = start.astimezone(UTC), calendar.day(start)
    for _ in range(_FAR):
        following = day + timedelta(days=1)
        end = _midnight(following, calendar)
        yield _Stretch(begin, end, calendar.counts(day))
        begin, day = end, following


def _stretches_back(end: datetime, calendar: Calendar) -> Iterator[_Stretch]:
    """The days before a moment, the last first."""
    end, day = end.astimezone(UTC), calendar.day(end)
    for _ in range(_FAR):
        begin = _midnight(day, calendar)
        yield _Stretch(begin, end, calendar.counts(day))
        end, day = begin, day - timedelta(days=1)


def _midnight(day: date, calendar: Calendar) -> datetime:
    """When a day begins."""
    return datetime.combine(day, time(0), calendar.zone).astimezone(UTC)
