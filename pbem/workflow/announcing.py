"""Who is told what: the mails that follow from what happened on a desk, or from the hour.

People hear of what others do as they chose, and whoever has become due gets a turn mail whatever he chose. How a letter
is answered to its sender is no matter of this room.
"""

from collections.abc import Iterable

from engine.game import Seat
from pbem.mail.writing import occasions
from pbem.tables.decision import ALL, REFEREE, Decision, Notice
from pbem.workflow.announce import gets_turn_mail, is_own, news_for, since
from pbem.workflow.follow_up import Followed
from pbem.workflow.queue_mail import send, tell_observers, tell_referee
from pbem.workflow.record_proof import prove_text
from pbem.workflow.session import Desk
from pbem.workflow.summing import DAILY, untold


def invite(desk: Desk) -> None:
    """Invite everybody at a new table."""
    for seat in desk.table.seats:
        send(desk, seat, occasions.Invitation())


def tell_news(
    desk: Desk, followed: Followed | None = None, *, teller: Seat | None = None, newcomer: Seat | None = None
) -> None:
    """Tell everybody what happened on a desk; `teller` has been answered already, and `newcomer` knows nothing yet."""
    came_of = followed or Followed()
    if not desk.news:
        return
    if any(event.kind == "ended" for event in desk.news):
        record = prove_text(desk.office, desk.row, tuple(desk.events))
        for seat in desk.table.seats:
            send(desk, seat, occasions.GameOver(since(desk, seat), record))
        tell_observers(desk, occasions.GameOver(tuple(desk.news), record))
        return
    for seat in desk.table.seats:
        if seat == newcomer:
            _welcome(desk, seat)
        elif seat != teller and seat in came_of.resumed:
            _tell_resumed(desk, seat, came_of.resumed[seat])
        elif gets_turn_mail(desk, seat, came_of, teller=teller):
            send(desk, seat, occasions.Turn(since(desk, seat), dropped=came_of.dropped.get(seat)))
        elif seat != teller and (news := news_for(desk, seat)):
            send(desk, seat, occasions.News(news))
    if news := tuple(event for event in desk.news if event.kind not in ("press", "accepted", "absence", "returned")):
        tell_observers(desk, occasions.News(news))


def _welcome(desk: Desk, seat: Seat) -> None:
    """Tell whoever has taken a seat how things stand there, and what is asked of it, whoever was asked before."""
    if seat in desk.table.due:
        send(desk, seat, occasions.Turn(since(desk, seat)))
    else:
        send(desk, seat, occasions.News(tuple(desk.news)))


def _tell_resumed(desk: Desk, seat: Seat, resumed: Decision) -> None:
    """Tell a player that a letter has gone on: what happened since the last mail, and what is to be done now."""
    unseen = tuple(event for event in desk.events if event.seq > desk.people[seat].last_seen_seq)
    waits = resumed.ruling is not None and resumed.ruling.awaits
    if seat in desk.table.due and not waits:
        send(desk, seat, occasions.Turn(unseen, resumed=resumed))
    elif desk.people[seat].notices != DAILY:
        send(desk, seat, occasions.News(unseen))


def remind(desk: Desk, seat: Seat) -> None:
    """Remind a player of the deadline."""
    send(desk, seat, occasions.Reminder(since(desk, seat)))


def write_digests(desk: Desk) -> list[Seat]:
    """The day's words to those who want them so, if others did anything."""
    told = []
    for seat, person in tuple(desk.people.items()):
        fresh = untold(desk, seat) if person.notices == DAILY else ()
        if any(not is_own(event, seat) and event.kind != "press" for event in fresh):
            send(desk, seat, occasions.Digest(fresh))
            told.append(seat)
    return told


def tell_notices(desk: Desk, notices: Iterable[Notice]) -> None:
    """Tell people what they have to hear besides the events."""
    for notice in notices:
        told = occasions.Notice(notice.kind, notice.data)
        if notice.to == REFEREE:
            tell_referee(desk, told)
        else:
            for seat in desk.table.seats if notice.to == ALL else (notice.to,):
                send(desk, seat, told)
