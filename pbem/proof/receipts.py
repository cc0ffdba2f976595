"""Receipts: what became of a letter, signed, for whoever wrote it.

A receipt is a few lines of a name and a value each, the last of them the signature under the others. Mail may fold
its lines at blanks; a reader joins them again. Refusals have receipts too, so that silence proves itself.
"""

import base64
import binascii
import hashlib
import textwrap
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from engine.digest import canonical
from pbem.proof.signing import Signer, is_signed

FORM: Final = "pbm-receipt-1"
_SIGNATURE: Final = "signature"
_HALF: Final = 44
"""Signs of a signature on one line: a whole one is too long for a mail."""

APPLIED: Final = "applied"
REFUSED: Final = "refused"


def mark_letter(message_id: str | None) -> str:
    """The digest by which a sender knows his own letter again: it is taken of what his program named it."""
    return hashlib.sha256(canonical(["pbm-letter-1", message_id or ""])).hexdigest()


class Receipt(NamedTuple):
    """What a post says that it did with a letter. Digests and heads are hexadecimal digits."""

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
    """The lines of a receipt, signature and all."""
    lines = receipt.lines()
    signature = base64.b64encode(signer.sign(_message(lines))).decode("ascii")
    return (*lines, f"{_SIGNATURE} {' '.join(textwrap.wrap(signature, _HALF))}")


def _message(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


class Signed(NamedTuple):
    """A receipt as it was found, and the lines that its signature is under."""

    receipt: Receipt
    message: bytes
    signature: bytes

    def is_signed_by(self, public: bytes) -> bool:
        """Whether the key's owner signed it."""
        return is_signed(public, self.message, self.signature)


def read_receipts(lines: Iterable[str]) -> Iterator[Signed | None]:
    """The receipts among some lines, unfolded and without bars; None for one that is broken."""
    gathered: list[str] = []
    for line in lines:
        if line == FORM:
            gathered = [line]
        elif gathered:
            if line.startswith(f"{_SIGNATURE} "):
                yield _read(gathered, line)
                gathered = []
            else:
                gathered.append(line)


def _read(lines: list[str], last: str) -> Signed | None:
    named = [line.partition(" ") for line in lines[1:]]
    values = {name: value for name, _, value in named}
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
            played=tuple(value for name, _, value in named if name == "played"),
            before=_event(values["before"]),
            after=_event(values["after"]),
            key=values["key"],
        )
        signature = base64.b64decode("".join(last.split()[1:]), validate=True)
    except (KeyError, ValueError, binascii.Error):
        return None
    return Signed(receipt, _message(lines), signature) if receipt.lines() == lines else None


def _event(text: str) -> tuple[int, str]:
    seq, head = text.split(" ")
    return int(seq), head
