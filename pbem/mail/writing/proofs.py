"""What a mail proves: receipts, promises and opened values for the reader to keep, and the headers beside them.

They stand at the very end of the text part, a name and a value on each line, the same in every language. `pbem.verify`
reads them again in a player's mailbox. The HTML part says in one line that they are there.
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
from pbem.mail.writing.blocks import Block, Heading, Paragraph, Preformatted
from pbem.mail.writing.mime import OutField, ascii_field
from pbem.mail.writing.occasions import InvitationMail, Occasion, ReplyMail, TurnMail, UnchangedMail
from pbem.mail.writing.page import MailContext, Page


def add_proofs(context: MailContext, page: Page, occasion: Occasion) -> Page:
    """The page with the lines that it proves something by, if there are any."""
    return replace(page, proofs=tuple(_proofs(context, occasion)))


def _proofs(context: MailContext, occasion: Occasion) -> Iterator[Block]:
    has_all = isinstance(occasion, ReplyMail) and occasion.asks_proof
    if isinstance(occasion, InvitationMail):
        yield from promises(context)
    answered = occasion.reply if isinstance(occasion, TurnMail) else occasion
    if not has_all:
        yield from opened_values(context)
    if isinstance(answered, ReplyMail | UnchangedMail) and answered.receipt:
        yield Heading(context.say("title_receipt"))
        yield Preformatted(answered.receipt)
    if not has_all:
        yield from state_of_history(context)


def promises(context: MailContext) -> Iterator[Block]:
    """What the post has committed itself to before anybody accepted."""
    proof = context.table.proof
    if proof:
        yield Heading(context.say("title_promised"))
        promised = (Promise(context.table.id, secret, str(proof[secret])) for secret in ("seed", "blind"))
        yield Preformatted(tuple(map(format_promise, promised)))


def opened_values(context: MailContext) -> Iterator[Block]:
    """Hidden values that this mail opens to its reader."""
    if context.envelope.openings:
        yield Heading(context.say("title_opened"))
        opened = (
            OpenedValue(context.table.id, seq, name, blinding, value)
            for seq, name, value, blinding in context.envelope.openings
        )
        yield Preformatted(tuple(map(format_opened, opened)))


def state_of_history(context: MailContext) -> Iterator[Block]:
    """How long the game's history is and the hash of its last event, and the state of the log of all games."""
    yield Paragraph(context.say("chained", context.table.seq))
    checkpoint = context.envelope.checkpoint
    log = [f"log {checkpoint.size} {checkpoint.root} key {checkpoint.key_id}"] if checkpoint is not None else []
    yield Preformatted((context.table.head, *log))


def proof_fields(context: MailContext) -> Iterator[OutField]:
    """The header fields that prove something: the game's last event, and the state of the log of all games."""
    checkpoint = context.envelope.checkpoint
    if checkpoint is not None:
        yield ascii_field(HEAD_HEADER, format_head(context.table.id, context.table.seq, context.table.head))
        yield ascii_field(CHECKPOINT_HEADER, checkpoint.line)
