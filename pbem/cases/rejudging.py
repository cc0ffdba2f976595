"""A letter read and judged again at the table that it met: whether it does now what it did then."""

from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from typing import Final

from engine.chance import Dealer
from engine.game import Seat
from pbem.clerk.incoming.handled import Handled
from pbem.clerk.incoming.handling import NO_TURN
from pbem.intake import Letter
from pbem.ledger.event import Draft, Event
from pbem.orders import commands
from pbem.orders.reading import read_orders
from pbem.proof.receipts import mark_letter
from pbem.tables.chance.beacons import BY_CHANCE
from pbem.tables.deciding import Moment, decide
from pbem.tables.folding import foresee
from pbem.tables.pending import find_pending
from pbem.tables.table import PLAYING, Table

BLINDED: Final = "words_sha256"
"""What depends on a secret of the post that is never opened: the digest of words for somebody."""


def rejudge(
    table: Table, seat: Seat, letter: Letter, *, digest: str, dealer: Dealer, now: datetime, secret: bytes = b""
) -> Handled:
    """Read a letter again, and let its commands happen one after the other at the table that it met."""
    pending = find_pending(table, seat)
    orders = read_orders(letter.words, game=table.game, playing=table.stage == PLAYING, pending=pending)
    handled = Handled(letter, orders)
    if handled.orders.question is not None:
        return handled
    moment = Moment(now, dealer, letter=digest, mark=mark_letter(letter.message_id), secret=secret)
    for command in handled.orders.commands:
        if isinstance(command, commands.Play) and command.turn is None and letter.ticket is not None:
            turn = letter.ticket.turn if letter.ticket.epoch == table.epoch else NO_TURN
            command = commands.Play(command.text, turn)
        decision = decide(table, seat, command, moment)
        handled.decisions.append((command, decision))
        table = foresee(table, decision.drafts)
    return handled


def code_of(handled: Handled) -> str:
    """The code of the rule that stands against a letter, or nothing."""
    return "" if handled.was_carried_out else handled.why_not


def drafts_of(handled: Handled) -> list[Draft]:
    """All that a letter lets happen."""
    return [draft for _, decision in handled.decisions for draft in decision.drafts]


def first_difference(
    drafts: Iterable[Draft],
    happened: Sequence[Event],
    *,
    chance: bool,
    blinded: bool = False,
    closed: Container[int] = (),
) -> int | None:
    """The number of the first event that is not what a letter lets happen; None if all are.

    Without the seed (`chance` False) nothing can be said from the first draw on; `blinded` passes over digests of
    words. Of events that are `closed`, given by number, only what everybody reads is compared.
    """
    for at, draft in enumerate(drafts):
        if not chance and (draft.kind in ("started", "dealt") or draft.data.get("by") in BY_CHANCE):
            return None
        if at >= len(happened):
            return happened[-1].seq + 1 if happened else 0
        event = happened[at]
        whole = event.seq not in closed
        said, known = (_shown(each, blinded=blinded, whole=whole) for each in (draft, event))
        if event.kind != draft.kind or said != known:
            return event.seq
    return None


def _shown(event: Draft | Event, *, blinded: bool, whole: bool) -> dict[str, object]:
    data = dict(event.data)
    if blinded:
        data.pop(BLINDED, None)
    if event.sealed is not None and whole:
        data["phrase"] = event.sealed.phrase
    return data
