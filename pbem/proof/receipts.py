"""Receipts: what the post did with a letter, signed, for its sender.

Refusals have receipts too, so a letter without any receipt was never handled.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from engine.digest import canonical
from pbem.proof.signatures import SignedNote, Signer, read_event, read_notes, sign_note

FORMS: Final = {1: "pbm-receipt-1", 2: "pbm-receipt-2"}
"""How a receipt begins, by the form of proof of its game."""
APPLIED: Final = "applied"
REFUSED: Final = "refused"
PLAYED: Final = "played"
DONE: Final = "done"
PENCILLED: Final = "pencilled"
ASKED: Final = "asked"
OUTCOMES: Final = {1: (APPLIED, REFUSED), 2: (PLAYED, DONE, PENCILLED, ASKED, REFUSED)}
"""What a receipt may say that became of a letter, by form."""
_LATER: Final = (ASKED, REFUSED)
"""The outcomes of a letter of which nothing came, or not yet."""


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
    form: int = 1
    """The form of proof of the game."""
    pencilled: str = ""
    """The turn that was read and will be played later."""
    until: str = ""
    """Until when the player may object to it."""

    @property
    def was_carried_out(self) -> bool:
        """Whether something came of the letter."""
        return self.outcome not in _LATER

    @property
    def may_have_played(self) -> bool:
        """Whether the receipt names all turns that stand because of the letter; the others say that none does."""
        return self.outcome in (APPLIED, PLAYED)

    @property
    def is_well_formed(self) -> bool:
        """Whether it has the lines that its outcome wants, and no others."""
        if self.outcome not in OUTCOMES.get(self.form, ()):
            return self.form == 1  # the first form never looked at this
        if self.form == 1:
            return not self.pencilled and not self.until
        pencilled = self.outcome == PENCILLED
        return (
            bool(self.played) == (self.outcome == PLAYED)
            and bool(self.pencilled) == bool(self.until) == pencilled
            and (bool(self.rule) == (self.outcome == REFUSED) or self.outcome == ASKED)
        )

    def lines(self) -> list[str]:
        """What is signed, line by line."""
        return [
            FORMS[self.form],
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
            *([f"pencilled {self.pencilled}", f"until {self.until}"] if self.pencilled else []),
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
    forms = {name: form for form, name in FORMS.items()}
    for note in read_notes(lines, *forms):
        yield None if note is None else _read(note, forms[note.lines[0]])


def _read(note: SignedNote, form: int) -> FoundReceipt | None:
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
            form=form,
            pencilled=values.get("pencilled", "") if form > 1 else "",
            until=values.get("until", "") if form > 1 else "",
        )
    except (KeyError, ValueError):
        return None
    is_good = receipt.is_well_formed and tuple(receipt.lines()) == note.lines
    return FoundReceipt(receipt, note) if is_good else None
