"""What of the news concerns a seat: whether it is asked now, and what its player wants to hear, and since when.

Nothing is said to anybody here.
"""

from typing import Final

from engine.game import Ply, Seat
from pbem.events.chain import Event
from pbem.judging.submission import asks
from pbem.tables.beacons import AWAITED
from pbem.tables.decision import REFEREE
from pbem.tables.standing_orders import STANDING
from pbem.tables.table import PLAYING, Table
from pbem.workflow.follow_up import Followed
from pbem.workflow.session import Desk
from pbem.workflow.summing import DAILY

EACH: Final = "each"
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


def gets_turn_mail(desk: Desk, seat: Seat, came_of: Followed, *, teller: Seat | None) -> bool:
    """Whether a seat is to be told that it is due. Who has taken back his own move was: the answer to it says so."""
    took_back = any(event.kind == "undone" and event.data["by"] == teller for event in desk.news)
    if seat == teller and took_back and seat in desk.before.due and seat not in came_of.dropped:
        return False
    return _has_become_due(desk, seat)


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


def news_for(desk: Desk, seat: Seat) -> tuple[Event, ...]:
    """What a reader wants to hear of at once."""
    choice = desk.people[seat].notices
    others = tuple(event for event in desk.news if not is_own(event, seat) and event.kind != "press")
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


def since(desk: Desk, seat: Seat) -> tuple[Event, ...]:
    """What happened after a seat's last turn, or after the beginning if it has had none.

    A turn that was planned counts once its player has been told of it: at once, unless he wants one mail a day.
    """
    told = 0 if desk.people[seat].notices == DAILY else desk.before.seq
    last = 0
    for event in desk.events:
        is_turn = is_own(event, seat) or (event.seq <= told and _is_planned(event, seat))
        if event.kind == "started" or (event.kind == "played" and is_turn):
            last = event.seq
    return tuple(desk.events[last:])


def is_own(event: Event, seat: Seat) -> bool:
    """Whether a seat did something itself; what is done in its name is news to it."""
    return event.data.get("seat") == seat and event.data.get("by") not in (REFEREE, STANDING, PLAN)


def _is_planned(event: Event, seat: Seat) -> bool:
    """Whether a plan of a seat was played."""
    return event.data.get("seat") == seat and event.data.get("by") == PLAN
