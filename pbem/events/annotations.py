"""The proof inside a record: every event of the chain as an annotation, so that the text alone can be checked.

What an entry says already is not said again: the annotation behind it holds the rest of its event. Events that are no
entries stand above the entry that follows them, or at the end. docs/proof.md says what is written where.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.digest import canonical
from notation import ABOVE, ANNOTATION, Entry, Record, Remark, write_moves
from notation.headers import arrange
from pbem.events.chain import Event
from pbem.events.codec import encode
from pbem.events.kinds import (
    GameEnded,
    GameOpened,
    GamePaused,
    GameResumed,
    MovesMade,
    SeatResigned,
    SeatSubstituted,
    TurnUndone,
)
from pbem.proof.draws import Opening

VERSION: Final = "1"
HEADERS: Final = ("Proof", "SeedCommitment", "BlindCommitment")
EVENT: Final = "event"
SEALED: Final = "sealed"
HEAD: Final = "head"
SEED: Final = "seed"
BLIND: Final = "blind"
SIGNED: Final = "signed"
STATE: Final = "state"
DRAWN: Final = "drawn"
PROOF_ANNOTATIONS: Final = (EVENT, SEALED, DRAWN, HEAD, SEED, BLIND, SIGNED, STATE)
"""The annotations that a proof is made of."""

ENTRIES: Final = (MovesMade, TurnUndone, GamePaused, GameResumed, SeatResigned, SeatSubstituted, GameEnded)
"""The kinds of event that are entries of the record; all others stand between them."""


class Closing(NamedTuple):
    """What a record ends with: the head of the chain, the secrets once the game is over, and who signs."""

    seq: int
    head: str
    seed: str = ""
    blind: str = ""
    signed: tuple[str, str, str] | None = None
    """The post, its public key and the signature, both in hexadecimal digits."""


def signed_head(post: str, game: str, seq: int, head: str) -> bytes:
    """What the signature under a record signs."""
    return canonical(["pbm-record-1", post, game, seq, head])


def write_proof(
    record: Record,
    events: Sequence[Event],
    closing: Closing,
    *,
    openings: Callable[[Event], Iterable[Opening]],
    states: Sequence[str] = (),
    drawn: Mapping[int, Iterable[tuple[int, int, str]]] | None = None,
) -> Record:
    """The record with its proof. Its entries are those of the events, in their order, and bare.

    `openings` are what is open of an event, `states` the digests after each entry, and `drawn` what chance was asked
    for each event: an outcome, of how many, and what for.
    """
    entries: list[Entry] = []
    between: list[Remark] = []
    bare = iter(record.entries)
    for event in events:
        if not isinstance(event.payload, ENTRIES):
            between.append(_remark(ABOVE, _write_event(event, encode(event.payload))))
            between += (_remark(ABOVE, text) for text in _write_drawn(event, drawn))
            continue
        entry = next(bare)
        at = len(entry.moves)
        said = [f"{STATE} {states[len(entries)]}"] if states and isinstance(event.payload, MovesMade) else []
        said.append(_write_event(event, _rest(event, entry, record)))
        said += _write_drawn(event, drawn)
        opened = {opening.field: opening for opening in openings(event)}
        fields = event.sealed.fields if event.sealed is not None else ()
        for (name, _), commitment in zip(fields, event.commitments, strict=True):
            said.append(_write_sealed(name, commitment, opened.get(name)))
        remarks = (*between, *(_remark(at, text) for text in said))
        entries.append(entry._replace(remarks=remarks))
        between = []
    first = events[0].payload
    if not isinstance(first, GameOpened):
        raise TypeError("the first event opens no game")
    named = zip(HEADERS, (VERSION, first.promised["seed"], first.promised["blind"]), strict=True)
    afterword = (*between, *(_remark(ABOVE, text) for text in _write_closing(closing)))
    return Record(arrange([*record.headers, *named]), tuple(entries), afterword)


def _rest(event: Event, entry: Entry, record: Record) -> Mapping[str, Any]:
    """What an entry does not say of its event; a word of the table says too little to leave anything out."""
    data = encode(event.payload)
    if not isinstance(event.payload, MovesMade):
        return data
    game = record.game
    if game is None:
        raise ValueError("a record of an unknown game cannot be proved")
    said = {"seat": entry.who, "turn": entry.number, "phrase": write_moves(game, entry.moves)}
    return {name: value for name, value in data.items() if name not in said or said[name] != value}


def _write_event(event: Event, data: Mapping[str, Any]) -> str:
    written = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return f"{EVENT} {event.seq} {event.kind} {event.at} {written} {event.hash}"


def _write_drawn(event: Event, drawn: Mapping[int, Iterable[tuple[int, int, str]]] | None) -> Iterator[str]:
    if drawn and event.seq in drawn:
        yield f"{DRAWN} " + ", ".join(f"{outcome}/{count} {purpose}" for outcome, count, purpose in drawn[event.seq])


def _write_sealed(name: str, commitment: str, opening: Opening | None) -> str:
    shown = "" if opening is None else f" {opening.blinding} {json.dumps(opening.value)}"
    return f"{SEALED} {name} {commitment}{shown}"


def _write_closing(closing: Closing) -> Iterable[str]:
    yield f"{HEAD} {closing.seq} {closing.head}"
    if closing.seed:
        yield f"{SEED} {closing.seed}"
        yield f"{BLIND} {closing.blind}"
    if closing.signed is not None:
        yield " ".join((SIGNED, *closing.signed))


def written_length(text: str) -> int:
    """Characters that a text takes in the data of an event, as an annotation writes them."""
    written = json.dumps(text)
    return len(written) + written.count("\\") + written.count("]")


def _remark(at: int, text: str) -> Remark:
    return Remark(at, ANNOTATION, re.sub(r"([\\\]])", r"\\\1", text))


def parse_annotation(remark: Remark) -> tuple[str, str] | None:
    """The name of an annotation and what it says, or None if the remark is something else."""
    if remark.kind != ANNOTATION:
        return None
    name, _, said = re.sub(r"\\(.)", r"\1", remark.value).partition(" ")
    return name, said


def is_proof_annotation(remark: Remark) -> bool:
    """Whether a remark is part of a proof."""
    found = parse_annotation(remark)
    return found is not None and found[0] in PROOF_ANNOTATIONS
