"""Who is told what: the mails that follow from what happened on a desk, composed to the last byte and queued.

A player always gets one answer to a letter. The others hear of it as they chose, and whoever has become due gets
a turn mail whatever he chose. Everything is made from the reader's own view, by the composer.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.game import Seat
from pbem.clerk.desk import Desk
from pbem.clerk.handled import Handled
from pbem.clerk.identifying import Doubt
from pbem.clerk.office import Office
from pbem.intake import reply_address, subject_tag
from pbem.ledger.event import Event
from pbem.letters import occasions
from pbem.letters.occasions import Occasion
from pbem.letters.people import Correspondent, Slip
from pbem.store.rows import NewMail, ReceiptRow
from pbem.store.transaction import Transaction
from pbem.tables.decision import ALL, REFEREE, Decision, Notice, Said
from pbem.tables.table import OVER, PLAYING

EACH: Final = "each"
DAILY: Final = "daily"
ALWAYS: Final = ("asked", "objected", "undone", "paused", "resumed", "resigned", "substituted", "declined", "extended")
"""Events that everybody hears of at once, however few mails he wants, unless he wants one a day."""


def invite(desk: Desk) -> None:
    """Invite everybody at a new table."""
    for seat in desk.table.seats:
        send(desk, seat, occasions.Invitation())


def announce(desk: Desk, sender: Seat, handled: Handled, *, inbox_id: int) -> None:
    """Answer a letter, pass words on, and tell the others what happened."""
    reply = occasions.Reply(
        handled.orders, tuple(handled.decisions), words=handled.letter.words, cut=handled.letter.cut
    )
    send(desk, sender, reply)
    number = desk.transaction.next_receipt_number()
    desk.transaction.add_receipt(inbox_id, number, desk.people[sender].name)
    for _, decision in handled.decisions:
        if decision.said is not None:
            _pass_on(desk, decision.said)
        tell_notices(desk, decision.notices)
    tell_news(desk, teller=sender, dropped=handled.dropped)


def tell_news(desk: Desk, *, teller: Seat | None = None, dropped: dict[Seat, Decision] | None = None) -> None:
    """Tell everybody what happened on a desk; `teller` has been answered already."""
    if not desk.news:
        return
    if desk.table.stage == OVER:
        for seat in desk.table.seats:
            send(desk, seat, occasions.GameOver(since(desk, seat)))
        return
    for seat in desk.table.seats:
        if _has_become_due(desk, seat):
            why = (dropped or {}).get(seat)
            send(desk, seat, occasions.Turn(since(desk, seat), dropped=_say_why(why) if why else ""))
        elif seat != teller and (news := _news_for(desk, seat)):
            send(desk, seat, occasions.News(news))


def _has_become_due(desk: Desk, seat: Seat) -> bool:
    table, before = desk.table, desk.before
    if table.stage != PLAYING or seat not in table.due:
        return False
    return seat not in before.due or (table.turn, table.epoch) != (before.turn, before.epoch)


def _news_for(desk: Desk, seat: Seat) -> tuple[Event, ...]:
    """What a reader wants to hear of at once."""
    choice = desk.people[seat].notices
    others = tuple(event for event in desk.news if event.data.get("seat") != seat and event.kind != "press")
    if choice == EACH:
        return others
    return () if choice == DAILY else tuple(event for event in others if event.kind in ALWAYS)


def _say_why(decision: Decision) -> str:
    if decision.refused is not None:
        return decision.refused.detail
    ruling = decision.ruling
    return ruling.verdict.detail if ruling is not None and ruling.verdict is not None else ""


def since(desk: Desk, seat: Seat) -> tuple[Event, ...]:
    """What happened after a seat's last turn, or after the beginning if it has had none."""
    last = 0
    for event in desk.events:
        if event.kind == "started" or (event.kind == "played" and event.data["seat"] == seat):
            last = event.seq
    return tuple(desk.events[last:])


def remind(desk: Desk, seat: Seat) -> None:
    """Remind a player of the deadline."""
    send(desk, seat, occasions.Reminder(since(desk, seat)))


def write_digests(desk: Desk) -> list[Seat]:
    """The day's words to those who want them so, if anything happened."""
    told = []
    for seat, person in tuple(desk.people.items()):
        fresh = tuple(event for event in desk.events if event.seq > person.last_seen_seq)
        if person.notices == DAILY and fresh:
            send(desk, seat, occasions.Digest(fresh))
            told.append(seat)
    return told


def tell_again(desk: Desk, seat: Seat, receipt: ReceiptRow | None) -> None:
    """A letter came twice: say how the table stands."""
    send(desk, seat, occasions.Stands("same-letter" if receipt is not None else "nothing"))


def tell_doubt(office: Office, transaction: Transaction, doubt: Doubt, words: str) -> None:
    """Tell whoever sits in a seat about a letter that was not acted on, and what it says."""
    person = doubt.tell
    row = transaction.find_game(person.game) if person is not None else None
    if person is not None and row is not None:
        desk = Desk(office, transaction, row)
        send(desk, person.seat, occasions.Doubt(doubt.reason, words))
        desk.save()


def _pass_on(desk: Desk, said: Said) -> None:
    if said.to == REFEREE:
        tell_referee(desk, occasions.Words(said))
        return
    for seat in desk.table.seats if said.to == ALL else (said.to,):
        if seat != said.by:
            send(desk, seat, occasions.Words(said))


def tell_notices(desk: Desk, notices: Iterable[Notice]) -> None:
    """Tell people what they have to hear besides the events."""
    for notice in notices:
        told = occasions.Notice(notice.kind, notice.data)
        if notice.to == REFEREE:
            tell_referee(desk, told)
        else:
            for seat in desk.table.seats if notice.to == ALL else (notice.to,):
                send(desk, seat, told)


def tell_failures(office: Office, transaction: Transaction) -> list[tuple[str, str]]:
    """Tell the referee about mails that could never be sent; the games and seats concerned."""
    failed = transaction.untold_failures()
    told = []
    for mail in failed:
        row = transaction.find_game(mail.game) if mail.game else None
        if row is not None:
            desk = Desk(office, transaction, row)
            tell_referee(desk, occasions.Notice("bounces", {"seat": mail.seat}))
            told.append((row.id, mail.seat or ""))
    transaction.mark_told([mail.id for mail in failed])
    return told


def tell_referee(desk: Desk, occasion: Occasion) -> None:
    """A mail to the referee, if there is one."""
    office, address = desk.office, desk.office.settings.post.referee
    if address is None:
        return
    reader = Correspondent(REFEREE, address, office.settings.post.language, office.settings.time.zone)
    number = desk.transaction.next_mail_number(address)
    slip = Slip(REFEREE, reader, number, office.settings.post.address, desk.now)
    _queue(desk, slip, occasion, seat=None)


def send(desk: Desk, seat: Seat, occasion: Occasion) -> None:
    """Compose a mail to a seat and queue it; held while mails to it come back."""
    person = desk.people[seat]
    number = person.mails_sent + 1
    desk.change_person(seat, mails_sent=number, last_seen_seq=desk.table.seq)
    reader = Correspondent(person.name, person.address, person.language, person.zone, person.plain)
    reply_to, tag = _way_back(desk, seat)
    _queue(desk, Slip(seat, reader, number, reply_to, desk.now, tag), occasion, seat=seat)


def _way_back(desk: Desk, seat: Seat) -> tuple[str, str]:
    """Where an answer goes, and what the subject must say if the address cannot."""
    identity, table = desk.office.identity, desk.table
    key, turn, epoch = identity.ticket_key, table.turn, table.epoch
    if desk.office.settings.post.plus_addressing:
        return reply_address(key, identity.address, game=table.id, seat=seat, turn=turn, epoch=epoch), ""
    return identity.address, subject_tag(key, game=table.id, seat=seat, turn=turn, epoch=epoch)


def _queue(desk: Desk, slip: Slip, occasion: Occasion, *, seat: Seat | None) -> None:
    due: Sequence[Seat] = desk.table.due
    deadlines = {each: deadline for each in due if (deadline := desk.deadline(each)) is not None}
    mail = desk.office.composer.compose(desk.table, slip, occasion, deadlines)
    picture = (len(mail.before), len(mail.before) + len(mail.picture)) if mail.picture else None
    row = NewMail(mail.message_id, mail.to, mail.kind, mail.raw, desk.row.id, seat, shared=picture)
    desk.transaction.enqueue([row], held=seat is not None and desk.people[seat].paused)
