"""A pass over a post at which nothing waits: what is done then takes a small part of what loading the games takes.

`pbem tick` is run every few minutes, and most often finds nothing. Here is looked whether that is so. Whatever is in
doubt is left to a whole pass, which looks at everything itself.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from pbem.proof.public_log import read_checkpoint
from pbem.proof.signatures import Signer
from pbem.service.post_folder import LightContext, open_light
from pbem.service.water_mark import keep_mark, refuse_rollback
from pbem.settings.sections import Settings
from pbem.store.store import (
    CHECKPOINT,
    EVIDENCE,
    FORGET_AT_END,
    GOODBYE,
    HELD,
    LAST_PACKING,
    LAST_SWEEP,
    LAST_TICK,
    PACK_EVERY,
    SWEEP_EVERY,
    Transaction,
)
from pbem.workflow.forgotten_people import remembered_people


def pass_idly(settings: Settings) -> bool:
    """Do all that a pass over the post does at which nothing waits; if something does, nothing is done."""
    with open_light(settings) as context:
        refuse_rollback(settings, context.store)
        with context.store.transaction() as transaction:
            if any(_what_waits(context, transaction)):
                return False
            transaction.save_setting(LAST_TICK, context.now().isoformat())
        keep_mark(settings, context.store)
    return True


def _what_waits(context: LightContext, transaction: Transaction) -> Iterator[object]:
    """Everything that a whole pass would have something to do with, as true values, what is found soonest first."""
    now, settings = context.now(), context.settings
    # The clock went back, or time must be given back; old mails are to be deleted or packed.
    for what, every in ((LAST_TICK, settings.time.outage), (LAST_SWEEP, SWEEP_EVERY), (LAST_PACKING, PACK_EVERY)):
        last = transaction.load_setting(what)
        yield last is None or not timedelta() <= now - datetime.fromisoformat(last) < every
    yield transaction.next_received()
    yield transaction.letters_not_looked_at(1)
    yield transaction.letters_in("waiting")
    yield transaction.due_clocks(now)
    yield transaction.due_notices(now)
    yield transaction.unreported_failures()
    yield transaction.bonds_to("", FORGET_AT_END)
    for beginning in (HELD, GOODBYE, EVIDENCE):
        yield any(transaction.load_settings(beginning).values())
    yield remembered_people(settings, transaction)
    yield not _has_same_key(settings, transaction)


def _has_same_key(settings: Settings, transaction: Transaction) -> bool:
    """Whether the last checkpoint was signed with the key of the settings, as far as there are both."""
    last, key = read_checkpoint(transaction.load_setting(CHECKPOINT) or ""), settings.post.signing_key
    if last is None or key is None:
        return True
    return last.is_signed_by(Signer(settings.post.address, bytes.fromhex(key.reveal())).public)
