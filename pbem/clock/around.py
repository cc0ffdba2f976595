"""The moments around a deadline: reminders before it, and the end of grace after it.

They are counted as the time for the turn is. On a day that does not count nobody is reminded, and no grace is used up.
"""

from datetime import datetime

from pbem.clock.calendar import Calendar, earlier, later
from pbem.clock.time_control import TimeControl


def reminders(deadline: datetime, control: TimeControl, calendar: Calendar) -> list[datetime]:
    """When a player is reminded of a deadline, the first moment first."""
    return [earlier(deadline, before, calendar) for before in control.reminders]


def reminders_passed(deadline: datetime, control: TimeControl, calendar: Calendar, now: datetime) -> int:
    """How many reminders of a deadline have had their chance."""
    return sum(now >= moment for moment in reminders(deadline, control, calendar))


def end_of_grace(deadline: datetime, control: TimeControl, calendar: Calendar) -> datetime:
    """From when on silence has its consequence, on the next day that counts."""
    return later(deadline, control.grace, calendar)
