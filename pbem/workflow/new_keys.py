"""What a new key means for games: those that go on say so in their chain, or ask again under new reply addresses."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pbem.events.chain import Draft
from pbem.events.post_kinds import KeyReplaced
from pbem.mail.writing.occasions import TurnMail
from pbem.proof.signatures import Signer, new_key_message
from pbem.store.store import Transaction
from pbem.tables.table import INVITING, PLAYING
from pbem.workflow import announce, history
from pbem.workflow.context import PostContext
from pbem.workflow.queue_mail import queue_for_seat
from pbem.workflow.session import GameSession

_POST: Final = "post"


def announce_key(context: PostContext, new: Signer, old: Signer | None) -> Iterator[str]:
    """Write the new key into every game that goes on and can say so, and into the log; all of it, or nothing."""
    key = new.public.hex()
    context = replace(context, signer=new, older_signers=_with_older(context))
    with context.store.transaction() as transaction:
        for session in _going_on(context, transaction):
            if not session.table.is_second_form or not session.table.key:
                continue
            said = new_key_message(new.name, session.row.id, session.table.seq + 1, key)
            signature = old.sign(said).hex() if old is not None else ""
            session.apply_events([Draft(KeyReplaced(key, signature, by=_POST))])
            announce.notify_events(session)
            session.save()
            yield session.row.id
        signature = old.sign(new_key_message(new.name, "", 0, key)).hex() if old is not None else ""
        history.log_key(context, transaction, key, signature)


def _with_older(context: PostContext) -> tuple[Signer, ...]:
    return (*context.older_signers, *([context.signer] if context.signer is not None else []))


def ask_again(context: PostContext) -> Iterator[str]:
    """Mail everybody from whom something is wanted, with a reply address of the new key."""
    with context.store.transaction() as transaction:
        for session in _going_on(context, transaction):
            if session.row.stage == INVITING:
                announce.send_invitations(session)
            for seat in session.table.due:
                if seat in session.people:
                    queue_for_seat(session, seat, TurnMail(announce.events_since_turn(session, seat)))
            session.save()
            yield session.row.id


def _going_on(context: PostContext, transaction: Transaction) -> Iterator[GameSession]:
    """The games that are being prepared or played."""
    for row in transaction.games():
        if row.stage in (INVITING, PLAYING):
            yield GameSession(context, transaction, row)
