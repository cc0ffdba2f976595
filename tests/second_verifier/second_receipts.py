"""Receipts of both forms, held against the record: what the post has signed about a letter."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.second_verifier.second_secrets import opened_moves
from tests.second_verifier.second_shapes import TURNS, is_moment
from tests.second_verifier.second_signing import key_at, keys_of, receipt_holds, short_name
from tests.second_verifier.second_writing import HASH

BEGINNINGS = {"pbm-receipt-1": 1, "pbm-receipt-2": 2}
OUTCOMES = {
    "played": r"(?:played )+",
    "done": "",
    "pencilled": "pencilled until ",
    "asked": "(?:rule )?",
    "refused": "rule ",
}
"""The lines that follow each outcome in the second form, by their names."""

EVENT = re.compile(r"[1-9][0-9]* [0-9a-f]{64}\Z")


class Finding(NamedTuple):
    """What a mail or a statement says otherwise than a record; no lie where a restored copy explains it."""

    is_fork: bool
    reason: str


def receipts(mail: Any) -> Any:
    """The receipts in a mail, each as a list of lines."""
    found: list[list[str]] = []
    for line in mail.lines:
        if line in BEGINNINGS:
            found.append([line])
        elif found and not found[-1][-1].startswith("signature "):
            found[-1].append(line)
    return found


def said_in(receipt: Any) -> Any:
    """What a receipt says, by the names of its lines; of several alike, the last."""
    return dict(line.partition(" ")[::2] for line in receipt)


def stands(said: Any, hashes: Any) -> Any:
    """Whether a number and a hash are those of an event of the record."""
    return len(said) == 2 and said[0].isdecimal() and hashes.get(int(said[0])) == said[1]


def parting(said: Any, events: Any) -> Any:
    """Where a history that knows this event parted from the record, at the last restored copy before it; or nothing."""
    if len(said) != 2 or not said[0].isdecimal():
        return None
    places = [event.seq for event in events if event.kind == "restored" and event.seq <= int(said[0])]
    return places[-1] if places and not stands(said, {event.seq: event.hash for event in events}) else None


def is_whole(receipt: Any) -> Any:
    """Whether a receipt of the second form has the lines that its outcome wants, each in its form."""
    names = "".join(f"{line.partition(' ')[0]} " for line in receipt[1:])
    said = said_in(receipt)
    if said.get("outcome") not in OUTCOMES:
        return False
    order = f"post number game seat letter mark received outcome {OUTCOMES[said['outcome']]}before after key signature "
    if not re.fullmatch(order, names) or not all(
        is_moment(said[name]) for name in ("received", "until") if name in said
    ):
        return False
    digests = all(HASH.match(said[name]) for name in ("letter", "mark"))
    return bool(digests and EVENT.match(said["before"]) and EVENT.match(said["after"]))


def is_signed(receipt: Any, events: Any) -> Any:
    """Whether the post has signed a receipt, with the key in force at the event that it names last.

    In a history that was lost the numbers of events are others: any key of the post will do there.
    """
    said = said_in(receipt)
    after = said.get("after", "").split(" ")
    if not after[0].isdecimal():
        return False
    lost = parting(after, events) is not None
    keys = [bytes.fromhex(key) for _, key in keys_of(events)] if lost else [key_at(events, int(after[0]))]
    named = said.get("key"), said.get("post", "")
    return any(named[0] == short_name(named[1], key).hex() and receipt_holds(receipt, key) for key in keys)


def contradicted_receipt(events: Any, receipt: Any) -> Iterator[Any]:
    """A receipt that is forged, that the record does not keep, or that a lost history has left."""
    said, hashes = said_in(receipt), {event.seq: event.hash for event in events}
    name = f"receipt {said.get('number')}"
    if BEGINNINGS[receipt[0]] != events[0].form or (events[0].form == 2 and not is_whole(receipt)):
        yield Finding(False, f"{name} is of another form, or broken")
        return
    if not is_signed(receipt, events):
        yield Finding(False, f"{name} is not signed by the post")
        return
    lost = False
    for end in ("before", "after"):
        known = said.get(end, "").split(" ")
        if stands(known, hashes):
            continue
        place = parting(known, events)
        lost = lost or place is not None
        yield Finding(
            place is not None,
            f"{name} knows an event that the record does not have" + (f": they part at {place}" if place else ""),
        )
    if not lost:
        yield from (Finding(False, f"{name} {reason}") for reason in contradicted_turns(events, receipt, said))


def contradicted_turns(events: Any, receipt: Any, said: Any) -> Iterator[Any]:
    """Turns that a receipt names and the record does not have, or the other way round."""
    turns = [event for event in events if event.kind in TURNS and event.data["letter"] == said["letter"]]
    played = [line.removeprefix("played ") for line in receipt if line.startswith("played ")]
    if events[0].form == 1 and said["outcome"] == "refused" and turns:
        yield "refuses a letter that was played"
    turns = [event for event in turns if event.seq <= int(said["after"].split(" ")[0])]
    if events[0].form == 2 and said["outcome"] != "played":
        if turns:
            yield f"says {said['outcome']} of a letter that was played"
        return
    if said["outcome"] in ("applied", "played") and len(turns) != len(played):
        yield f"names {len(played)} turns, and the record {len(turns)}"
    for event, phrase in zip(turns, played, strict=False):
        shown = {event.data["phrase"], opened_moves(event)}
        closed = any(seal.value is None for seal in event.sealed_moves)
        if event.data["seat"] != said["seat"] or (phrase not in shown and not closed):
            yield f"names a turn that is not there: {phrase}"
