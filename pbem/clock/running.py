"""The clock of one table: who is on the move since when, until when, and why time may stand still.

A Clock is a value. It runs for the seats that are due unless the set of pause reasons is not empty; a pause
moves every deadline by its own length. The service keeps the Clock beside the events, and asks `alarms` what a
moment brings.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo

from engine.game import Seat
from pbem.clock.calendar import Absence, elapsed, later
from pbem.clock.control import TimeControl


@dataclass(frozen=True, slots=True)
class Due:
    """A seat on the move: since when, until when, and how many reminders it has had."""

    since: datetime
    deadline: datetime
    reminded: int = 0


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of one table."""

    control: TimeControl
    zones: Mapping[Seat, tzinfo]
    due: Mapping[Seat, Due] = field(default_factory=dict)
    banks: Mapping[Seat, timedelta] = field(default_factory=dict)
    absences: Mapping[Seat, tuple[Absence, ...]] = field(default_factory=dict)
    paused: Mapping[str, datetime] = field(default_factory=dict)
    """Reasons why time stands still, and since when."""

    @property
    def running(self) -> bool:
        """True unless there is a reason to stand still."""
        return not self.paused


def hand_over(clock: Clock, seats: Iterable[Seat], now: datetime) -> Clock:
    """Stop the clocks of the seats that are no longer due and start those that have become so."""
    due, banks = dict(clock.due), dict(clock.banks)
    wanted = tuple(seats)
    for seat in tuple(due):
        if seat not in wanted:
            banks[seat] = _bank_after(clock, seat, due.pop(seat), now)
    for seat in wanted:
        if seat not in due:
            length = clock.control.per_turn if clock.control.bank is None else banks.get(seat, clock.control.bank)
            due[seat] = Due(now, _deadline(clock, seat, now, length))
    return replace(clock, due=due, banks=banks if clock.control.bank is not None else {})


def _bank_after(clock: Clock, seat: Seat, turn: Due, now: datetime) -> timedelta:
    control = clock.control
    bank = control.bank or timedelta()
    used = elapsed(turn.since, now, clock.zones[seat], clock.absences.get(seat, ()), weekends=control.weekends)
    left = max(clock.banks.get(seat, bank) - used, timedelta())
    return min(left + control.increment, control.cap)


def _deadline(clock: Clock, seat: Seat, start: datetime, length: timedelta) -> datetime:
    absences = clock.absences.get(seat, ())
    return later(start, length, clock.zones[seat], absences, weekends=clock.control.weekends)


def pause(clock: Clock, reason: str, now: datetime) -> Clock:
    """Let time stand still for a reason; the same reason twice changes nothing."""
    return clock if reason in clock.paused else replace(clock, paused={**clock.paused, reason: now})


def resume(clock: Clock, reason: str, now: datetime) -> Clock:
    """Take a reason away; when none is left, every deadline moves by the time that stood still."""
    if reason not in clock.paused:
        return clock
    paused = {name: since for name, since in clock.paused.items() if name != reason}
    if paused:
        # The earliest reason decides how long time has stood still, even when it goes first.
        earliest = min(clock.paused.values())
        kept = min(paused, key=lambda name: paused[name])
        return replace(clock, paused={**paused, kept: earliest})
    return extend(replace(clock, paused={}), now - min(clock.paused.values()))


def extend(clock: Clock, length: timedelta) -> Clock:
    """Move every deadline, as after an outage."""
    moved = {
        seat: replace(turn, since=turn.since + length, deadline=turn.deadline + length)
        for seat, turn in clock.due.items()
    }
    return replace(clock, due=moved)


def be_away(clock: Clock, seat: Seat, absence: Absence) -> Clock:
    """Note an absence; a turn that is under way gets the days added."""
    absences = {**clock.absences, seat: (*clock.absences.get(seat, ()), absence)}
    away = replace(clock, absences=absences)
    turn = clock.due.get(seat)
    if turn is None:
        return away
    control = clock.control
    length = control.per_turn if control.bank is None else clock.banks.get(seat, control.bank)
    moved = replace(turn, deadline=max(turn.deadline, _deadline(away, seat, turn.since, length)))
    return replace(away, due={**clock.due, seat: moved})


def days_away(clock: Clock, seat: Seat) -> int:
    """How many days of absence a seat has taken."""
    return sum(absence.days for absence in clock.absences.get(seat, ()))
