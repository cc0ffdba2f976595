"""The deadlines of a disputed turn, worked out again from the events alone.

A seat may be asked more than once in a turn. So there is a line for every time that it was, from the moment at which it
became due to its first move after that.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from engine.game import Seat
from pbem.clock.clock import Clock, Due, table_time
from pbem.clock.time_control import write_duration
from pbem.disputes.case_file import Timed
from pbem.disputes.replayed_history import History
from pbem.events.annotations import MOVES
from pbem.events.chain import Event
from pbem.workflow.context import stamp
from pbem.workflow.timing import retell_clock


def work_out(history: History, turn: int, upto: int, zones: Mapping[Seat, tzinfo]) -> Iterator[Timed]:
    """Until when each seat that was due in a turn had time, and when it answered, as often as it was asked."""
    asked: list[_Asked] = []
    clocks = list(retell_clock(history.events[:upto], history.tables[:upto], zones))
    met = clocks[:1] + clocks
    for event, table, before, after in zip(history.events, history.tables, met, clocks, strict=False):
        if event.kind == "undone" and event.data["turn"] <= turn:
            asked = []
        for each in asked:
            each.meet(event, before, after)
        if table.turn == turn:
            waited_for = {each.seat for each in asked if each.told is None}
            asked += (_ask(seat, due, event) for seat, due in after.due.items() if seat not in waited_for)
    for each in asked:
        yield each.told or each.tell("not answered")


@dataclass
class _Asked:
    """A seat that became due, and what came of it, if anything has."""

    seat: Seat
    since: datetime
    due: Due
    told: Timed | None = None

    def meet(self, event: Event, before: Clock, after: Clock) -> None:
        """See whether an event settles what was asked: in the turn that asked, or in a later one."""
        if self.told is not None:
            return
        now = after.due.get(self.seat)
        if event.kind in MOVES and event.data["seat"] == self.seat:
            self.told = self._answer(event, before)
        elif now is None or (now.turn, now.asked) != (self.due.turn, self.due.asked):
            self.told = self.tell(f"nothing was asked any more from {event.at} on")
        else:
            # Pauses, absences and outages move a deadline.
            self.due = now

    def _answer(self, event: Event, clock: Clock) -> Timed:
        by = event.data["by"]
        if by == "clock":
            grace = write_duration(clock.control.grace)
            return self.tell(f"no answer came; after a grace of {grace} the post moved, at {event.at}", event.seq)
        if by == "referee":
            return self.tell(f"the referee moved, at {event.at}", event.seq)
        # While time stands still, whatever comes is there at the moment at which it stopped.
        late = table_time(clock, datetime.fromisoformat(event.at)) > self.due.deadline
        return replace(self.tell("late" if late else "in time", event.seq), answered=event.at)

    def tell(self, verdict: str, event: int = 0) -> Timed:
        """The time that there was, and what to say of it."""
        return Timed(self.seat, stamp(self.since), stamp(self.due.deadline), "", verdict, event)


def _ask(seat: Seat, due: Due, event: Event) -> _Asked:
    """A seat that is due after an event; after a move of its own it is asked from then on, in the time that it had."""
    goes_on = event.kind in MOVES and event.data["seat"] == seat
    return _Asked(seat, datetime.fromisoformat(event.at) if goes_on else due.since, due)


def punctuality(times: Iterable[Timed], seat: str, received: str, caused: Container[int]) -> str:
    """Whether a letter came before the deadline that it was about; nothing, if its seat was not due.

    It is about what one of its events answers, or else about what its seat was asked last before it came.
    """
    asked = [time for time in times if time.seat == seat]
    if not asked:
        return ""
    before = [time for time in asked if time.since <= received]
    answered = [time for time in asked if time.event in caused]
    (about, *_) = answered or before[-1:] or asked
    return f"{'after' if received > about.deadline else 'before'} the deadline"
