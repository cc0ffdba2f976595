"""The time control of a table, as its creator wrote it.

Durations are written ``3d``, ``36h`` or ``1d12h``. A control is part of a table's terms and so of its history;
it knows no moment, only lengths.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

WAIT: Final = "wait"
RANDOM: Final = "random"
SUBSTITUTE: Final = "substitute"
FORFEIT: Final = "forfeit"
SILENCE: Final = (WAIT, RANDOM, SUBSTITUTE, FORFEIT)
"""What can happen to a seat that does not answer in time."""

_DURATION: Final = re.compile(r"(?=\d)(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,4})m)?")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a turn may take, and what follows when it takes longer.

    Without `bank`, every turn has `per_turn`. With it, a seat owns a bank of time that grows by `increment` each
    turn up to `cap`; a turn is late when the bank is empty.
    """

    per_turn: timedelta = timedelta(days=3)
    bank: timedelta | None = None
    increment: timedelta = timedelta(days=1)
    cap: timedelta = timedelta(days=14)
    grace: timedelta = timedelta(hours=12)
    reminders: tuple[timedelta, ...] = (timedelta(days=1),)
    """How long before the deadline a player is reminded, longest first."""
    weekends: bool = True
    """False when Saturdays and Sundays of the player's zone do not count."""
    silence: str = WAIT
    absence: int = 30
    """Days of absence a seat may take in one game."""


def read_duration(text: str) -> timedelta | None:
    """A duration as people write it, or None."""
    match = _DURATION.fullmatch(text.strip().lower().replace(" ", ""))
    if match is None:
        return None
    days, hours, minutes = (int(part or 0) for part in match.groups())
    return timedelta(days=days, hours=hours, minutes=minutes)


def write_duration(duration: timedelta) -> str:
    """A duration in its shortest form: ``3d``, ``1d12h``."""
    minutes = int(duration.total_seconds()) // 60
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    text = "".join(f"{count}{unit}" for count, unit in ((days, "d"), (hours, "h"), (minutes, "m")) if count)
    return text or "0m"


def read_control(terms: Mapping[str, Any]) -> TimeControl:
    """The control in a table's terms; what they leave out has its usual value."""
    usual = TimeControl()

    def length(name: str, default: timedelta) -> timedelta:
        given = terms.get(name)
        return default if given is None else read_duration(str(given)) or default

    bank = terms.get("bank")
    reminders = terms.get("reminders")
    return TimeControl(
        per_turn=length("per_turn", usual.per_turn),
        bank=None if bank is None else length("bank", usual.per_turn),
        increment=length("increment", usual.increment),
        cap=length("cap", usual.cap),
        grace=length("grace", usual.grace),
        reminders=usual.reminders
        if reminders is None
        else tuple(sorted((read_duration(str(each)) or usual.grace for each in reminders), reverse=True)),
        weekends=bool(terms.get("weekends", usual.weekends)),
        silence=str(terms.get("silence", usual.silence)),
        absence=int(terms.get("absence", usual.absence)),
    )
