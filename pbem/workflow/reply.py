"""The answer to a letter: to its sender always one, and then to the others what he wrote to them and what he did."""

from collections.abc import Mapping
from contextlib import suppress

from engine.game import Seat
from pbem.events.chain import Event
from pbem.mail.writing import occasions
from pbem.store.rows import LetterRow, ReceiptRow
from pbem.store.transaction import Transaction
from pbem.tables.decision import ALL, REFEREE, Said
from pbem.tables.fold import BrokenHistoryError
from pbem.workflow.announce import gets_turn_mail
from pbem.workflow.announcing import tell_news, tell_notices
from pbem.workflow.context import Office
from pbem.workflow.handled import Handled
from pbem.workflow.identifying import Doubt
from pbem.workflow.observers import Observer, note_answer
from pbem.workflow.queue_mail import send, tell_observer, tell_referee
from pbem.workflow.receipting import give_receipt
from pbem.workflow.session import Desk


def answer(desk: Desk, sender: Seat, handled: Handled, row: LetterRow) -> None:
    """Answer a letter, pass words on, and tell the others what happened."""
    reply = occasions.Reply(
        handled.orders,
        tuple(handled.decisions),
        words=handled.letter.words,
        cut=handled.letter.cut,
        receipt=give_receipt(desk, sender, handled, row),
        after=() if gets_turn_mail(desk, sender, handled.followed, teller=sender) else _after(desk, handled),
        resumed=handled.followed.resumed.get(sender),
    )
    send(desk, sender, reply)
    for _, decision in handled.decisions:
        if decision.said is not None:
            _pass_on(desk, decision.said)
        tell_notices(desk, decision.notices)
    tell_news(desk, handled.followed, teller=sender)


def _after(desk: Desk, handled: Handled) -> tuple[Event, ...]:
    """What happened by itself after all that the letter itself has brought about."""
    return tuple(desk.news[sum(len(decision.drafts) for _, decision in handled.decisions) :])


def _pass_on(desk: Desk, said: Said) -> None:
    if said.to == REFEREE:
        tell_referee(desk, occasions.Words(said))
        return
    for seat in desk.table.seats if said.to == ALL else (said.to,):
        if seat != said.by:
            send(desk, seat, occasions.Words(said))


def tell_again(desk: Desk, seat: Seat, receipt: ReceiptRow | None) -> None:
    """A letter came twice: say how the table stands."""
    lines = tuple(receipt.text.splitlines()) if receipt is not None else ()
    send(desk, seat, occasions.Stands("same-letter" if receipt is not None else "nothing", lines))


def tell_doubt(office: Office, transaction: Transaction, doubt: Doubt, words: str) -> None:
    """Tell whoever sits in a seat about a letter that was not acted on, and what it says."""
    person = doubt.tell
    row = transaction.find_game(person.game) if person is not None else None
    if person is not None and row is not None:
        desk = Desk(office, transaction, row)
        send(desk, person.seat, occasions.Doubt(doubt.reason, words))
        desk.save()


def tell_watcher(office: Office, transaction: Transaction, watched: Mapping[str, Observer]) -> None:
    """Tell somebody who watches, once, that his letters are not acted on."""
    *_, (game, observer) = watched.items()
    row = transaction.find_game(game)
    if row is not None and not any(each.answered for each in watched.values()):
        with suppress(BrokenHistoryError):
            tell_observer(Desk(office, transaction, row), observer, occasions.Stands("watching"))
            note_answer(transaction, watched)
