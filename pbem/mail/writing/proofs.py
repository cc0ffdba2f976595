"""What a mail proves: receipts, promises and opened values for the reader to keep, and the headers beside them.

They stand last on a page, a name and a value on each line, the same in every language. `pbem.verify` reads them again.
"""

from collections.abc import Iterator
from dataclasses import replace

from pbem.mail.format import (
    CHECKPOINT_HEADER,
    HEAD_HEADER,
    OpenedValue,
    Promise,
    format_head,
    format_opened,
    format_promise,
)
from pbem.mail.writing.blocks import Block, Fixed, Heading
from pbem.mail.writing.mime import OutField, field
from pbem.mail.writing.occasions import InvitationMail, Occasion, ReplyMail, UnchangedMail
from pbem.mail.writing.page import MailWriter, Page


def add_proofs(pen: MailWriter, page: Page, occasion: Occasion) -> Page:
    """The page with what it proves."""
    proofs = tuple(_proofs(pen, occasion))
    return replace(page, blocks=page.blocks + proofs) if proofs else page


def _proofs(pen: MailWriter, occasion: Occasion) -> Iterator[Block]:
    proof = pen.table.proof
    if isinstance(occasion, InvitationMail) and proof:
        yield Heading(pen.say("title_promised"))
        promises = (Promise(pen.table.id, secret, proof[secret]) for secret in ("seed", "blind"))
        yield Fixed(tuple(map(format_promise, promises)))
    if pen.envelope.openings:
        yield Heading(pen.say("title_opened"))
        opened = (
            OpenedValue(pen.table.id, seq, name, blinding, value)
            for seq, name, value, blinding in pen.envelope.openings
        )
        yield Fixed(tuple(map(format_opened, opened)))
    if isinstance(occasion, ReplyMail | UnchangedMail) and occasion.receipt:
        yield Heading(pen.say("title_receipt"))
        yield Fixed(occasion.receipt)


def proof_fields(pen: MailWriter) -> Iterator[OutField]:
    """The headers by which a mail bears witness: the game's head, and the log of all games."""
    checkpoint = pen.envelope.checkpoint
    if checkpoint is not None:
        yield field(HEAD_HEADER, format_head(pen.table.id, pen.table.seq, pen.table.head))
        yield field(CHECKPOINT_HEADER, checkpoint.line)


def footnote(pen: MailWriter) -> str:
    """The log of all games and the key, as people see them under a mail."""
    checkpoint = pen.envelope.checkpoint
    return f"log {checkpoint.size} {checkpoint.root} key {checkpoint.key_id}" if checkpoint is not None else ""
