"""The receipt for a letter that was handled: what became of it, signed and kept."""

import hashlib

from engine.game import Seat
from pbem.proof.receipts import APPLIED, REFUSED, Receipt, mark_letter, sign_receipt
from pbem.store.rows import LetterRow
from pbem.workflow.context import stamp
from pbem.workflow.handled import Handled
from pbem.workflow.session import Desk


def give_receipt(desk: Desk, sender: Seat, handled: Handled, row: LetterRow) -> tuple[str, ...]:
    """Write, sign and keep the receipt for a letter; its lines, or none at a post that cannot sign."""
    signer = desk.office.signer
    lines: tuple[str, ...] = ()
    if signer is not None:
        receipt = Receipt(
            post=signer.name,
            # The number of the mail it comes with: one that counted all receipts would tell of other people's letters.
            number=desk.people[sender].mails_sent + 1,
            game=desk.row.id,
            seat=sender,
            letter=hashlib.sha256(row.raw).hexdigest(),
            mark=mark_letter(handled.letter.message_id),
            received=stamp(row.received_at),
            outcome=APPLIED if handled.was_carried_out else REFUSED,
            rule="" if handled.was_carried_out else handled.why_not,
            played=tuple(
                draft.phrase
                for _, decision in handled.decisions
                for draft in decision.drafts
                if draft.kind == "played" and draft.data["seat"] == sender
            ),
            before=(desk.before.seq, desk.before.head),
            after=(desk.table.seq, desk.table.head),
            key=signer.key_id,
        )
        lines = sign_receipt(receipt, signer)
    desk.transaction.add_receipt(row.id, desk.transaction.next_receipt_number(), "\n".join(lines))
    return lines
