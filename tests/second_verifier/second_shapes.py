"""What the data of every kind of event hold, in the first form of the proof and in the second."""

import re
from datetime import datetime
from typing import Any

from tests.second_verifier.second_writing import HASH

TURNS = ("played", "dealt")

TALK = ("asked", "agreed", "objected", "dropped", "absence", "returned", "extended")
CASES = ("appealed", "ruled", "warranted", "closed")
"""Kinds that change nothing in a record: in the first form nobody need understand their data."""

FIRST = {
    "opened": "game headers names options proof rules seats terms",
    "accepted": "entropy_sha256 letter seat",
    "declined": "reason seat",
    "started": "options",
    "played": "by letter phrase seat turn",
    "dealt": "by letter phrase seat turn",
    "undone": "by turn",
    "paused": "by reason",
    "resumed": "by reason",
    "resigned": "by seat",
    "substituted": "by name seat",
    "ended": "kind reason result seats",
    "awaited": "out round seat",
    "pulse": "round signature",
    **dict.fromkeys((*TALK, *CASES, "press"), ""),
}
"""The kinds of events, and what the data hold of those that say something about the record."""

SECOND = {
    **FIRST,
    "opened": "game headers options people proof rules seats terms",
    "invited": "by id name seat",
    "called-off": "by reason",
    "substituted": "by id name seat",
    "press": "from to words",
    "asked": "by turn what",
    **dict.fromkeys(("agreed", "objected", "dropped"), "by what"),
    "absence": "first last seat",
    "returned": "first seat",
    "extended": "by length reason",
    "appealed": "by case turn words",
    "ruled": "by case reason ruling turn",
    "warranted": "by case reason seat",
    "closed": "by case",
    "restored": "by reason",
    "rekeyed": "by key signature",
    "note.pencilled": "letter move seat turn until",
    "note.erased": "letter seat",
    "note.offered": "seat turn until",
    "note.seat-offered": "seat",
    "note.seat-kept": "seat",
    "note.delegated": "first id last name seat",
    "note.delegation-ended": "seat",
    "note.excused": "by event reason seat",
    "note.changed": "by new old reason term",
}

OPTIONAL = {"played": {"plies"}, "dealt": {"plies"}, "asked": {"reveals"}, "undone": {"kept"}}
"""Data that not every event of a kind has."""

SAID = {
    **dict.fromkeys(("invited", "substituted", "note.delegated"), "name"),
    **dict.fromkeys(("press", "appealed"), "words"),
    **dict.fromkeys(("declined", "called-off", "ended", "extended", "ruled", "warranted", "restored"), "reason"),
    "note.pencilled": "move",
    "note.excused": "reason",
    "note.changed": "reason",
}
"""The datum of a kind that is sealed in the second form, because people say it; the names in `opened` besides."""

NUMBERS, LISTS = {"turn", "round", "asked", "case", "kept", "event"}, {"seats", "plies"}
OBJECTS = {"headers", "names", "options", "people", "proof", "terms"}
OWN = ("player", "clock", "chance", "referee", "forced", "record")
"""Who plays in the second form: what a player has prepared is not told apart."""

NOTE = re.compile(r"note\.[a-z-]+\Z")
PERSON = re.compile(r"[a-z2-7]{12}\Z")
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z\Z")
SIGNATURE = re.compile(r"(?:[0-9a-f]{128})?\Z")


def is_strange(kind: Any) -> Any:
    """Whether a kind changes nothing and is not told on the page: then its data are its own affair."""
    return bool(NOTE.match(kind)) and kind not in SECOND


def form_of(kind: Any, data: Any) -> Any:
    """The form of the proof of a game that begins with this event; nothing, if there is no such form."""
    proof = data.get("proof") if kind == "opened" else None
    if not isinstance(proof, dict) or "form" not in proof:
        return 1
    return 2 if proof["form"] == 2 and not isinstance(proof["form"], bool) else None


def taken_in(opened: Any) -> Any:
    """How many events were taken in from another record, as the data of the first event say."""
    proof = opened.get("proof")
    many = proof.get("taken_in", 0) if isinstance(proof, dict) else 0
    return many if isinstance(many, int) else 0


def is_timed(kind: Any, data: Any) -> Any:
    """Whether an event of the second form tells since when its seat was asked, and how much time it had."""
    clock = (kind, data.get("kind" if kind == "ended" else "by"))
    return clock in {("played", "player"), ("played", "clock"), ("resigned", "clock"), ("ended", "time")}


def is_shaped(form: Any, kind: Any, data: Any, *, timed: Any) -> Any:
    """Whether the data of an event are what its kind must have, each of its sort; with asked and due if `timed`."""
    if form == 2 and is_strange(kind):
        return True
    named = (FIRST if form == 1 else SECOND).get(kind)
    if named is None:
        return False
    must, may = set(named.split()), OPTIONAL.get(kind, set()) - ({"kept"} if form == 1 else set())
    if timed:
        must |= {"asked", "due"}
    if not must <= data.keys() or (must and data.keys() - must - may):
        return False
    if not all(is_sort(name, data[name]) for name in (must | may) & data.keys()):
        return False
    if form == 1:
        return kind != "opened" or data["names"].keys() == set(data["seats"])
    return is_second(kind, data)


def is_sort(name: Any, value: Any) -> Any:
    """Whether a datum is the sort of thing that its name says."""
    if name in NUMBERS:
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "reveals":
        return isinstance(value, bool)
    if name in LISTS:
        return isinstance(value, list) and all(isinstance(part, str) for part in value)
    if name in OBJECTS:
        texts = value.values() if isinstance(value, dict) and name not in ("people", "proof", "terms") else ()
        return isinstance(value, dict) and all(isinstance(part, str) for part in texts)
    return isinstance(value, str)


def is_second(kind: Any, data: Any) -> Any:
    """What the second form wants besides: sealed names and words, moves without words, ids, moments and keys."""
    if kind == "opened":
        return data["people"].keys() == set(data["seats"]) and all(map(is_person, data["people"].values()))
    if kind in ("invited", "substituted", "note.delegated"):
        return is_person({"id": data["id"], "name": data["name"]})
    if kind in ("note.pencilled", "note.erased") and not HASH.match(data["letter"]):
        return False
    if kind == "note.pencilled":
        return bool(HASH.match(data["move"])) and is_moment(data["until"])
    if kind == "note.offered":
        return is_moment(data["until"])
    if kind in SAID and not is_said(data.get(SAID[kind])):
        return False
    if kind in TURNS and any('"' in move for move in (data["phrase"], *data.get("plies", ()))):
        return False
    if kind == "played" and data["by"] not in OWN:
        return False
    if kind == "rekeyed":
        return bool(HASH.match(data["key"]) and SIGNATURE.match(data["signature"]))
    return not data.get("due") or is_moment(data["due"])


def is_person(person: Any) -> Any:
    """Whether this is somebody's id and sealed name, and nothing else."""
    if not isinstance(person, dict) or person.keys() != {"id", "name"}:
        return False
    return all(
        isinstance(person[name], str) and form.match(person[name]) for name, form in (("id", PERSON), ("name", HASH))
    )


def is_said(words: Any) -> Any:
    """Whether this is the seal of words, or says that there were none."""
    return words == "" or (isinstance(words, str) and bool(HASH.match(words)))


def is_moment(text: Any) -> Any:
    """Whether this is a moment that there is, as events write it."""
    if not MOMENT.match(text):
        return False
    try:
        datetime.strptime(text.replace("Z", "+0000"), "%Y-%m-%dT%H:%M:%S%z")
    except ValueError:
        return False
    return True
