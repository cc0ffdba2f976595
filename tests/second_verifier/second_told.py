"""What people are called and what they say: sealed in the events of the second form, told beside them or withheld."""

from typing import Any, NamedTuple

from tests.second_verifier.second_shapes import SAID, is_strange
from tests.second_verifier.second_writing import HASH, RecordError, canon, sha


class Withheld(NamedTuple):
    """How many sealed names, and how many sealed words and reasons, a record does not tell."""

    names: int
    words: int


def told_seal(salt: Any, game: Any, seq: Any, field: Any, text: Any) -> Any:
    """The seal of a text that somebody said."""
    return sha(b"\x04", salt, canon(["pbm-told-1", game, seq, field, text]))


def sealed_texts(event: Any) -> Any:
    """The seals of all that people say in an event, by field and in the order in which they are told.

    Any datum of a note may be one, and nothing shows which are: all are here that look like one.
    """
    data = event.data
    if event.form == 1:
        return {}
    if event.kind == "opened":
        return {f"name.{seat}": data["people"][seat]["name"] for seat in data["seats"]}
    if is_strange(event.kind):
        return {
            field: data[field] for field in sorted(data) if isinstance(data[field], str) and HASH.match(data[field])
        }
    field = SAID.get(event.kind, "")
    return {field: data[field]} if data.get(field) else {}


def is_private(event: Any) -> Any:
    """Whether what is sealed in an event is never told: words that are not for all, and moves that wait."""
    return event.kind == "note.pencilled" or (event.kind == "press" and event.data["to"] != "all")


def shown(event: Any, field: Any) -> Any:
    """What everybody reads in place of a sealed text: the text if it is told, or else a part of the seal."""
    if event.form == 1:
        return event.data[field]
    seal = sealed_texts(event)[field]
    word = "somebody" if field.partition(".")[0] == "name" else "withheld"
    return next((told.text for told in event.told if told.field == field), f"{word}-{seal[:8]}")


def sitting(events: Any) -> Any:
    """The id (none in the first form) and the name, as far as it is told, of who was asked last to take each seat."""
    opened = events[0].data
    if events[0].form == 1:
        return {seat: ("", opened["names"][seat]) for seat in opened["seats"]}
    people = {seat: (opened["people"][seat]["id"], shown(events[0], f"name.{seat}")) for seat in opened["seats"]}
    for event in events:
        if event.kind == "invited":
            people[event.data["seat"]] = (event.data["id"], shown(event, "name"))
    return people


def check_told(game: Any, events: Any) -> None:
    """Every text that is told is the one that was sealed, each in its place, and nothing private is told."""
    for event in events:
        seals = sealed_texts(event)
        fields = [told.field for told in event.told]
        if fields != [field for field in seals if field in fields]:
            raise RecordError("seals", event.line, f"event {event.seq} tells what is not sealed in it, or in disorder")
        if event.told and is_private(event):
            raise RecordError("seals", event.line, f"event {event.seq} tells what is not for all")
        for told in event.told:
            salt = bytes.fromhex(told.salt)
            true = told_seal(salt, game, event.seq, told.field, told.text).hex() == seals[told.field]
            if told.seq != event.seq or not told.text or not true:
                raise RecordError(
                    "seals", event.line, f"{told.field} of event {event.seq} was sealed as something else"
                )


def withheld(events: Any) -> Any:
    """What a record does not tell.

    What is private is not counted, nor what is sealed in strange notes, because it cannot be known for a seal.
    """
    names = words = 0
    for event in events:
        fields = {} if is_private(event) or is_strange(event.kind) else sealed_texts(event)
        for field in fields.keys() - {told.field for told in event.told}:
            names, words = names + field.startswith("name"), words + (not field.startswith("name"))
    return Withheld(names, words)
