"""The moments around a deadline: reminders before it, and the end of grace after it.

They are counted as the time for the turn is. On a day that does not count nobody is reminded, and no grace is used up.

The clock of one table: who is on the move since when, until when, and why time may stand still.

A Clock is a value. It runs for the seats that are due unless the set of pause reasons is not empty; what happens
meanwhile happens at the moment at which time began to stand still. The service keeps the Clock beside the
events, and asks `alarms` what a moment brings.

A Clock as plain data and back, for whoever keeps it.

The control and the zones are not written: they stand in the table's terms and with the players.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, Final

from engine.game import Seat
from pbem.clock.calendar import Absence, Calendar, add_time, subtract_time, time_between
from pbem.clock.time_control import PLAY, TimeControl


def reminders(deadline: datetime, control: TimeControl, calendar: Calendar) -> list[datetime]:
    """When a player is reminded of a deadline, the first moment first."""
    return [subtract_time(deadline, before, calendar) for before in control.reminders]


def reminders_passed(deadline: datetime, control: TimeControl, calendar: Calendar, now: datetime) -> int:
    """How many reminders of a deadline have had their chance."""
    return sum(now >= moment for moment in reminders(deadline, control, calendar))


def end_of_grace(deadline: datetime, control: TimeControl, calendar: Calendar) -> datetime:
    """From when on silence has its consequence, on the next day that counts."""
    return add_time(deadline, control.grace, calendar)


_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Due:
    """A seat on the move in a turn: how much time it had `left` at the moment `since`, and so until when.

    `reminded` counts the reminders that have had their chance; `late` is set once its lateness has been told. `asked`
    is set where it only owes somebody an answer, which has a time of its own beside the time for a turn.
    """

    turn: int
    since: datetime
    left: timedelta
    deadline: datetime
    reminded: int = 0
    late: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of one table."""

    control: TimeControl
    zones: Mapping[Seat, tzinfo]
    due: Mapping[Seat, Due] = field(default_factory=dict)
    halted: Mapping[Seat, Due] = field(default_factory=dict)
    """Turns in which the dice or somebody else must speak first; they go on with the time that was left."""
    banks: Mapping[Seat, timedelta] = field(default_factory=dict)
    absences: Mapping[Seat, tuple[Absence, ...]] = field(default_factory=dict)
    paused: Mapping[str, datetime] = field(default_factory=dict)
    """Reasons why time stands still, and since when."""

    @property
    def running(self) -> bool:
        """True unless there is a reason to stand still."""
        return not self.paused

    def calendar(self, seat: Seat) -> Calendar:
        """On which days time runs for a seat."""
        return Calendar(self.zones[seat], self.absences.get(seat, ()), self.control.weekends)


def update_due(clock: Clock, seats: Iterable[Seat], now: datetime, *, turn: int, asked: Collection[Seat] = ()) -> Clock:
    """Stop the clocks of the seats that are no longer due in `turn` and start those that have become so.

    A seat that is due again in another turn has its time anew. One that goes on in the same turn has not, even if the
    dice or somebody else had to speak meanwhile; only then is a turn over, and adds to a bank. Those who are `asked`
    have a time of their own for the answer, unless a bank is all they have. Chance, which has no zone, needs no time.
    """
    moment = table_time(clock, now)
    wanted = [seat for seat in seats if seat in clock.zones]
    asked = asked if clock.control.bank is None else ()
    due, halted, banks = dict(clock.due), dict(clock.halted), dict(clock.banks)
    for seat, running in clock.due.items():
        if seat in wanted and running.asked == (seat in asked) and (running.asked or running.turn == turn):
            continue
        del due[seat]
        # An answer that was given is done with; where chance alone speaks, they merely wait for it.
        if not (running.asked and (wanted or seat in halted)):
            halted[seat] = _stop(clock, seat, running, moment)
    for seat in [seat for seat, stopped in halted.items() if stopped.turn != turn and not stopped.asked]:
        left = halted.pop(seat).left
        if clock.control.bank is not None:
            banks[seat] = min(max(left, timedelta()) + clock.control.increment, clock.control.cap)
    for seat in wanted:
        if seat in due:
            continue
        stopped = halted.get(seat)
        if stopped is not None and stopped.asked == (seat in asked):
            due[seat] = _go_on(clock, seat, halted.pop(seat), moment)
        else:
            fresh = _start(clock, seat, turn, moment, banks.get(seat, clock.control.first_length))
            due[seat] = replace(fresh, asked=seat in asked)
    if wanted:
        halted = {seat: stopped for seat, stopped in halted.items() if not stopped.asked}
    return replace(clock, due=due, halted=halted, banks=banks)


def reset_seat(clock: Clock, seat: Seat, now: datetime) -> Clock:
    """Give a seat its whole time again and no days away, as to somebody who has just taken it."""
    fresh = replace(
        clock,
        halted={other: stopped for other, stopped in clock.halted.items() if other != seat},
        banks={other: bank for other, bank in clock.banks.items() if other != seat},
        absences={other: away for other, away in clock.absences.items() if other != seat},
    )
    running = clock.due.get(seat)
    if running is None:
        return fresh
    anew = _start(fresh, seat, running.turn, table_time(clock, now), clock.control.first_length)
    return replace(fresh, due={**clock.due, seat: replace(anew, asked=running.asked)})


def pause(clock: Clock, reason: str, now: datetime) -> Clock:
    """Let time stand still for a reason; the same reason twice changes nothing."""
    return clock if reason in clock.paused else replace(clock, paused={**clock.paused, reason: now})


def resume(clock: Clock, reason: str, now: datetime) -> Clock:
    """Take a reason away; when none is left, every seat goes on with the time it had."""
    if reason not in clock.paused:
        return clock
    stopped = table_time(clock, now)
    paused = {name: since for name, since in clock.paused.items() if name != reason}
    if paused:
        # The earliest reason decides how long time has stood still, even when it goes first.
        return replace(clock, paused=dict.fromkeys(paused, stopped))
    due = {}
    for seat, running in clock.due.items():
        due[seat] = _run(clock, seat, replace(_stop(clock, seat, running, stopped), since=now), now)
    return replace(clock, paused={}, due=due)


def extend(clock: Clock, length: timedelta, now: datetime) -> Clock:
    """Give every seat that is due more time, as after an outage."""
    due = {
        seat: _run(clock, seat, replace(running, left=running.left + length), now)
        for seat, running in clock.due.items()
    }
    return replace(clock, due=due)


def add_absence(clock: Clock, seat: Seat, absence: Absence, now: datetime) -> Clock:
    """Note an absence; a turn that is under way gets the days added."""
    away = replace(clock, absences={**clock.absences, seat: (*clock.absences.get(seat, ()), absence)})
    running = clock.due.get(seat)
    return away if running is None else replace(away, due={**clock.due, seat: _run(away, seat, running, now)})


def cut_absence(clock: Clock, seat: Seat, first: date, now: datetime) -> Clock:
    """Let time run again from a day on; a turn that is under way loses the days that were added."""
    absences = clock.absences.get(seat, ())
    kept = tuple(Absence(away.first, min(away.last, first - _DAY)) for away in absences if away.first < first)
    back = replace(clock, absences={**clock.absences, seat: kept})
    running = clock.due.get(seat)
    if running is None:
        return back
    anew = _run(back, seat, running, now)
    # The answer to his letter tells the new deadline; a reminder that would come with it is none.
    passed = reminders_passed(anew.deadline, clock.control, back.calendar(seat), now)
    return replace(back, due={**clock.due, seat: replace(anew, reminded=passed)})


def table_time(clock: Clock, now: datetime) -> datetime:
    """The time at the table: while it stands still, the moment at which it stopped."""
    return min(clock.paused.values(), default=now)


def _start(clock: Clock, seat: Seat, turn: int, moment: datetime, left: timedelta) -> Due:
    calendar = clock.calendar(seat)
    deadline = add_time(moment, left, calendar)
    # A reminder that would come with the turn mail itself is none.
    return Due(turn, moment, left, deadline, reminders_passed(deadline, clock.control, calendar, moment))


def _stop(clock: Clock, seat: Seat, running: Due, moment: datetime) -> Due:
    """A turn whose time no longer runs, with what is left of it."""
    return replace(running, since=moment, left=running.left - time_between(running.since, moment, clock.calendar(seat)))


def _go_on(clock: Clock, seat: Seat, stopped: Due, moment: datetime) -> Due:
    """A turn whose time runs again. Where the post plays for whoever is late, it has to be told so again."""
    running = _run(clock, seat, replace(stopped, since=moment), moment)
    return replace(running, late=False) if clock.control.silence == PLAY else running


def _run(clock: Clock, seat: Seat, running: Due, now: datetime) -> Due:
    """A turn with the deadline that follows from its time; alarms for an earlier one may come again."""
    control, calendar = clock.control, clock.calendar(seat)
    deadline = add_time(running.since, running.left, calendar)
    return replace(
        running,
        deadline=deadline,
        reminded=min(running.reminded, reminders_passed(deadline, control, calendar, now)),
        late=running.late and now >= end_of_grace(deadline, control, calendar),
    )


def encode_clock(clock: Clock) -> dict[str, Any]:
    """What a clock shows, in strings and numbers."""
    return {
        "due": {seat: _write_due(turn) for seat, turn in clock.due.items()},
        "halted": {seat: _write_due(turn) for seat, turn in clock.halted.items()},
        "banks": {seat: bank.total_seconds() for seat, bank in clock.banks.items()},
        "absences": {
            seat: [[away.first.isoformat(), away.last.isoformat()] for away in absences]
            for seat, absences in clock.absences.items()
        },
        "paused": {reason: _write(since) for reason, since in clock.paused.items()},
    }


def decode_clock(data: Mapping[str, Any], control: TimeControl, zones: Mapping[Seat, tzinfo]) -> Clock:
    """The clock that `to_data` wrote."""
    return Clock(
        control,
        zones,
        due={seat: _read_due(turn) for seat, turn in data["due"].items()},
        # A clock that was kept before turns could halt has none that does.
        halted={seat: _read_due(turn) for seat, turn in data.get("halted", {}).items()},
        banks={seat: timedelta(seconds=bank) for seat, bank in data["banks"].items()},
        absences={
            seat: tuple(Absence(date.fromisoformat(first), date.fromisoformat(last)) for first, last in absences)
            for seat, absences in data["absences"].items()
        },
        paused={reason: datetime.fromisoformat(since) for reason, since in data["paused"].items()},
    )


def _write_due(turn: Due) -> dict[str, Any]:
    return {
        "turn": turn.turn,
        "since": _write(turn.since),
        "left": turn.left.total_seconds(),
        "deadline": _write(turn.deadline),
        "reminded": turn.reminded,
        "late": turn.late,
        "asked": turn.asked,
    }


def _read_due(data: Mapping[str, Any]) -> Due:
    return Due(
        data["turn"],
        datetime.fromisoformat(data["since"]),
        timedelta(seconds=data["left"]),
        datetime.fromisoformat(data["deadline"]),
        reminded=data["reminded"],
        late=data["late"],
        asked=data.get("asked", False),
    )


def _write(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
