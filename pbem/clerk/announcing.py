"""Who is told what: the mails that follow from what happened on a desk, composed to the last byte and queued.

A player always gets one answer to a letter. The others hear of it as they chose, and whoever has become due gets
a turn mail whatever he chose. Everything is made from the reader's own view, by the composer.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

from engine.game import Ply, Seat
from pbem.clerk.desk import Desk
from pbem.clerk.following import Followed
from pbem.clerk.handled import Handled
from pbem.clerk.identifying import Doubt
from pbem.clerk.observing import observers_at
from pbem.clerk.office import Office
from pbem.clerk.proving import prove_text
from pbem.clerk.receipting import give_receipt
from pbem.intake import reply_address, subject_tag
from pbem.ledger.event import Event
from pbem.letters import occasions
from pbem.letters.occasions import Occasion
from pbem.letters.people import Correspondent, Slip
from pbem.proof.commitments import Opening
from pbem.referee.submission import asks
from pbem.store.rows import LetterRow, NewMail, ReceiptRow
from pbem.store.transaction import Transaction
from pbem.tables.chance.beacons import AWAITED
from pbem.tables.decision import ALL, REFEREE, Decision, Notice, Said
from pbem.tables.folding import BrokenHistoryError
from pbem.tables.standing import STANDING
from pbem.tables.table import PLAYING, Table

EACH: Final = "each"
DAILY: Final = "daily"
PLAN: Final = "plan"
"""By whom a turn was made that its player had planned."""
ALWAYS: Final = (
    *("asked", "objected", "undone", "paused", "resumed", "resigned", "substituted", "declined", "extended"),
    *("appealed", "ruled", "warranted", "closed", AWAITED),
)
"""Events that everybody hears of at once, however few mails he wants, unless he wants one a day."""
VOTES: Final = ("asked", "objected")
"""Of these, what concerns only those who have not given up."""
MOVES: Final = ("played", "dealt", "undone")


def invite(desk: Desk) -> None:
    """Invite everybody at a new table."""
    for seat in desk.table.seats:
        send(desk, seat, occasions.Invitation())


def announce(desk: Desk, sender: Seat, handled: Handled, row: LetterRow) -> None:
    """Answer a letter, pass words on, and tell the others what happened."""
    reply = occasions.Reply(
        handled.orders,
        tuple(handled.decisions),
        words=handled.letter.words,
        cut=handled.letter.cut,
        receipt=give_receipt(desk, sender, handled, row),
        after=() if _has_become_due(desk, sender) else _after(desk, handled),
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


def tell_news(desk: Desk, followed: Followed | None = None, *, teller: Seat | None = None) -> None:
    """Tell everybody what happened on a desk; `teller` has been answered already."""
    came_of = followed or Followed()
    if not desk.news:
        return
    if any(event.kind == "ended" for event in desk.news):
        record = prove_text(desk.office, desk.row, tuple(desk.events))
        for seat in desk.table.seats:
            send(desk, seat, occasions.GameOver(since(desk, seat), record))
        _tell_observers(desk, occasions.GameOver(tuple(desk.news), record))
        return
    for seat in desk.table.seats:
        if seat != teller and seat in came_of.resumed:
            _tell_resumed(desk, seat, came_of.resumed[seat])
        elif _has_become_due(desk, seat):
            send(desk, seat, occasions.Turn(since(desk, seat), dropped=came_of.dropped.get(seat)))
        elif seat != teller and (news := _news_for(desk, seat)):
            send(desk, seat, occasions.News(news))
    if news := tuple(event for event in desk.news if event.kind not in ("press", "accepted", "absence")):
        _tell_observers(desk, occasions.News(news))


def _tell_resumed(desk: Desk, seat: Seat, resumed: Decision) -> None:
    """Tell a player that a letter has gone on: what happened since the last mail, and what is to be done now."""
    unseen = tuple(event for event in desk.events if event.seq > desk.people[seat].last_seen_seq)
    waits = resumed.ruling is not None and resumed.ruling.awaits
    if seat in desk.table.due and not waits:
        send(desk, seat, occasions.Turn(unseen, resumed=resumed))
    elif desk.people[seat].notices != DAILY:
        send(desk, seat, occasions.News(unseen))


def _has_become_due(desk: Desk, seat: Seat) -> bool:
    """Whether a seat is asked something that it was not asked before."""
    table, before = desk.table, desk.before
    if table.stage != PLAYING or seat not in table.due or seat in table.resigned:
        return False
    if seat not in before.due or table.epoch != before.epoch:
        return True
    if any(event.data.get("seat") == seat for event in desk.news):
        return table.turn != before.turn
    if _is_asked_anew(desk, seat):
        return True
    # An offer that waits for an answer while others play on is not asked again; another one is.
    return _choices(table, seat) != _choices(before, seat)


def _is_asked_anew(desk: Desk, seat: Seat) -> bool:
    """Whether somebody has put another question to a seat: the player on turn to any, or any to the player on turn."""
    table = desk.table
    asking = [event.data["seat"] for event in desk.news if event.kind == "played" and asks(table.game, event.phrase)]
    view = table.game.view(table.position, seat) if asking else {}
    return bool({seat, *asking} & {view.get("on_turn")}) and any(asker != seat for asker in asking)


def _choices(table: Table, seat: Seat) -> list[Ply]:
    return [ply for ply in table.game.legal(table.position) if ply.seat == seat]


def _news_for(desk: Desk, seat: Seat) -> tuple[Event, ...]:
    """What a reader wants to hear of at once."""
    choice = desk.people[seat].notices
    others = tuple(event for event in desk.news if not _is_own(event, seat) and event.kind != "press")
    if choice == EACH:
        return others
    if choice == DAILY:
        return ()
    has_voice = seat in desk.table.active
    at_once = tuple(event for event in others if event.kind in ALWAYS and (has_voice or event.kind not in VOTES))
    if not any(_is_planned(event, seat) for event in others):
        return at_once
    # This mail stands for the turn mail that a plan has spared its reader: it tells the same.
    moves = (event for event in since(desk, seat) if event.kind in MOVES)
    return tuple(sorted({event.seq: event for event in (*moves, *at_once)}.values(), key=lambda event: event.seq))


def _is_own(event: Event, seat: Seat) -> bool:
    """Whether a seat did something itself; what is done in its name is news to it."""
    return event.data.get("seat") == seat and event.data.get("by") not in (REFEREE, STANDING, PLAN)


def _is_planned(event: Event, seat: Seat) -> bool:
    """Whether a plan of a seat was played."""
    return event.data.get("seat") == seat and event.data.get("by") == PLAN


def since(desk: Desk, seat: Seat) -> tuple[Event, ...]:
    """What happened after a seat's last turn, or after the beginning if it has had none.

    A turn that was planned counts once its player has been told of it: at once, unless he wants one mail a day.
    """
    told = 0 if desk.people[seat].notices == DAILY else desk.before.seq
    last = 0
    for event in desk.events:
        is_turn = _is_own(event, seat) or (event.seq <= told and _is_planned(event, seat))
        if event.kind == "started" or (event.kind == "played" and is_turn):
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
            with suppress(BrokenHistoryError):
                tell_referee(Desk(office, transaction, row), occasions.Notice("bounces", {"seat": mail.seat}))
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
    slip = Slip(REFEREE, reader, number, office.settings.post.address, desk.now, checkpoint=desk.checkpoint)
    # The next notice is numbered by those that are queued, so this one does not wait for the desk.
    desk.transaction.enqueue([_write(desk, slip, occasion, seat=None)])


def _tell_observers(desk: Desk, occasion: Occasion) -> None:
    """A mail to everybody who only watches: what everybody may know, and no way back."""
    for observer in observers_at(desk):
        reader = Correspondent(observer.name, observer.address, observer.language, observer.zone)
        number = desk.transaction.next_mail_number(observer.address)
        home = desk.office.settings.post.address
        slip = Slip(observer.role, reader, number, home, desk.now, checkpoint=desk.checkpoint, takes_answers=False)
        desk.transaction.enqueue([_write(desk, slip, occasion, seat=None)])


def send(desk: Desk, seat: Seat, occasion: Occasion) -> None:
    """Compose a mail to a seat and queue it; held while mails to it come back."""
    person = desk.people[seat]
    number = person.mails_sent + 1
    openings = _openings(desk, seat, after=person.last_seen_seq)
    desk.change_person(seat, mails_sent=number, last_seen_seq=desk.table.seq)
    reader = Correspondent(person.name, person.address, person.language, person.zone, person.plain)
    reply_to, tag = _way_back(desk, seat)
    slip = Slip(seat, reader, number, reply_to, desk.now, tag, openings, desk.checkpoint)
    desk.post(_write(desk, slip, occasion, seat=seat), held=person.paused)


def _openings(desk: Desk, seat: Seat, *, after: int) -> tuple[Opening, ...]:
    """What was sealed since a seat's last mail and is open to it."""
    return tuple(
        desk.sealer.open(event.seq, *field)
        for event in desk.events[after:]
        if event.sealed is not None and seat in event.sealed.readers
        for field in event.sealed.fields
    )


def _way_back(desk: Desk, seat: Seat) -> tuple[str, str]:
    """Where an answer goes, and what the subject must say if the address cannot."""
    identity, table = desk.office.identity, desk.table
    key, turn, epoch = identity.ticket_key, table.turn, table.epoch
    if desk.office.settings.post.plus_addressing:
        return reply_address(key, identity.address, game=table.id, seat=seat, turn=turn, epoch=epoch), ""
    return identity.address, subject_tag(key, game=table.id, seat=seat, turn=turn, epoch=epoch)


def _write(desk: Desk, slip: Slip, occasion: Occasion, *, seat: Seat | None) -> NewMail:
    due: Sequence[Seat] = desk.table.due
    deadlines = {each: deadline for each in due if (deadline := desk.deadline(each)) is not None}
    mail = desk.office.composer.compose(desk.table, slip, occasion, deadlines)
    raw, at = mail.before + mail.after, len(mail.before)
    return NewMail(mail.message_id, mail.to, mail.kind, raw, desk.row.id, seat, shared=mail.picture, shared_at=at)
