"""The course of a table in the second form: who is asked to sit, when it is called off, who was asked to move and when.

What can be told without the rules of a game: not whose turn it was, but that a seat was not asked for a move before it
had made the one before.
"""

from typing import Any

from tests.second_verifier.second_shapes import CASES, NOTE, TALK, is_timed
from tests.second_verifier.second_writing import RecordError

ASKS_NOBODY = {
    *("opened", "invited", "accepted", "declined", "called-off", "awaited", "pulse", "press", "restored", "rekeyed"),
    *TALK,
    *CASES,
}
"""Kinds of events after which nobody is to move who was not before."""


def check_course(events: Any) -> None:
    """The table fills, starts or is called off, and says truly when each move was asked for."""
    if events[0].form == 1:
        return
    accepted: set[str] = set()
    started = 0
    for event in events:
        if event.kind in ("invited", "accepted", "declined") and not started:
            sit(event, accepted, events[0].data["seats"])
        elif event.kind in ("invited", "declined", "called-off") and started:
            raise RecordError("table", event.line, f"{event.kind} cannot come after the start")
        elif event.kind == "called-off" and event is not events[-1]:
            raise RecordError("table", event.line, "something happens after the game was called off")
        elif event.kind == "started" and not started:
            if accepted != set(events[0].data["seats"]):
                raise RecordError("table", event.line, "the game started before all had accepted")
            started = event.seq
        if is_timed(event.kind, event.data):
            check_time(event, events, started)


def sit(event: Any, accepted: set[str], seats: Any) -> None:
    """Somebody is asked to take a seat, takes it, or leaves it again."""
    seat = event.data["seat"]
    if seat not in seats or (seat in accepted and event.kind != "declined"):
        raise RecordError("table", event.line, f"{seat} is no seat that is free")
    if event.kind == "accepted":
        accepted.add(seat)
    accepted -= {seat} if event.kind == "declined" else set()


def check_time(event: Any, events: Any, started: Any) -> None:
    """A seat was asked after the start, by something that asks, and has not moved since; the clock has waited."""
    asked, due = event.data["asked"], event.data["due"]
    if not started or not started <= asked < event.seq:
        raise RecordError("table", event.line, f"nobody was asked to move by event {asked} before event {event.seq}")
    cause = events[asked - 1]
    if cause.kind in ASKS_NOBODY or NOTE.match(cause.kind):
        raise RecordError("table", event.line, f"event {asked} asks nobody to move")
    since = {later.data["seat"] for later in events[asked : event.seq - 1] if later.kind == "played"}
    if not set(event.data["seats"] if event.kind == "ended" else [event.data["seat"]]) - since:
        raise RecordError("table", event.line, f"the seat has moved since event {asked}")
    if due and event.data.get("by") != "player" and event.at < due:
        raise RecordError("table", event.line, f"the clock did not wait until {due}")
