"""What a mail proves: receipts, promises and opened values, for the reader to keep. Programs read them again.

They stand last on a page, in lines of a name and a value each, the same in every language.
"""

from collections.abc import Iterator
from dataclasses import replace

from pbem.mail.writing.blocks import Block, Fixed, Heading
from pbem.mail.writing.mime import Field, field
from pbem.mail.writing.occasions import Invitation, Occasion, Reply, Stands
from pbem.mail.writing.page import Page, Pen

HEAD = "X-Caravan-Head"
CHECKPOINT = "X-Caravan-Checkpoint"


def add_proofs(pen: Pen, page: Page, occasion: Occasion) -> Page:
    """The page with what it proves."""
    proofs = tuple(_proofs(pen, occasion))
    return replace(page, blocks=page.blocks + proofs) if proofs else page


def _proofs(pen: Pen, occasion: Occasion) -> Iterator[Block]:
    proof = pen.table.proof
    if isinstance(occasion, Invitation) and proof:
        yield Heading(pen.say("title_promised"))
        yield Fixed(
            (f"promised {pen.table.id} seed {proof['seed']}", f"promised {pen.table.id} blind {proof['blind']}")
        )
    if pen.slip.openings:
        yield Heading(pen.say("title_opened"))
        opened = (
            f"opened {pen.table.id} {seq} {name} {blind} {value}" for seq, name, value, blind in pen.slip.openings
        )
        yield Fixed(tuple(opened))
    if isinstance(occasion, Reply | Stands) and occasion.receipt:
        yield Heading(pen.say("title_receipt"))
        yield Fixed(occasion.receipt)


def proof_fields(pen: Pen) -> Iterator[Field]:
    """The headers by which a mail bears witness: the game's head, and the log of all games."""
    checkpoint = pen.slip.checkpoint
    if checkpoint is not None:
        yield field(HEAD, f"{pen.table.id} {pen.table.seq} {pen.table.head}")
        yield field(CHECKPOINT, checkpoint.line)


def footnote(pen: Pen) -> str:
    """The log of all games and the key, as people see them under a mail."""
    checkpoint = pen.slip.checkpoint
    return f"log {checkpoint.size} {checkpoint.root} key {checkpoint.key_id}" if checkpoint is not None else ""
