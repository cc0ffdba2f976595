"""The deadlines of a disputed turn, worked out again from the events alone."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from engine.game import Seat
from pbem.cases.file import Timed
from pbem.cases.history import History
from pbem.clerk.office import stamp
from pbem.clerk.timing import retell_clock
from pbem.clock.control import write_duration
from pbem.ledger.event import Event

if TYPE_CHECKING:
    from pbem.clock.running import Due


def work_out(
    history: History, turn: int, moves: Sequence[Event], upto: int, zones: Mapping[Seat, tzinfo]
) -> Iterator[Timed]:
    """Until when each seat that was due in a turn had time, and when it answered."""
    due: dict[Seat, Due] = {}
    answered = {event.data["seat"]: event for event in reversed(moves)}
    clocks = list(retell_clock(history.events[:upto], history.tables[:upto], zones))
    for past, table, clock in zip(history.events, history.tables, clocks, strict=False):
        if past.kind == "undone" and past.data["turn"] <= turn:
            due.clear()
        # What is asked in one turn can be answered in a later one.
        due |= clock.due if table.turn == turn else {}
    grace = write_duration(clocks[-1].control.grace) if clocks else ""
    for seat, running in due.items():
        event = answered.get(seat)
        late = event is not None and datetime.fromisoformat(event.at) > running.deadline
        verdict = "not answered" if event is None else "late" if late else "in time"
        if event is not None and event.data["by"] == "clock":
            verdict = f"no answer came; after a grace of {grace} the post moved, at {event.at}"
            event = None
        answer = event.at if event is not None else ""
        yield Timed(seat, stamp(running.since), stamp(running.deadline), answer, verdict)
