"""The proof inside a record: every event of the chain as an annotation, so that the text alone can be checked.

An annotation behind an entry leaves out what the entry itself says. Events that are not entries are written above the
next entry, or at the end of the record. docs/proof.md defines the format.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.digest import canonical
from notation import ABOVE, ANNOTATION, Entry, Record, Remark, write_moves
from notation.headers import sort_headers
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
from pbem.events.post_kinds import MovePencilled, PlayerInvited
from pbem.proof.draws import Opening

HEADERS: Final = ("Proof", "SeedCommitment", "BlindCommitment")
PLAYER: Final = "Player."
"""How the header begins that has the id of the player in a seat, in the second form."""
EVENT: Final = "event"
SEALED: Final = "sealed"
TOLD: Final = "told"
WITHHELD: Final = "withheld"
HEAD: Final = "head"
SEED: Final = "seed"
BLIND: Final = "blind"
SIGNED: Final = "signed"
STATE: Final = "state"
DRAWN: Final = "drawn"
PROOF_ANNOTATIONS: Final = (EVENT, SEALED, TOLD, WITHHELD, DRAWN, HEAD, SEED, BLIND, SIGNED, STATE)
"""The annotations that a proof is made of."""

ENTRIES: Final = (MovesMade, TurnUndone, GamePaused, GameResumed, SeatResigned, SeatSubstituted, GameEnded)
"""The kinds of event that are entries of the record; all others stand between them."""


class Closing(NamedTuple):
    """How a record ends: the head of the chain, the secrets once the game is over, and the signature."""

    seq: int
    head: str
    seed: str = ""
    blind: str = ""
    signed: tuple[str, str, str] | None = None
    """The post, its public key and the signature, both in hexadecimal digits."""


def signed_head(post: str, game: str, seq: int, head: str) -> bytes:
    """The bytes that the signature under a record signs."""
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
    """The record with its proof; `record` has one entry, without remarks, for each event that is an entry.

    `openings` gives the hidden values of an event that the reader may see, `states` are the digests after each entry,
    and `drawn` lists the draws made for an event: the outcome, of how many, and the purpose.
    """
    entries: list[Entry] = []
    between: list[Remark] = []
    bare = iter(record.entries)
    for event in events:
        if not isinstance(event.payload, ENTRIES):
            between.append(_remark(ABOVE, _write_event(event, encode(event.payload, event.told))))
            between += (_remark(ABOVE, text) for text in (*_write_drawn(event, drawn), *_write_told(event)))
            continue
        entry = next(bare)
        at = len(entry.moves)
        said = [f"{STATE} {states[len(entries)]}"] if states and isinstance(event.payload, MovesMade) else []
        said.append(_write_event(event, _rest(event, entry, record)))
        said += _write_drawn(event, drawn)
        opened = {opening.field: opening for opening in openings(event)}
        for (name, _), commitment in zip(event.fields, event.commitments, strict=True):
            said.append(_write_sealed(name, commitment, opened.get(name)))
        said += _write_told(event)
        remarks = (*between, *(_remark(at, text) for text in said))
        entries.append(entry._replace(remarks=remarks))
        between = []
    first = events[0].payload
    if not isinstance(first, GameOpened):
        raise TypeError("the first event opens no game")
    people = {**(first.people or {})}
    for event in events:
        if isinstance(event.payload, PlayerInvited):
            people[event.payload.seat] = event.payload.person
    ids = ((f"{PLAYER}{seat}", person) for seat, person in people.items())
    named = zip(HEADERS, (str(first.form), first.commitment("seed"), first.commitment("blind")), strict=True)
    afterword = (*between, *(_remark(ABOVE, text) for text in _write_closing(closing)))
    return Record(sort_headers([*record.headers, *named, *ids]), tuple(entries), afterword)


def _rest(event: Event, entry: Entry, record: Record) -> Mapping[str, object]:
    """The data of an event that its entry does not say already; only moves can leave anything out."""
    data = encode(event.payload, event.told)
    if not isinstance(event.payload, MovesMade):
        return data
    game = record.game
    if game is None:
        raise ValueError("a record of an unknown game cannot be proved")
    said = {"seat": entry.who, "turn": entry.number, "phrase": write_moves(game, entry.moves)}
    return {name: value for name, value in data.items() if name not in said or said[name] != value}


def _write_event(event: Event, data: Mapping[str, object]) -> str:
    written = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return f"{EVENT} {event.seq} {event.kind} {event.at} {written} {event.hash}"


def _write_drawn(event: Event, drawn: Mapping[int, Iterable[tuple[int, int, str]]] | None) -> Iterator[str]:
    if drawn and event.seq in drawn:
        yield f"{DRAWN} " + ", ".join(f"{outcome}/{count} {purpose}" for outcome, count, purpose in drawn[event.seq])


def _write_sealed(name: str, commitment: str, opening: Opening | None) -> str:
    shown = "" if opening is None else f" {opening.blinding} {json.dumps(opening.value)}"
    return f"{SEALED} {name} {commitment}{shown}"


def _write_told(event: Event) -> Iterator[str]:
    """The sealed texts that are told; private words have no text here, and a pencilled move is its player's alone."""
    for name, told in event.told.items():
        if told.salt and told.text is not None and not isinstance(event.payload, MovePencilled):
            yield f"{TOLD} {event.seq} {name} {told.salt} {json.dumps(told.text)}"
    if event.withheld is not None:
        yield f"{WITHHELD} {event.seq} {event.withheld.digest} {event.withheld.signature}"


def _write_closing(closing: Closing) -> Iterable[str]:
    yield f"{HEAD} {closing.seq} {closing.head}"
    if closing.seed:
        yield f"{SEED} {closing.seed}"
        yield f"{BLIND} {closing.blind}"
    if closing.signed is not None:
        yield " ".join((SIGNED, *closing.signed))


def written_length(text: str) -> int:
    """How many characters a text takes in an annotation."""
    written = json.dumps(text)
    return len(written) + written.count("\\") + written.count("]")


def _remark(at: int, text: str) -> Remark:
    return Remark(at, ANNOTATION, re.sub(r"([\\\]])", r"\\\1", text))


def parse_annotation(remark: Remark) -> tuple[str, str] | None:
    """The name and the text of an annotation; None if the remark is not one."""
    if remark.kind != ANNOTATION:
        return None
    name, _, said = re.sub(r"\\(.)", r"\1", remark.value).partition(" ")
    return name, said


def is_proof_annotation(remark: Remark) -> bool:
    """Whether a remark is part of a proof."""
    found = parse_annotation(remark)
    return found is not None and found[0] in PROOF_ANNOTATIONS
