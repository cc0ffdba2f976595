"""What a new table begins with: a name that no table has had, and the terms that the settings give it."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any, Final

from pbem.clock.time_control import TimeControl, control_to_terms
from pbem.settings.sections import TimeSettings

WINDS: Final = (
    *("sirocco", "mistral", "khamsin", "harmattan", "levanter", "zephyr", "simoom", "bora", "chinook", "monsoon"),
    *("ghibli", "passat", "tramontane", "shamal", "foehn", "etesian"),
)
"""Names of winds, after which tables are named."""
BANK: Final = "bank"
"""The time mode in which each player has a bank of time."""


def name_table(taken: Collection[str]) -> str:
    """A name that no table has had: a wind and the next number."""
    number = len(taken) + 1
    while (name := f"{WINDS[(number - 1) % len(WINDS)]}-{number}") in taken:
        number += 1
    return name


def _usual_reminders(time: TimeSettings) -> tuple[timedelta, ...]:
    """One reminder, when a third of the time for a turn is left, or as much of a bank as a turn adds."""
    left = time.per_turn / 3 if time.mode != BANK else time.increment or time.bank / 3
    return (timedelta(seconds=max(1, int(left.total_seconds()))),)


def terms_of(time: TimeSettings) -> dict[str, Any]:
    """The time settings as terms of a table."""
    control = TimeControl(
        per_turn=time.per_turn,
        bank=time.bank if time.mode == BANK else None,
        increment=time.increment,
        cap=time.cap,
        grace=time.grace,
        reminders=tuple(sorted(_usual_reminders(time) if time.reminders is None else time.reminders, reverse=True)),
        weekends=time.weekends == "run",
        silence=time.silence,
        absence=time.absence.days,
        pencil=time.pencil,
        offers=time.offers,
    )
    return control_to_terms(control)
