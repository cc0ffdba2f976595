"""The envelope: header, parts and seal around what was laid out."""

from collections.abc import Sequence
from email.utils import format_datetime

from pbem.mail.marks import OWN
from pbem.mail.writing.blocks import Picture
from pbem.mail.writing.encoded_lines import Galley, Proven
from pbem.mail.writing.mail import Mail
from pbem.mail.writing.mime import (
    CRLF,
    Field,
    attachment,
    field,
    join_parts,
    join_pieces,
    mailbox_field,
    text_field,
    text_part,
    write_fields,
)
from pbem.mail.writing.page import Page, Pen
from pbem.mail.writing.people import Post, Slip
from pbem.mail.writing.proofs import proof_fields
from pbem.mail.writing.seal import seal
from pbem.mail.writing.threads import mail_name, thread_root
from pbem.render.names import show_name


def enclose(post: Post, pen: Pen, page: Page, *, subject: str, text: Sequence[Galley], html: Sequence[Galley]) -> Mail:
    """The mail, sealed. `html` is empty for readers who want text alone."""
    slip, table = pen.slip, pen.table
    name = mail_name(post, table.id, slip.seat, slip.number)
    board = next((block.board for block in page.blocks if isinstance(block, Picture)), None) if html else None
    # The picture is ours alone and the same in many mails; its bytes need no second look.
    picture = Proven(board.part if board is not None else b"")
    body = text_part("plain", text)
    token = name[1:25]
    if html:
        seen = text_part("html", html)
        seen = join_parts("related", token, [seen, picture]) if picture.raw else seen
        body = join_parts("alternative", token, [body, seen])
    if page.record:
        body = join_parts("mixed", token, [body, attachment(page.record, name=f"{table.id}.turns")])
    fields = [*_fields(post, pen, page, subject, name), *body.fields]
    pieces = (write_fields(fields) + CRLF, *body.pieces)
    seal(pieces, fields, body.limits)
    at = pieces.index(picture) if picture.raw else len(pieces)
    before, after = join_pieces(pieces[:at]), join_pieces(pieces[at + 1 :])
    return Mail(slip.to.address, page.kind, slip.seat, name, before, picture.raw, after)


def _fields(post: Post, pen: Pen, page: Page, subject: str, name: str) -> list[Field]:
    slip, table = pen.slip, pen.table
    root = thread_root(post, table.id, slip.seat)
    return [
        mailbox_field("From", post.name, post.address),
        mailbox_field("To", show_name(slip.to.name), slip.to.address),
        mailbox_field("Reply-To", "", slip.reply_to),
        text_field("Subject", subject),
        field("Date", format_datetime(slip.date)),
        field("Message-ID", name),
        field("In-Reply-To", root),
        field("References", root),
        # RFC 3834: whether a letter was answered, or the post speaks by itself.
        field("Auto-Submitted", "auto-replied" if page.answers else "auto-generated"),
        field("X-Auto-Response-Suppress", "All"),
        field(OWN, post.address),
        field("List-Id", f"<{table.id}.{post.domain}>"),
        *(field("List-Unsubscribe", f"<{pen.link('', order).address}>") for order in _fewer_letters(slip)),
        *proof_fields(pen),
        field("MIME-Version", "1.0"),
    ]


def _fewer_letters(slip: Slip) -> tuple[str, ...]:
    """The order that brings a reader fewer letters, for a button of his mail program; none if he gets the fewest."""
    if not slip.takes_answers or slip.to.notices == "daily":
        return ()
    return ("notify daily" if slip.to.notices == "turn" else "notify turn",)
