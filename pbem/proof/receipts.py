"""Receipts: what the post did with a letter, signed, for its sender.

Refusals have receipts too, so a letter without any receipt was never handled.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from engine.digest import canonical
from pbem.proof.signatures import SignedNote, Signer, read_event, read_notes, sign_note

FORM: Final = "pbm-receipt-1"
APPLIED: Final = "applied"
REFUSED: Final = "refused"


def mark_letter(message_id: str | None) -> str:
    """The digest by which a sender recognises a letter: it is taken of the Message-ID."""
    return hashlib.sha256(canonical(["pbm-letter-1", message_id or ""])).hexdigest()


class Receipt(NamedTuple):
    """What a post says it did with a letter. Digests and heads are hexadecimal digits."""

    post: str
    number: int
    game: str
    seat: str
    letter: str
    """The digest of the letter's bytes as they came."""
    mark: str
    """The digest of what the sender's own copy has as well: see docs/proof.md."""
    received: str
    outcome: str
    rule: str
    """The rule that a refused letter broke."""
    played: tuple[str, ...]
    """The moves that stand because of the letter, in full."""
    before: tuple[int, str]
    """The game's last event before the letter, and its hash."""
    after: tuple[int, str]
    key: str

    def lines(self) -> list[str]:
        """What is signed, line by line."""
        return [
            FORM,
            f"post {self.post}",
            f"number {self.number}",
            f"game {self.game}",
            f"seat {self.seat}",
            f"letter {self.letter}",
            f"mark {self.mark}",
            f"received {self.received}",
            f"outcome {self.outcome}",
            *([f"rule {self.rule}"] if self.rule else []),
            *(f"played {phrase}" for phrase in self.played),
            f"before {self.before[0]} {self.before[1]}",
            f"after {self.after[0]} {self.after[1]}",
            f"key {self.key}",
        ]


def sign_receipt(receipt: Receipt, signer: Signer) -> tuple[str, ...]:
    """The lines of a receipt with its signature."""
    return sign_note(receipt.lines(), signer)


class FoundReceipt(NamedTuple):
    """A receipt that was read, and the signed note it stood in."""

    receipt: Receipt
    note: SignedNote

    def is_signed_by(self, public: bytes) -> bool:
        """Whether the key's owner signed it."""
        return self.note.is_signed_by(public)


def read_receipts(lines: Iterable[str]) -> Iterator[FoundReceipt | None]:
    """The receipts among some lines, unfolded and without bars; None for a malformed one."""
    return (None if note is None else _read(note) for note in read_notes(lines, FORM))


def _read(note: SignedNote) -> FoundReceipt | None:
    values = note.values
    try:
        receipt = Receipt(
            post=values["post"],
            number=int(values["number"]),
            game=values["game"],
            seat=values["seat"],
            letter=values["letter"],
            mark=values["mark"],
            received=values["received"],
            outcome=values["outcome"],
            rule=values.get("rule", ""),
            played=tuple(line.removeprefix("played ") for line in note.lines if line.startswith("played ")),
            before=read_event(values["before"]),
            after=read_event(values["after"]),
            key=values["key"],
        )
    except (KeyError, ValueError):
        return None
    return FoundReceipt(receipt, note) if tuple(receipt.lines()) == note.lines else None
