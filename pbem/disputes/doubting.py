"""Whether a letter in the database is the letter that came: held against all that names it.

Events hold its digest in the chain, the writer's receipt holds digest, time and outcome under a signature, and the
digest was noted at the door. Somebody who touches the database would let a page accuse a player of what he never
wrote; so the page says which of them contradict it.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbem.events.chain import Event
from pbem.proof.receipts import Receipt, read_receipts
from pbem.store.rows import LetterRow
from pbem.workflow.context import stamp


class Held(NamedTuple):
    """What came of holding a letter against what names it."""

    receipt: Receipt | None
    """What its writer was told, if the post has signed that."""
    genuine: bool
    """Whether its bytes are those that came."""
    doubts: tuple[str, ...]


def hold_letter(
    row: LetterRow, lines: Sequence[str], caused: Sequence[Event], events: Sequence[Event], key: bytes | None
) -> Held:
    """Hold a letter against its receipt, of these lines, and the events that it caused; `key` is the post's."""
    receipt = _read_receipt(lines, events, key)
    others = tuple(_say_other_bytes(row, receipt, caused))
    doubts = list(others)
    if lines and receipt is None:
        doubts.append("its receipt is NOT the one that the post has signed: it was changed, and is passed over")
    if receipt is not None:
        doubts += _say_other_words(row, receipt)
    return Held(receipt, not others, tuple(doubts))


def _read_receipt(lines: Sequence[str], events: Sequence[Event], key: bytes | None) -> Receipt | None:
    signed = next(read_receipts(lines), None)
    if signed is None or (key is not None and not signed.is_signed_by(key)):
        return None
    told = (signed.receipt.before, signed.receipt.after)
    known = all(0 < seq <= len(events) and events[seq - 1].hash == head for seq, head in told)
    return signed.receipt if known else None


def _say_other_bytes(row: LetterRow, receipt: Receipt | None, caused: Sequence[Event]) -> Iterator[str]:
    digest = hashlib.sha256(row.raw).hexdigest()
    named = [event for event in caused if event.data.get("letter")]
    if named and all(event.data["letter"] != digest for event in named):
        yield f"NOT the letter that came: event {named[0].seq} names the letter {named[0].data['letter']}"
    if receipt is not None and receipt.letter != digest:
        yield f"NOT the letter that came: its receipt is for the letter {receipt.letter}"
    if row.sha256 != digest:
        yield f"NOT the letter that came: its digest was {row.sha256} then"


def _say_other_words(row: LetterRow, receipt: Receipt) -> Iterator[str]:
    """What was noted of a letter against its receipt."""
    noted = {
        "received": (stamp(row.received_at), receipt.received),
        "for": (row.seat or "nobody", receipt.seat),
        "of the outcome": (row.state, receipt.outcome),
    }
    for name, (here, there) in noted.items():
        if here != there:
            yield f"NOT {name} {here}: its receipt, which is signed, says {there}"
