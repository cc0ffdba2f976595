"""What a moment brings: reminders, turns that are late, and whether the post itself has slept.

Asking changes nothing; the service carries out what it is told and notes it in the Clock, so that each alarm
comes once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from engine.game import Seat
from pbem.clock.calendar import add_time
from pbem.clock.clock import Clock, Due, end_of_grace, reminders, reminders_passed

REMIND: Final = "remind"
LATE: Final = "late"

OUTAGE: Final = timedelta(hours=1)
"""A post that did not look at its clocks for longer than this has slept."""
OUTAGE_BONUS: Final = timedelta(hours=24)
"""What players get on top of the time that an outage lasted."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that is due now, for one seat."""

    kind: str
    seat: Seat
    deadline: datetime


def alarms(clock: Clock, now: datetime) -> Iterator[Alarm]:
    """What is due by `now` and has not been noted; nothing while time stands still."""
    if not clock.running:
        return
    for seat, turn in clock.due.items():
        calendar = clock.calendar(seat)
        if now >= end_of_grace(turn.deadline, clock.control, calendar):
            # A post may look late; on a day that does not count it is too late, or too early, to punish anybody.
            if not turn.late and calendar.counts(calendar.day(now)):
                yield Alarm(LATE, seat, turn.deadline)
        elif reminders_passed(turn.deadline, clock.control, calendar, now) > turn.reminded:
            yield Alarm(REMIND, seat, turn.deadline)


def acknowledge(clock: Clock, alarm: Alarm, now: datetime) -> Clock:
    """Remember that an alarm has been seen to; reminders that were missed together count as one."""
    turn = clock.due[alarm.seat]
    reminded = reminders_passed(turn.deadline, clock.control, clock.calendar(alarm.seat), now)
    noted = replace(turn, late=True) if alarm.kind == LATE else replace(turn, reminded=reminded)
    return replace(clock, due={**clock.due, alarm.seat: noted})


def next_check(clock: Clock, now: datetime) -> datetime | None:
    """When to look at this clock again, or None while nothing can happen by itself."""
    if not clock.running:
        return None
    if any(alarms(clock, now)):
        return now  # a turn can go on when its time is up already
    moments = [
        moment for seat, turn in clock.due.items() for moment in _moments(clock, seat, turn, now) if moment > now
    ]
    return min(moments, default=None)


def outage_compensation(
    last_look: datetime, now: datetime, *, outage: timedelta = OUTAGE, extra: timedelta = OUTAGE_BONUS
) -> timedelta:
    """How much more time players need because the post has slept: none, or what the outage lasted and some more."""
    slept = now - last_look
    return slept + extra if slept > outage else timedelta()


def _moments(clock: Clock, seat: Seat, turn: Due, now: datetime) -> Iterator[datetime]:
    """When something can come of a turn by itself."""
    calendar = clock.calendar(seat)
    yield from reminders(turn.deadline, clock.control, calendar)
    if not turn.late:
        yield add_time(max(now, end_of_grace(turn.deadline, clock.control, calendar)), timedelta(), calendar)
