"""Counting time that counts: weekends left out in a player's own zone, absences left out everywhere."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

SATURDAY: Final = 5
_FAR: Final = 4000
"""Days after which counting gives up; no control reaches that far."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Days on which a seat need not answer, both ends included."""

    first: date
    last: date

    def holds(self, day: date) -> bool:
        """True if a day belongs to it."""
        return self.first <= day <= self.last

    @property
    def days(self) -> int:
        """How many days it has."""
        return (self.last - self.first).days + 1


def counts(day: date, absences: Iterable[Absence], *, weekends: bool) -> bool:
    """True if time runs on a day."""
    return (weekends or day.weekday() < SATURDAY) and not any(absence.holds(day) for absence in absences)


def later(
    start: datetime, length: timedelta, zone: tzinfo, absences: tuple[Absence, ...] = (), *, weekends: bool = True
) -> datetime:
    """The moment, in UTC, at which `length` of time that counts has passed since `start`."""
    moment, left = start.astimezone(zone), length
    for _ in range(_FAR):
        day = moment.date()
        midnight = datetime.combine(day + timedelta(days=1), time(0), zone)
        # Across a change of the clocks a local day has 23 or 25 hours: lengths are taken in UTC.
        rest = midnight.astimezone(UTC) - moment.astimezone(UTC)
        if counts(day, absences, weekends=weekends):
            if left <= rest:
                return moment.astimezone(UTC) + left
            left -= rest
        moment = midnight
    return moment.astimezone(UTC)


def elapsed(
    start: datetime, end: datetime, zone: tzinfo, absences: tuple[Absence, ...] = (), *, weekends: bool = True
) -> timedelta:
    """How much time that counts has passed between two moments."""
    moment, total = start.astimezone(zone), timedelta()
    while moment < end:
        midnight = datetime.combine(moment.date() + timedelta(days=1), time(0), zone)
        until = min(midnight, end.astimezone(zone))
        if counts(moment.date(), absences, weekends=weekends):
            total += until.astimezone(UTC) - moment.astimezone(UTC)
        moment = until
    return total
