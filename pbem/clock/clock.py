"""The clock of one table: which seats are due, since when and until when, and why time may stand still.

A Clock is an immutable value, stored beside the events. It runs for the seats that are due while there is no reason to
pause; what happens during a pause counts as happening at the moment at which time stopped. Reminders and the grace
after a deadline are counted in the same time as the turn itself: not on days that do not count.

`encode_clock` leaves the time control and the zones out: they stand in the table's terms and with the players.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, Final, TypedDict

from engine.game import Seat
from pbem.clock.calendar import Absence, Calendar, add_time, subtract_time, time_between
from pbem.clock.time_control import PLAY, TimeControl


def reminders(deadline: datetime, control: TimeControl, calendar: Calendar) -> list[datetime]:
    """When a player is reminded of a deadline, the first moment first."""
    return [subtract_time(deadline, before, calendar) for before in control.reminders]


def reminders_passed(deadline: datetime, control: TimeControl, calendar: Calendar, now: datetime) -> int:
    """How many reminders of a deadline are due or past."""
    return sum(now >= moment for moment in reminders(deadline, control, calendar))


_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Due:
    """A seat that is due in a turn: how much time it had `left` at the moment `since`, and the deadline that follows.

    `reminded` counts the reminders that are done; `late` is set once the late turn has been announced. `asked` is set
    where the seat only owes another player an answer, which has its own time beside the time for a turn; `offered` if
    that is a short time for an offer, after which silence means no.
    """

    turn: int
    since: datetime
    left: timedelta
    deadline: datetime
    reminded: int = 0
    late: bool = False
    asked: bool = False
    offered: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """The clocks of all seats at one table."""

    control: TimeControl
    zones: Mapping[Seat, tzinfo]
    due: Mapping[Seat, Due] = field(default_factory=dict)
    halted: Mapping[Seat, Due] = field(default_factory=dict)
    """Turns that wait for chance or for another seat; they go on with the time that was left."""
    finished: Mapping[Seat, Due] = field(default_factory=dict)
    """The last turn that each seat has finished, with the time that was left; it may be taken back."""
    banks: Mapping[Seat, timedelta] = field(default_factory=dict)
    absences: Mapping[Seat, tuple[Absence, ...]] = field(default_factory=dict)
    paused: Mapping[str, datetime] = field(default_factory=dict)
    """Reasons why time stands still, and since when."""

    @property
    def running(self) -> bool:
        """Whether time runs: there is no reason to pause."""
        return not self.paused

    def calendar(self, seat: Seat, running: Due | None = None) -> Calendar:
        """On which days time runs for a seat. Offers do not wait for who is away: silence means no, for all alike."""
        absences = () if running is not None and running.offered else self.absences.get(seat, ())
        return Calendar(self.zones[seat], absences, self.control.resting, self.control.holidays)

    def end_of_grace(self, seat: Seat, running: Due) -> datetime:
        """When the grace after a seat's deadline is over, and the seat late; an offer has none."""
        grace = timedelta() if running.offered else self.control.grace
        return add_time(running.deadline, grace, self.calendar(seat, running))


def update_due(
    clock: Clock,
    seats: Iterable[Seat],
    now: datetime,
    *,
    turn: int,
    asked: Collection[Seat] = (),
    offered: Collection[Seat] = (),
    anew: bool = False,
) -> Clock:
    """Stop the clocks of the seats that are no longer due in `turn`, and start those of the seats that now are.

    A seat that is due in another turn gets its time anew. A seat that goes on in the same turn does not, even if chance
    or another seat moved meanwhile; a turn is over, and adds to a bank, only when another turn begins. Seats that are
    `asked` get separate time for the answer, unless the control has a bank. Those of them who are `offered` something
    get the shorter time for offers, where the control has one, bank or not; `anew` says that the offer is another than
    before. Chance has no zone and needs no time.
    """
    moment = table_time(clock, now)
    wanted = [seat for seat in seats if seat in clock.zones]
    length = clock.control.offer_length
    offered = offered if length is not None else ()
    asked = asked if clock.control.bank is None else offered
    due, halted, banks, finished = dict(clock.due), dict(clock.halted), dict(clock.banks), dict(clock.finished)
    for seat, running in clock.due.items():
        is_same = running.asked == (seat in asked) and running.offered == (seat in offered)
        if seat in wanted and is_same and (running.asked or running.turn == turn) and not (anew and running.offered):
            continue
        del due[seat]
        # An answer that was given is done; where only chance is due, seats that were asked wait for it.
        if not (running.asked and (wanted or seat in halted)) and not (anew and running.offered):
            halted[seat] = _stop(clock, seat, running, moment)
    for seat in [seat for seat, stopped in halted.items() if stopped.turn != turn and not stopped.asked]:
        finished[seat] = halted.pop(seat)
        if clock.control.bank is not None:
            left = max(finished[seat].left, timedelta())
            banks[seat] = min(left + clock.control.increment, clock.control.cap)
    for seat in wanted:
        if seat in due:
            continue
        stopped = halted.get(seat)
        if stopped is not None and stopped.asked == (seat in asked):
            due[seat] = _go_on(clock, seat, halted.pop(seat), moment)
        elif length is not None and seat in offered:
            due[seat] = _start(clock, seat, Due(turn, moment, length, moment, asked=True, offered=True))
        else:
            left = banks.get(seat, clock.control.first_length)
            due[seat] = _start(clock, seat, Due(turn, moment, left, moment, asked=seat in asked))
    if wanted:
        halted = {seat: stopped for seat, stopped in halted.items() if not stopped.asked}
    return replace(clock, due=due, halted=halted, banks=banks, finished=finished)


def limit_offer(clock: Clock, until: datetime) -> Clock:
    """Let the offer that is open be answered until a moment at most, which whoever made it has named."""
    due = dict(clock.due)
    for seat, running in clock.due.items():
        if running.offered and until < running.deadline:
            left = time_between(running.since, until, clock.calendar(seat, running))
            due[seat] = _start(clock, seat, replace(running, left=left))
    return replace(clock, due=due)


LEAST_AGAIN: Final = timedelta(hours=1)
"""How much time there is at least for a turn that was taken back."""


def take_back(clock: Clock, seat: Seat, turn: int, now: datetime) -> Clock:
    """The clock after a seat took its own turn back, which it plays again, and whoever was due after it is not yet.

    No time is won by that: the old deadline stands, as if the seat had not played, but at least an hour is left. The
    next turn has not begun: its time starts anew, and nothing of it was used or earned.
    """
    due = {other: running for other, running in clock.due.items() if running.turn <= turn}
    halted = {other: stopped for other, stopped in clock.halted.items() if stopped.turn <= turn}
    played = clock.finished.get(seat)
    if seat not in due and seat not in halted and played is not None and played.turn == turn:
        moment = table_time(clock, now)
        again = _stop(clock, seat, played, moment)
        least = min(LEAST_AGAIN, clock.control.first_length)
        due[seat] = _go_on(clock, seat, replace(again, left=max(again.left, least)), moment)
    return replace(clock, due=due, halted=halted)


def reset_seat(clock: Clock, seat: Seat, now: datetime) -> Clock:
    """The clock with a seat's whole time restored and its absences removed, as for a new player."""
    fresh = replace(
        clock,
        halted={other: stopped for other, stopped in clock.halted.items() if other != seat},
        finished={other: played for other, played in clock.finished.items() if other != seat},
        banks={other: bank for other, bank in clock.banks.items() if other != seat},
        absences={other: away for other, away in clock.absences.items() if other != seat},
    )
    running = clock.due.get(seat)
    if running is None:
        return fresh
    length = clock.control.offer_length if running.offered else None
    moment, left = table_time(clock, now), clock.control.first_length if length is None else length
    anew = _start(fresh, seat, replace(running, since=moment, left=left, late=False))
    return replace(fresh, due={**clock.due, seat: anew})


def pause(clock: Clock, reason: str, now: datetime) -> Clock:
    """Pause the clock for a reason; the same reason twice changes nothing."""
    return clock if reason in clock.paused else replace(clock, paused={**clock.paused, reason: now})


def resume(clock: Clock, reason: str, now: datetime) -> Clock:
    """Remove a reason to pause; when none is left, every seat goes on with the time it had."""
    if reason not in clock.paused:
        return clock
    stopped = table_time(clock, now)
    paused = {name: since for name, since in clock.paused.items() if name != reason}
    if paused:
        # Time stopped with the earliest reason, even when that reason is removed first.
        return replace(clock, paused=dict.fromkeys(paused, stopped))
    due = {}
    for seat, running in clock.due.items():
        due[seat] = _run(clock, seat, replace(_stop(clock, seat, running, stopped), since=now), now)
    # Time that a turn would lose if it were taken back stands still as well.
    finished = {
        seat: replace(_stop(clock, seat, played, max(stopped, played.since)), since=now)
        for seat, played in clock.finished.items()
    }
    return replace(clock, paused={}, due=due, finished=finished)


def extend(clock: Clock, length: timedelta, now: datetime) -> Clock:
    """Give every seat that is due more time, as after an outage."""
    due = {
        seat: _run(clock, seat, replace(running, left=running.left + length), now)
        for seat, running in clock.due.items()
    }
    finished = {seat: replace(played, left=played.left + length) for seat, played in clock.finished.items()}
    return replace(clock, due=due, finished=finished)


def add_absence(clock: Clock, seat: Seat, absence: Absence, now: datetime) -> Clock:
    """Add an absence; a deadline that is running moves by the days added."""
    away = replace(clock, absences={**clock.absences, seat: (*clock.absences.get(seat, ()), absence)})
    running = clock.due.get(seat)
    return away if running is None else replace(away, due={**clock.due, seat: _run(away, seat, running, now)})


def cut_absence(clock: Clock, seat: Seat, first: date, now: datetime) -> Clock:
    """End absences before a day; a deadline that is running loses the days that were added."""
    absences = clock.absences.get(seat, ())
    kept = tuple(Absence(away.first, min(away.last, first - _DAY)) for away in absences if away.first < first)
    back = replace(clock, absences={**clock.absences, seat: kept})
    running = clock.due.get(seat)
    if running is None:
        return back
    anew = _run(back, seat, running, now)
    # The answer to the letter says the new deadline; a reminder at the same time would be useless.
    passed = reminders_passed(anew.deadline, clock.control, back.calendar(seat, running), now)
    return replace(back, due={**clock.due, seat: replace(anew, reminded=passed)})


def change_control(clock: Clock, control: TimeControl, now: datetime) -> Clock:
    """Let other terms hold from now on. Turns that run keep the time they have left, counted by the new calendar."""
    moment, changed = table_time(clock, now), replace(clock, control=control)
    due = {}
    for seat, running in clock.due.items():
        begins = max(moment, running.since)
        anew = _run(changed, seat, replace(_stop(clock, seat, running, begins), since=begins), now)
        passed = reminders_passed(anew.deadline, control, changed.calendar(seat, anew), now)
        due[seat] = replace(anew, reminded=passed)
    return replace(changed, due=due)


def table_time(clock: Clock, now: datetime) -> datetime:
    """The time at the table: while it is paused, the moment at which it stopped."""
    return min(clock.paused.values(), default=now)


def _start(clock: Clock, seat: Seat, begun: Due) -> Due:
    """A turn that begins, with its deadline."""
    calendar = clock.calendar(seat, begun)
    deadline = add_time(begun.since, begun.left, calendar)
    # A reminder at the same time as the turn mail would be useless.
    passed = reminders_passed(deadline, clock.control, calendar, begun.since)
    return replace(begun, deadline=deadline, reminded=passed)


def _stop(clock: Clock, seat: Seat, running: Due, moment: datetime) -> Due:
    """A turn whose time is stopped, with the time that is left."""
    used = time_between(running.since, moment, clock.calendar(seat, running))
    return replace(running, since=moment, left=running.left - used)


def _go_on(clock: Clock, seat: Seat, stopped: Due, moment: datetime) -> Due:
    """A turn whose time runs again; where the post plays for a late seat, the alarm must come again."""
    running = _run(clock, seat, replace(stopped, since=moment), moment)
    return replace(running, late=False) if clock.control.silence == PLAY else running


def _run(clock: Clock, seat: Seat, running: Due, now: datetime) -> Due:
    """A turn with a new deadline from its time; alarms for the earlier one may come again."""
    calendar = clock.calendar(seat, running)
    moved = replace(running, deadline=add_time(running.since, running.left, calendar))
    return replace(
        moved,
        reminded=min(running.reminded, reminders_passed(moved.deadline, clock.control, calendar, now)),
        late=running.late and now >= clock.end_of_grace(seat, moved),
    )


class DueData(TypedDict):
    """A `Due` as plain data."""

    turn: int
    since: str
    left: float
    deadline: str
    reminded: int
    late: bool
    asked: bool
    offered: bool


class ClockData(TypedDict):
    """A Clock as plain data, as the store keeps it."""

    due: dict[Seat, DueData]
    halted: dict[Seat, DueData]
    finished: dict[Seat, DueData]
    banks: dict[Seat, float]
    absences: dict[Seat, list[list[str]]]
    paused: dict[str, str]


def encode_clock(clock: Clock) -> ClockData:
    """A clock as strings and numbers."""
    return {
        "due": {seat: _encode_due(turn) for seat, turn in clock.due.items()},
        "halted": {seat: _encode_due(turn) for seat, turn in clock.halted.items()},
        "finished": {seat: _encode_due(turn) for seat, turn in clock.finished.items()},
        "banks": {seat: bank.total_seconds() for seat, bank in clock.banks.items()},
        "absences": {
            seat: [[away.first.isoformat(), away.last.isoformat()] for away in absences]
            for seat, absences in clock.absences.items()
        },
        "paused": {reason: _encode_moment(since) for reason, since in clock.paused.items()},
    }


def decode_clock(kept: Mapping[str, Any], control: TimeControl, zones: Mapping[Seat, tzinfo]) -> Clock:
    """The clock that `encode_clock` wrote; clocks of early versions lack some of it."""
    return Clock(
        control,
        zones,
        due={seat: _decode_due(turn) for seat, turn in kept["due"].items()},
        halted={seat: _decode_due(turn) for seat, turn in kept.get("halted", {}).items()},
        finished={seat: _decode_due(turn) for seat, turn in kept.get("finished", {}).items()},
        banks={seat: timedelta(seconds=bank) for seat, bank in kept["banks"].items()},
        absences={
            seat: tuple(Absence(date.fromisoformat(first), date.fromisoformat(last)) for first, last in absences)
            for seat, absences in kept["absences"].items()
        },
        paused={reason: datetime.fromisoformat(since) for reason, since in kept["paused"].items()},
    )


def _encode_due(turn: Due) -> DueData:
    return {
        "turn": turn.turn,
        "since": _encode_moment(turn.since),
        "left": turn.left.total_seconds(),
        "deadline": _encode_moment(turn.deadline),
        "reminded": turn.reminded,
        "late": turn.late,
        "asked": turn.asked,
        "offered": turn.offered,
    }


def _decode_due(kept: Mapping[str, Any]) -> Due:
    return Due(
        kept["turn"],
        datetime.fromisoformat(kept["since"]),
        timedelta(seconds=kept["left"]),
        datetime.fromisoformat(kept["deadline"]),
        reminded=kept["reminded"],
        late=kept["late"],
        asked=kept.get("asked", False),
        offered=kept.get("offered", False),
    )


def _encode_moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
