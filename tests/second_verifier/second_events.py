"""The events of a game, taken from the annotations of its record: each with all that the record tells of it."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.second_verifier.second_reading import Annotation, Entry
from tests.second_verifier.second_shapes import TURNS, form_of, is_moment, is_shaped, is_timed, taken_in
from tests.second_verifier.second_writing import HASH, RecordError, read_json

EVENT = re.compile(
    r"([1-9][0-9]*) ([a-z][a-z.-]*) ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z) (\{.*\}) ([0-9a-f]{64})\Z"
)
SEALED = re.compile(r'(0|[1-9][0-9]*|by) ([0-9a-f]{64})(?: ([0-9a-f]{64}) (".*"))?\Z')
TOLD = re.compile(r'([1-9][0-9]*) (\S+) ([0-9a-f]{64}) (".*")\Z')
WITHHELD = re.compile(r"([1-9][0-9]*) ([0-9a-f]{64}) ([0-9a-f]{128})\Z")
DRAWN = re.compile(r"(0|[1-9][0-9]*)/([1-9][0-9]*) (\S[^,]*)\Z")
STATE = re.compile(r"[0-9a-f]{32}\Z")
HEAD = re.compile(r"([1-9][0-9]*) ([0-9a-f]{64})\Z")
SIGNED = re.compile(r"(\S+) ([0-9a-f]{64}) ([0-9a-f]{128})\Z")

WITHHOLDABLE = ("opened", "substituted", "press", "appealed", "declined")
"""What holds a name or words in the first form."""

HIDDEN = re.compile(r"\bhidden\b")
WORDS = re.compile(r'"(?:[^"\\]|\\.)*"')


class Seal(NamedTuple):
    """A commitment in its event; blinding and value where it is open."""

    field: str
    commitment: str
    blinding: str | None
    value: str | None


class Told(NamedTuple):
    """A text that is sealed in an event of the second form, with its salt."""

    seq: int
    field: str
    salt: str
    text: str


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
    told: tuple[Any, ...] = ()
    form: int = 1
    is_timed: bool = False
    withheld: Any = None
    """The digest of what it said before a name or words were taken out, and the post's signature under what is left."""

    @property
    def moves(self) -> Any:
        """The moves of a turn one by one, as everybody may read them."""
        return self.data.get("plies", [self.data["phrase"]])

    @property
    def hidden(self) -> Any:
        """The places of the moves of which something is hidden."""
        return [str(place) for place, move in enumerate(self.moves) if HIDDEN.search(WORDS.sub("", move))]

    @property
    def fields(self) -> Any:
        """The fields of all that is sealed in this event: its hidden moves, and who prepared a player's own."""
        if self.kind not in TURNS:
            return []
        prepared = self.form == 2 and self.kind == "played" and self.data["by"] == "player"
        return [*self.hidden, *(["by"] if prepared else [])]

    @property
    def sealed_moves(self) -> Any:
        """The seals of moves, open or not: without that of who prepared them."""
        return [seal for seal in self.seals if seal.field != "by"]


class Ending(NamedTuple):
    """What stands at the end of a record: the head, the opened secrets, the signature."""

    head: tuple[Any, ...]
    seed: str | None
    blind: str | None
    signed: tuple[Any, ...] | None


def epochs(events: Any) -> Iterator[Any]:
    """How often the table had gone back, or the post to an older copy, before each event."""
    epoch = 0
    for event in events:
        yield epoch
        epoch += event.kind in ("undone", "restored")


def gather(body: Any) -> Any:
    """The events and the ending of a record; RecordError where its annotations cannot be read."""
    body = list(body)
    events: list[Any] = []
    last: dict[str, Any] = {}
    while body and isinstance(body[-1], Annotation) and body[-1].name in ("head", "seed", "blind", "signed"):
        last.setdefault(body[-1].name, body.pop())
    while body:
        piece, opened = body.pop(0), events[0] if events else None
        if isinstance(piece, Entry):
            events.append(read_entry(piece, opened))
            continue
        beside, names = [], {"drawn", "told", "withheld"}
        while body and isinstance(body[0], Annotation) and body[0].name in names:
            beside.append(body.pop(0))
            names = {"told", "withheld"}
        events.append(read_event([piece, *beside], None, opened))
    return events, read_ending(last, len(events))


def read_entry(entry: Any, opened: Any) -> Any:
    """The event of an entry: first the digest, if there is one, then the event and what belongs to it."""
    behind = entry.annotations
    if behind and behind[0].name == "state":
        if not STATE.match(behind[0].text):
            raise RecordError("annotations", entry.line, "this is no digest")
        behind = behind[1:]
    if not behind:
        raise RecordError("annotations", entry.line, "no event stands behind this entry")
    return read_event(behind, entry, opened)


def read_event(pieces: Any, entry: Any, opened: Any) -> Any:
    """One event of its annotations, in their order: event, drawn, sealed, told. The first says the form of all."""
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
    form = opened.form if opened else form_of(kind, data)
    timed = form == 2 and int(found[1]) > taken_in(opened.data if opened else data) and is_timed(kind, data)
    if form == 2 and not is_moment(found[3]):
        raise RecordError("annotations", line, "this happened at no moment")
    if form is None or not is_shaped(form, kind, data, timed=timed):
        raise RecordError("annotations", line, f"{kind} is nothing that happens, or has other data than these")
    pieces = pieces[1:]
    draws = read_draws(pieces.pop(0)) if pieces and pieces[0].name == "drawn" else ()
    withheld = read_withheld(pieces.pop()) if pieces and pieces[-1].name == "withheld" else None
    if withheld and (form != 1 or kind not in WITHHOLDABLE or withheld[0] != int(found[1])):
        raise RecordError("annotations", line, f"nothing is withheld so from {kind}")
    told: list[Any] = []
    while form == 2 and pieces and pieces[-1].name == "told":
        told.insert(0, read_told(pieces.pop()))
    seals = tuple(map(read_seal, pieces))
    kept = withheld and withheld[1:]
    return Event(
        int(found[1]), kind, found[3], data, found[5], line, entry, seals, draws, tuple(told), form, timed, kept
    )


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


def read_told(piece: Any) -> Any:
    """A text that somebody said, with the salt of its seal."""
    found = TOLD.match(piece.text)
    try:
        text = read_json(found[4]) if found else None
    except ValueError:
        text = None
    if not found or text is None:
        raise RecordError("annotations", piece.line, "what is told here cannot be read")
    return Told(int(found[1]), found[2], found[3], text)


def read_withheld(piece: Any) -> Any:
    """The number of an event of which not everything is shown, the digest of what it said, and a signature."""
    found = WITHHELD.match(piece.text)
    if not found:
        raise RecordError("annotations", piece.line, "what is withheld here cannot be read")
    return int(found[1]), found[2], found[3]


def read_ending(last: Any, events: Any) -> Any:
    """The head, the secrets and the signature."""
    line = next(iter(last.values())).line if last else 1
    texts = {name: piece.text for name, piece in last.items()}
    head, signed = HEAD.match(texts.get("head", "")), SIGNED.match(texts["signed"]) if "signed" in texts else None
    secrets = [texts[name] for name in ("seed", "blind") if name in texts]
    if not events or not head or ("signed" in texts and not signed) or not all(map(HASH.match, secrets)):
        raise RecordError("annotations", line, "the end of the record cannot be read")
    return Ending((int(head[1]), head[2]), texts.get("seed"), texts.get("blind"), signed.groups() if signed else None)
