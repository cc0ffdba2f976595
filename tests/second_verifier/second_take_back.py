"""Turns that players took back: all have agreed, or it was the player's own and nobody had acted since."""

from typing import Any

from tests.second_verifier.second_shapes import TURNS
from tests.second_verifier.second_writing import RecordError


def check_take_backs(events: Any) -> None:
    """Every `undone` by a seat is agreed or free, in a game that says so in its first event."""
    rule = events[0].data["proof"].get("undo")
    if rule not in (None, 1) or isinstance(rule, bool):
        raise RecordError("table", events[0].line, "there is no such rule about taking back")
    free: set[Any] = set()
    for at, event in enumerate(events):
        if event.kind != "undone":
            continue
        stands = standing(events[:at])
        gone = taken_back(stands, event.data)
        if "kept" in event.data and (rule is None or event.data["kept"] < 1 or not own_turn(gone, event.data)):
            raise RecordError("table", event.line, "moves are kept that cannot be kept")
        if rule is None or event.data["by"] not in events[0].data["seats"] or is_agreed(events, at):
            continue
        one = (event.data["by"], event.data["turn"])
        if one in free or not is_free(events, at, gone):
            raise RecordError("table", event.line, f"{one[0]} takes back turn {one[1]} without asking")
        free.add(one)


def standing(events: Any) -> Any:
    """The turns and draws that nothing has taken back."""
    stands: list[Any] = []
    for event in events:
        if event.kind in TURNS:
            stands.append(event)
        elif event.kind == "undone":
            gone = {each.seq for each in taken_back(stands, event.data)}
            stands = [each for each in stands if each.seq not in gone]
    return stands


def taken_back(stands: Any, data: Any) -> Any:
    """Of the moves that stand, those that going back takes: of its own turn all but the first that are kept."""
    own = [each for each in stands if each.data["turn"] == data["turn"]][data.get("kept", 0) :]
    later = [each for each in stands if each.data["turn"] > data["turn"]]
    return own + later


def own_turn(gone: Any, data: Any) -> Any:
    """Whether something of the turn itself is taken back."""
    return any(each.data["turn"] == data["turn"] for each in gone)


def is_agreed(events: Any, at: Any) -> Any:
    """Whether everybody with a voice has agreed since the seat asked, and nothing has ended the question."""
    data = events[at].data
    if "kept" in data:
        return False
    agreed: set[Any] = set()
    asked = False
    voices = set(events[0].data["seats"])
    for event in events[:at]:
        about = event.data.get("what") == "undo"
        if event.kind == "resigned":
            voices.discard(event.data["seat"])
        elif event.kind == "substituted":
            voices.add(event.data["seat"])
            agreed.discard(event.data["seat"])
        elif event.kind == "asked" and about:
            asked = (event.data["by"], event.data["turn"]) == (data["by"], data["turn"])
            agreed = {event.data["by"]}
        elif event.kind == "agreed" and about:
            agreed.add(event.data["by"])
        elif event.kind == "objected" and about:
            agreed.discard(event.data["by"])
        elif event.kind in (*TURNS, "undone") or (event.kind == "dropped" and about):
            asked = False
    return asked and voices <= agreed


def is_free(events: Any, at: Any, gone: Any) -> Any:
    """Whether the seat's own moves of that turn are taken back, and nobody else chose anything since the first."""
    data = events[at].data
    if not gone:
        return False
    first = min(each.seq for each in gone)
    for event in events[first - 1 : at]:
        if event.kind in ("dealt", "undone", "awaited"):
            return False
        if event.kind == "substituted" and event.data["seat"] == data["by"]:
            return False
        own = (event.data.get("seat"), event.data.get("turn"), event.data.get("by")) == (
            *(data["by"], data["turn"]),
            "player",
        )
        if event.kind == "played" and not own and (event.seq == first or event.data["by"] != "forced"):
            return False
    return True
