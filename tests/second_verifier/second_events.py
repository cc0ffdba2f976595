"""The events of a game, taken from the annotations of its record: each with all that the record tells of it."""

import re
from typing import Any, NamedTuple

from tests.second_verifier.second_reading import Annotation, Entry
from tests.second_verifier.second_writing import HASH, RecordError, read_json

EVENT = re.compile(
    r"([1-9][0-9]*) ([a-z]+) ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z) (\{.*\}) ([0-9a-f]{64})\Z"
)
SEALED = re.compile(r'(0|[1-9][0-9]*) ([0-9a-f]{64})(?: ([0-9a-f]{64}) (".*"))?\Z')
DRAWN = re.compile(r"(0|[1-9][0-9]*)/([1-9][0-9]*) (\S[^,]*)\Z")
STATE = re.compile(r"[0-9a-f]{32}\Z")
HEAD = re.compile(r"([1-9][0-9]*) ([0-9a-f]{64})\Z")
SIGNED = re.compile(r"(\S+) ([0-9a-f]{64}) ([0-9a-f]{128})\Z")

TURNS = ("played", "dealt")
KINDS = {
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
    **dict.fromkeys(("asked", "agreed", "objected", "dropped", "absence", "returned", "press", "extended"), ""),
    "awaited": "out round seat",
    "pulse": "round signature",
    **dict.fromkeys(("appealed", "ruled", "warranted", "closed"), ""),
}
"""The kinds of events, and what the data hold of those that say something about the record."""

NUMBERS, LISTS, OBJECTS = {"turn", "round"}, {"seats", "plies"}, {"headers", "names", "options", "proof", "terms"}

HIDDEN = re.compile(r"\bhidden\b")
WORDS = re.compile(r'"(?:[^"\\]|\\.)*"')


class Seal(NamedTuple):
    """A commitment in its event; blinding and value where it is open."""

    field: str
    commitment: str
    blinding: str | None
    value: str | None


class Event(NamedTuple):
    """Something that happened, with all that the record tells of it."""

    seq: int
    kind: str
    at: str
    data: dict[str, Any]
    hash: str
    line: int
    entry: Entry | None
    seals: tuple[Any, ...]
    draws: tuple[Any, ...]

    @property
    def moves(self) -> Any:
        """The moves of a turn one by one, as everybody may read them."""
        return self.data.get("plies", [self.data["phrase"]])

    @property
    def hidden(self) -> Any:
        """The places of the moves of which something is hidden."""
        return [str(place) for place, move in enumerate(self.moves) if HIDDEN.search(WORDS.sub("", move))]


class Ending(NamedTuple):
    """What stands at the end of a record: the head, the opened secrets, the signature."""

    head: tuple[Any, ...]
    seed: str | None
    blind: str | None
    signed: tuple[Any, ...] | None


def gather(body: Any) -> Any:
    """The events and the ending of a record; RecordError where its annotations cannot be read."""
    body = list(body)
    events: list[Any] = []
    last: dict[str, Any] = {}
    while body and isinstance(body[-1], Annotation) and body[-1].name in ("head", "seed", "blind", "signed"):
        last.setdefault(body[-1].name, body.pop())
    while body:
        piece = body.pop(0)
        if isinstance(piece, Entry):
            events.append(read_entry(piece))
            continue
        beside = [body.pop(0)] if body and isinstance(body[0], Annotation) and body[0].name == "drawn" else []
        events.append(read_event([piece, *beside], None))
    return events, read_ending(last, len(events))


def read_entry(entry: Any) -> Any:
    """The event of an entry: first the digest, if there is one, then the event and what belongs to it."""
    behind = entry.annotations
    if behind and behind[0].name == "state":
        if not STATE.match(behind[0].text):
            raise RecordError("annotations", entry.line, "this is no digest")
        behind = behind[1:]
    if not behind:
        raise RecordError("annotations", entry.line, "no event stands behind this entry")
    return read_event(behind, entry)


def read_event(pieces: Any, entry: Any) -> Any:
    """One event of its annotations, in their order: event, drawn, sealed."""
    line = pieces[0].line
    found = EVENT.match(pieces[0].text) if pieces[0].name == "event" else None
    if not found:
        raise RecordError("annotations", line, "this is no event")
    try:
        data = read_json(found[4])
    except (ValueError, RecursionError) as error:
        raise RecordError("annotations", line, f"the data of this event are not in canonical form: {error}") from error
    kind = found[2]
    if entry and kind in TURNS:
        said = {"seat": entry.who, "turn": entry.number, "phrase": entry.moves}
        if any(data.get(name) == value for name, value in said.items()):
            raise RecordError("annotations", line, "the data say again what the entry says")
        data = {**said, **data}
    if kind not in KINDS or not is_shaped(kind, data):
        raise RecordError("annotations", line, f"{kind} is nothing that happens, or has other data than these")
    pieces = pieces[1:]
    draws = read_draws(pieces.pop(0)) if pieces and pieces[0].name == "drawn" else ()
    return Event(int(found[1]), kind, found[3], data, found[5], line, entry, tuple(map(read_seal, pieces)), draws)


def is_shaped(kind: Any, data: Any) -> Any:
    """Whether the data of an event are what its kind must have, each of its sort."""
    named = set(KINDS[kind].split())
    if not named <= data.keys() or (named and data.keys() - named - ({"plies"} if kind in TURNS else set())):
        return False
    for name in (named | {"plies"}) & data.keys():
        value = data[name]
        if name in NUMBERS:
            fits = isinstance(value, int) and not isinstance(value, bool)
        elif name in LISTS:
            fits = isinstance(value, list) and all(isinstance(part, str) for part in value)
        elif name in OBJECTS:
            texts = value.values() if isinstance(value, dict) and name not in ("proof", "terms") else ()
            fits = isinstance(value, dict) and all(isinstance(part, str) for part in texts)
        else:
            fits = isinstance(value, str)
        if not fits:
            return False
    return kind != "opened" or data["names"].keys() == set(data["seats"])


def read_draws(piece: Any) -> Any:
    """What was drawn for an event: outcome, number of outcomes and purpose of each."""
    found = [DRAWN.match(one) for one in piece.text.split(", ")]
    if not all(found):
        raise RecordError("annotations", piece.line, "these are no draws")
    return tuple((int(one[1]), int(one[2]), one[3]) for one in found if one)


def read_seal(piece: Any) -> Any:
    """A sealed value, open or not."""
    found = SEALED.match(piece.text) if piece.name == "sealed" else None
    if not found:
        raise RecordError("annotations", piece.line, f"{piece.name} has no place here, or cannot be read")
    try:
        value = read_json(found[4]) if found[4] else None
    except ValueError as error:
        raise RecordError("annotations", piece.line, "an opened value is not in canonical form") from error
    return Seal(found[1], found[2], found[3], value)


def read_ending(last: Any, events: Any) -> Any:
    """The head, the secrets and the signature."""
    line = next(iter(last.values())).line if last else 1
    texts = {name: piece.text for name, piece in last.items()}
    head, signed = HEAD.match(texts.get("head", "")), SIGNED.match(texts["signed"]) if "signed" in texts else None
    secrets = [texts[name] for name in ("seed", "blind") if name in texts]
    if not events or not head or ("signed" in texts and not signed) or not all(map(HASH.match, secrets)):
        raise RecordError("annotations", line, "the end of the record cannot be read")
    return Ending((int(head[1]), head[2]), texts.get("seed"), texts.get("blind"), signed.groups() if signed else None)
