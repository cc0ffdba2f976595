"""Alarms of a clock: reminders and late turns that are due, when to check again, and time lost in an outage.

Asking for alarms changes nothing. The caller acts on an alarm and acknowledges it in the Clock, so that it comes once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final

from engine.game import Seat
from pbem.clock.calendar import add_time
from pbem.clock.clock import Clock, Due, reminders, reminders_passed

REMIND: Final = "remind"
LATE: Final = "late"

OUTAGE: Final = timedelta(hours=1)
"""A post that did not check its clocks for longer than this was down."""
OUTAGE_BONUS: Final = timedelta(hours=24)
"""Extra time for players on top of the length of an outage."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """A reminder or a late turn of one seat, due now."""

    kind: str
    seat: Seat
    deadline: datetime


def alarms(clock: Clock, now: datetime) -> Iterator[Alarm]:
    """The alarms that are due by `now` and not acknowledged; none while the clock is paused."""
    if not clock.running:
        return
    for seat, turn in clock.due.items():
        calendar = clock.calendar(seat, turn)
        if now >= clock.end_of_grace(seat, turn):
            # The post may have been down: nobody is called late on a day that does not count.
            if not turn.late and calendar.counts(calendar.day(now)):
                yield Alarm(LATE, seat, turn.deadline)
        elif reminders_passed(turn.deadline, clock.control, calendar, now) > turn.reminded:
            yield Alarm(REMIND, seat, turn.deadline)


def acknowledge(clock: Clock, alarm: Alarm, now: datetime) -> Clock:
    """The clock with an alarm marked as done; reminders that were missed together count as one."""
    turn = clock.due[alarm.seat]
    reminded = reminders_passed(turn.deadline, clock.control, clock.calendar(alarm.seat, turn), now)
    noted = replace(turn, late=True) if alarm.kind == LATE else replace(turn, reminded=reminded)
    return replace(clock, due={**clock.due, alarm.seat: noted})


def next_check(clock: Clock, now: datetime) -> datetime | None:
    """When to check this clock again; None while nothing can happen by itself."""
    if not clock.running:
        return None
    if any(alarms(clock, now)):
        return now  # a resumed turn may be out of time already
    moments = [
        moment for seat, turn in clock.due.items() for moment in _moments(clock, seat, turn, now) if moment > now
    ]
    return min(moments, default=None)


def outage_compensation(
    last_check: datetime, now: datetime, *, outage: timedelta = OUTAGE, extra: timedelta = OUTAGE_BONUS
) -> timedelta:
    """How much more time players get because the post was down: none, or the length of the outage and a bonus."""
    down = now - last_check
    return down + extra if down > outage else timedelta()


def next_hour(since: datetime, hour: time, zone: tzinfo) -> datetime:
    """The first moment from `since` on at which clocks in a zone show an hour.

    Where clocks skip the hour in spring it comes as long after midnight as on other days; where they show it twice in
    autumn, the first time counts.
    """
    day = since.astimezone(zone).date() - timedelta(days=1)
    while True:
        moment = datetime.combine(day, hour, zone).astimezone(UTC)
        if moment >= since:
            return moment
        day += timedelta(days=1)


def _moments(clock: Clock, seat: Seat, turn: Due, now: datetime) -> Iterator[datetime]:
    """The moments at which a turn can raise an alarm."""
    calendar = clock.calendar(seat, turn)
    yield from reminders(turn.deadline, clock.control, calendar)
    if not turn.late:
        yield add_time(max(now, clock.end_of_grace(seat, turn)), timedelta(), calendar)
