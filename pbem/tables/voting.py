"""Things that need consent: undo, draw, pause and resume.

One seat asks and the others answer. Whatever changes the game, undo and draw, needs every seat that has not
given up; what only concerns time, pause and resume, needs more than half of them, so that nobody can hold up
the others by being away. A vote ends when it is carried, when too many object, or when whoever asked takes it
back. Silence never counts as consent.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from engine.game import CHANCE, Ply, Seat
from notation import PAUSE, RESUME, UNDO, Ending
from pbem.ledger.event import Draft
from pbem.ledger.recording import AGREED, ended
from pbem.referee.records.standing import standing_entries
from pbem.referee.trial.listening import hear
from pbem.tables import rules
from pbem.tables.decision import Decision, Refused
from pbem.tables.table import DRAW, PLAYING, VOTED, Table, Vote

OF_ALL: Final = (UNDO, DRAW)
OF_MOST: Final = (PAUSE, RESUME)

OPEN_FOR: Final = timedelta(days=14)
"""How long a vote stays open without being carried."""


def ask(table: Table, seat: Seat, what: str) -> Decision:
    """Ask the others for something; what is asked already is agreed to."""
    refused = _barred(table, seat)
    if refused is not None:
        return Decision(refused=refused)
    if what in table.votes:
        return agree(table, seat, what)
    facts = {"what": what, "seat": seat}
    if what in OF_MOST and (what == PAUSE) == (VOTED in table.pauses):
        says = "the game is paused already" if what == PAUSE else "the players have not paused the game"
        return Decision(refused=Refused(rules.V2, says, facts))
    if what != UNDO:
        return Decision((Draft("asked", {"what": what, "by": seat, "turn": table.turn, "reveals": False}),))
    turn = last_turn_of(table, seat)
    if turn is None:
        return Decision(refused=Refused(rules.V2, "{seat} has no turn to take back", facts))
    shown = reveals(table, turn)
    if turn == table.turn and not shown:
        # The own turn is not finished and nobody has learnt anything: nobody else need be asked.
        return Decision((Draft("undone", {"turn": turn, "by": seat}),))
    return Decision((Draft("asked", {"what": what, "by": seat, "turn": turn, "reveals": shown}),))


def agree(table: Table, seat: Seat, what: str) -> Decision:
    """Say yes; the vote is carried once enough have."""
    vote = _barred(table, seat) or _meant(table, what)
    if isinstance(vote, Refused):
        return Decision(refused=vote)
    if seat in vote.agreed:
        return Decision(refused=Refused(rules.V2, "{seat} has agreed already", {"seat": seat}))
    return Decision((Draft("agreed", {"what": vote.what, "by": seat}),))


def object_to(table: Table, seat: Seat, what: str) -> Decision:
    """Say no; whoever asked takes it back in the same way."""
    vote = _barred(table, seat) or _meant(table, what)
    if isinstance(vote, Refused):
        return Decision(refused=vote)
    if seat == vote.by:
        return Decision((Draft("dropped", {"what": vote.what, "by": seat}),))
    if seat in vote.against:
        return Decision(refused=Refused(rules.V2, "{seat} has objected already", {"seat": seat}))
    return Decision((Draft("objected", {"what": vote.what, "by": seat}),))


def carry(table: Table) -> Draft | None:
    """What the votes of a table come to: the first that is carried or lost happens or is dropped."""
    for vote in table.votes.values():
        enough = quorum(table, vote.what)
        if len(vote.agreed & {*table.active}) >= enough:
            return _happen(table, vote)
        if len({*table.active} - vote.against) < enough:
            return Draft("dropped", {"what": vote.what, "by": vote.by})
    return None


def quorum(table: Table, what: str) -> int:
    """How many seats must agree to something; those that gave up have no voice."""
    return len(table.active) if what in OF_ALL else len(table.active) // 2 + 1


def lapsed(table: Table, now: datetime) -> Iterator[Draft]:
    """The votes that have been open for too long, dropped."""
    for vote in table.votes.values():
        if now > lapse_of(vote):
            yield Draft("dropped", {"what": vote.what, "by": "clock"})


def lapse_of(vote: Vote) -> datetime:
    """The last moment of a vote that is not carried."""
    return datetime.fromisoformat(vote.since) + OPEN_FOR


def last_turn_of(table: Table, seat: Seat) -> int | None:
    """The last turn that a seat played and that still stands."""
    own = [entry.number for entry in standing_entries(table.entries) if entry.who == seat]
    return own[-1] if own else None


def reveals(table: Table, since: int) -> bool:
    """True if chance or a move has shown something since a turn began: going back would not make it unknown again."""
    taken_back = [entry for entry in standing_entries(table.entries) if (entry.number or 0) >= since]
    if any(entry.who == CHANCE for entry in taken_back):
        return True
    game, position = table.game, hear(table.record, until=since - 1).position
    for entry in taken_back:
        for move in entry.moves:
            ply = Ply(entry.who, move)
            if game.discloses(position, ply):
                return True
            position = game.apply(position, ply)
    return False


def _barred(table: Table, seat: Seat) -> Refused | None:
    if table.stage != PLAYING:
        return Refused(rules.T3, "no game is being played at this table")
    if seat in table.resigned:
        return Refused(rules.T3, "{seat} has given the game up", {"seat": seat})
    return None


def _meant(table: Table, what: str) -> Vote | Refused:
    if what in table.votes:
        return table.votes[what]
    if not what and len(table.votes) == 1:
        return next(iter(table.votes.values()))
    facts = {"what": what, "open": ", ".join(table.votes)}
    if table.votes:
        return Refused(rules.V1, "say which is meant: {open}", facts)
    return Refused(rules.V1, "nothing is being asked at this table", facts)


def _happen(table: Table, vote: Vote) -> Draft:
    if vote.what == UNDO:
        return Draft("undone", {"turn": vote.turn, "by": vote.by})
    if vote.what == DRAW:
        return ended(table.seats, Ending(AGREED, table.active if table.resigned else ()), table.score)
    return Draft("paused" if vote.what == PAUSE else "resumed", {"reason": VOTED, "by": vote.by})
