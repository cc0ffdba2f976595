"""The course of a table in the second form: who is asked to sit, when it is called off, who was asked to move and when.

What can be told without the rules of a game: not whose turn it was, but that a seat was not asked for a move before it
had made the one before.
"""

from itertools import pairwise
from typing import Any

from tests.second_verifier.second_counts import Counting
from tests.second_verifier.second_shapes import CASES, NOTE, SECOND, TALK
from tests.second_verifier.second_take_back import check_take_backs
from tests.second_verifier.second_writing import RecordError

ASKS_NOBODY = {
    *("opened", "invited", "accepted", "declined", "called-off", "awaited", "pulse", "press", "restored", "rekeyed"),
    *TALK,
    *CASES,
}
"""Kinds of events after which nobody is to move who was not before."""

ENDS_ONE = ("played", "resigned", "substituted", "note.erased", "note.pencilled")
ENDS_ALL = ("paused", "undone", "restored", "ended")
"""What ends the waiting of a seat's letter, and of all letters."""


def check_course(events: Any) -> None:
    """The table fills, starts or is called off, and says truly when each move was asked for."""
    if events[0].form == 1:
        return
    seats = Seats(events[0].data["seats"])
    started = 0
    for event in events:
        if event.kind in ("invited", "accepted", "declined", "called-off") and started:
            raise RecordError("table", event.line, f"{event.kind} cannot come after the start")
        if event.kind == "called-off" and event is not events[-1]:
            raise RecordError("table", event.line, "something happens after the game was called off")
        if event.kind in ("invited", "accepted", "declined") and not seats.change(event):
            raise RecordError("table", event.line, f"{event.data['seat']} cannot be {event.kind} now")
        if event.kind == "started":
            if seats.accepted != set(events[0].data["seats"]):
                raise RecordError("table", event.line, "the game started before all had accepted")
            started = started or event.seq
        if event.is_timed:
            check_time(event, events, started)
    check_take_backs(events)
    check_pencils(events)
    check_offers(events)
    check_seats_handed_on(events)
    check_forced(events)
    check_excuses(events)


def check_excuses(events: Any) -> None:
    """Only an answer that was missed can be excused, and only once."""
    counting = Counting(events[0].data)
    for event in events[1:]:
        if wrong := counting.read(event):
            raise RecordError("table", event.line, wrong)


def check_offers(events: Any) -> None:
    """A player who names a time for an offer has just made it, and the time is to come."""
    for before, event in pairwise(events):
        if event.kind != "note.offered":
            continue
        made = (before.data.get("seat"), before.data.get("turn"))
        if before.kind != "played" or made != (event.data["seat"], event.data["turn"]):
            raise RecordError("table", event.line, "the time belongs to no offer")
        if event.data["until"] < event.at:
            raise RecordError("table", event.line, "the time of an offer is past")


def check_seats_handed_on(events: Any) -> None:
    """A player looks for a successor once, until one comes or the player stays; whoever has left looks for none."""
    offered, lent, gone = set[str](), set[str](), set[str]()
    for event in events:
        seat = event.data.get("seat")
        if event.kind == "note.seat-offered" and seat in offered | gone:
            raise RecordError("table", event.line, f"the seat {seat} cannot be offered now")
        if event.kind == "note.seat-kept" and seat not in offered:
            raise RecordError("table", event.line, f"the seat {seat} was not offered")
        if event.kind == "note.delegated" and seat in lent | gone:
            raise RecordError("table", event.line, f"nobody else can play {seat} now")
        if event.kind == "note.delegation-ended" and seat not in lent:
            raise RecordError("table", event.line, f"nobody else plays {seat}")
        if event.kind == "note.delegated":
            lent.add(seat)
        elif event.kind in ("note.delegation-ended", "substituted", "resigned", "ended"):
            lent.discard(seat)
        if event.kind == "note.seat-offered":
            offered.add(seat)
        elif event.kind in ("note.seat-kept", "substituted", "resigned"):
            offered.discard(seat)
        if event.kind == "resigned":
            gone.add(seat)
        elif event.kind == "substituted":
            gone.discard(seat)


def check_forced(events: Any) -> None:
    """Where all have agreed to it, one open move at a time is made for a seat that has but one, and needs no letter."""
    first, gone, pencils = events[0].data, set[str](), set[str]()
    rolls_only = first["game"] in ("brotherhood", "brotherhood-base")
    for event in events:
        data, seat = event.data, event.data.get("seat")
        if event.kind == "played" and data["by"] == "forced":
            if first["terms"].get("forced") != "play":
                raise RecordError("table", event.line, "nobody has agreed to forced moves here")
            if data["letter"] or "plies" in data or event.sealed_moves or seat in gone | pencils:
                raise RecordError("table", event.line, "this move cannot have been forced")
            if rolls_only and data["phrase"] != "roll":
                raise RecordError("table", event.line, "only a roll can be forced")
        if event.kind == "resigned":
            gone.add(seat)
        elif event.kind == "substituted":
            gone.discard(seat)
        if event.kind == "note.pencilled":
            pencils.add(seat)
        elif event.kind in ENDS_ONE:
            pencils.discard(seat)
        elif event.kind in ENDS_ALL:
            pencils.clear()


def check_pencils(events: Any) -> None:
    """What waits is played while it waits or never, and the clock spares whoever waits for the first time in a turn."""
    seats, waiting, counted, over = events[0].data["seats"], dict[str, Any](), dict[str, Any](), set[str]()
    playing = False
    for event in events:
        data, seat, letter = event.data, event.data.get("seat"), event.data.get("letter")
        stranger = "seat" in data and seat not in seats
        if event.kind.startswith("note.") and event.kind in SECOND and (stranger or not playing):
            raise RecordError("table", event.line, "nobody plays here whose letter could wait")
        if event.kind == "note.pencilled" and data["until"] < event.at:
            raise RecordError("table", event.line, "a letter waits for what is past")
        if event.kind == "note.erased" and waiting.get(seat, (None, None))[0] != letter:
            raise RecordError("table", event.line, "this letter does not wait")
        if event.kind == "played" and letter in over:
            raise RecordError("table", event.line, "a letter is played that must not be any more")
        late = data["seats"][-1] if event.kind == "ended" and data["seats"] else seat
        if event.is_timed and data.get("by") != "player" and waiting.get(late, (None, False))[1]:
            raise RecordError("table", event.line, f"the clock did not wait for the letter of {late}")
        ends = [seat] if event.kind in ENDS_ONE else list(waiting) if event.kind in ENDS_ALL else []
        for gone in (waiting.pop(each) for each in ends if each in waiting):
            over |= {gone[0]} - ({letter} if event.kind == "played" else set())
        if event.kind in ("undone", "restored", "ended"):
            counted = {}
        if event.kind == "substituted":
            counted.pop(seat, None)
        if event.kind == "note.pencilled":
            waiting[seat] = (letter, counted.get(seat) != data["turn"])
            counted[seat] = data["turn"]
        playing = (playing or event.kind == "started") and event.kind != "ended"


class Seats:
    """Who has accepted, and which seats are free: from a `declined` until somebody else is invited."""

    def __init__(self, seats: Any) -> None:
        self.seats, self.accepted, self.free = set(seats), set[str](), set[str]()

    def change(self, event: Any) -> Any:
        """Let somebody be asked to take a seat, take it, or leave it; whether that can be."""
        seat, free = event.data["seat"], event.data["seat"] in self.free
        if seat not in self.seats or free != (event.kind == "invited"):
            return False
        if event.kind == "accepted":
            if seat in self.accepted:
                return False
            self.accepted.add(seat)
        elif event.kind == "declined":
            self.free.add(seat)
            self.accepted.discard(seat)
        else:
            self.free.discard(seat)
        return True


def check_time(event: Any, events: Any, started: Any) -> None:
    """A seat was asked after the start, by something that asks, and has not moved since; the clock has waited."""
    asked, due, by_player = event.data["asked"], event.data["due"], event.data.get("by") == "player"
    if due and not by_player and event.at < due:
        raise RecordError("table", event.line, f"the clock did not wait until {due}")
    if asked == 0 and by_player:
        return
    if not started or not started <= asked < event.seq:
        raise RecordError("table", event.line, f"nobody was asked to move by event {asked} before event {event.seq}")
    cause = events[asked - 1]
    if cause.kind in ASKS_NOBODY or NOTE.match(cause.kind):
        raise RecordError("table", event.line, f"event {asked} asks nobody to move")
    since = {later.data["seat"] for later in events[asked : event.seq - 1] if later.kind == "played"}
    seats = event.data["seats"] if event.kind == "ended" else [event.data["seat"]]
    if not seats or seats[-1] in since:
        raise RecordError("table", event.line, f"the seat has moved since event {asked}")
