"""What a record with a proof says beyond its moves: who sealed it, whether that holds, what players said to all."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.game import Seat
from notation import Record, write_record
from pbem.events.kinds import PressSent
from pbem.judging.entries import PROOF
from pbem.render.players import show_name
from pbem.tables.decision import ALL
from pbem.verify.check_record import verify_text
from pbem.verify.finding import Finding
from pbem.verify.read_proof import read_proof


class Seal(NamedTuple):
    """The seal of a record: the number of its events, their head, the post that signed, and whether it is believed."""

    events: int
    head: str
    post: str
    believed: bool | None
    """None where that cannot be checked here."""


class Said(NamedTuple):
    """Words of a player to all."""

    seat: Seat
    words: str


def read_seal(record: Record) -> Seal | None:
    """The seal of a record, checked as `pbem verify --remarks` does; None if it has none that can be read."""
    proof = read_proof(record, 1) if record.header(PROOF) is not None else None
    if proof is None or isinstance(proof, Finding):
        return None
    signed = proof.closing.signed
    post = show_name(signed[0], longest=120) if signed is not None else ""
    return Seal(proof.closing.seq, proof.closing.head, post, _is_believed(record))


def _is_believed(record: Record) -> bool | None:
    from pbem.proof.public_beacon import UncheckedBeaconError  # it is seldom needed

    try:
        return all(each.is_good for each in verify_text(write_record(record), remarks=True))
    except UncheckedBeaconError:
        return None


def said_by_entry(record: Record) -> Mapping[int, list[Said]]:
    """What players said to all, by the entry that came next, counted from 0; words that are not told are left out."""
    found: dict[int, list[Said]] = {}
    for order, said in _said(record):
        found.setdefault(order, []).append(said)
    return found


def _said(record: Record) -> Iterator[tuple[int, Said]]:
    proof = read_proof(record, 1) if record.header(PROOF) is not None else None
    if proof is None or isinstance(proof, Finding):
        return
    order = 0
    for recorded in proof.recorded:
        payload = recorded.event.payload
        if recorded.entry is not None:
            order += 1
        elif isinstance(payload, PressSent) and payload.to == ALL and payload.words:
            yield order, Said(payload.sender, payload.words)
