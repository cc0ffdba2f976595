"""What a moment brings: reminders, turns that are late, and whether the post itself has slept.

Asking changes nothing; the service carries out what it is told and notes it in the Clock.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from engine.game import Seat
from pbem.clock.running import Clock

REMIND: Final = "remind"
LATE: Final = "late"

OUTAGE: Final = timedelta(hours=1)
"""A post that did not look at its clocks for longer than this has slept."""
AMENDS: Final = timedelta(hours=24)
"""What players get on top of the time that an outage lasted."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that is due now, for one seat."""

    kind: str
    seat: Seat
    deadline: datetime


def alarms(clock: Clock, now: datetime) -> Iterator[Alarm]:
    """What is due by `now`; nothing while time stands still."""
    if not clock.running:
        return
    for seat, turn in clock.due.items():
        if now >= turn.deadline + clock.control.grace:
            yield Alarm(LATE, seat, turn.deadline)
        elif _reminders_due(clock, turn.deadline, now) > turn.reminded:
            yield Alarm(REMIND, seat, turn.deadline)


def note_reminder(clock: Clock, seat: Seat, now: datetime) -> Clock:
    """Remember that a seat has been reminded; reminders that were missed together count as one."""
    turn = clock.due[seat]
    reminded = replace(turn, reminded=_reminders_due(clock, turn.deadline, now))
    return replace(clock, due={**clock.due, seat: reminded})


def _reminders_due(clock: Clock, deadline: datetime, now: datetime) -> int:
    return sum(now >= deadline - before for before in clock.control.reminders)


def next_look(clock: Clock, now: datetime) -> datetime | None:
    """When to look at this clock again, or None while nothing can happen by itself."""
    if not clock.running:
        return None
    moments = [turn.deadline + clock.control.grace for turn in clock.due.values()]
    for turn in clock.due.values():
        moments += [turn.deadline - before for before in clock.control.reminders]
    return min((moment for moment in moments if moment > now), default=None)


def amends(last_look: datetime, now: datetime) -> timedelta:
    """How far deadlines must move because the post has slept: nothing, or the outage and a day."""
    slept = now - last_look
    return slept + AMENDS if slept > OUTAGE else timedelta()
