"""Things that need consent: undo, draw, pause and resume.

One seat asks, every other seat that is still in the game must agree; one objection ends the matter. A player
who does not answer does not block the game: a vote changes nothing until all have agreed.
"""

from typing import Final

from engine.game import Seat
from notation import PAUSE, RESUME, UNDO
from pbem.ledger.event import Draft
from pbem.tables import rules
from pbem.tables.decision import Decision, Refused
from pbem.tables.playing import own_last_turn
from pbem.tables.table import DRAW, PLAYING, VOTED, Table, Vote

VOTED_ON: Final = (UNDO, DRAW, PAUSE, RESUME)


def ask(table: Table, seat: Seat, what: str) -> Decision:
    """Ask the others for something."""
    if table.stage != PLAYING:
        return Decision(refused=Refused(rules.T3, "there is no game being played at this table"))
    if what in table.votes:
        return agree(table, seat, what)
    facts = {"what": what, "seat": seat}
    turn = table.turn
    if what == UNDO:
        last = own_last_turn(table, seat)
        if last is None:
            return Decision(refused=Refused(rules.V2, "{seat} has no turn to take back", facts))
        turn = last
    if (what == PAUSE) == (VOTED in table.pauses) and what in (PAUSE, RESUME):
        says = "the game is paused already" if what == PAUSE else "the game is not paused"
        return Decision(refused=Refused(rules.V2, says, facts))
    asked = Draft("asked", {"what": what, "by": seat, "turn": turn})
    if set(table.active) <= {seat}:
        return Decision((asked, _carried(Vote(what, seat, frozenset({seat}), turn))))
    return Decision((asked,))


def agree(table: Table, seat: Seat, what: str) -> Decision:
    """Say yes; the last to do so lets it happen."""
    vote = _meant(table, what)
    if isinstance(vote, Refused):
        return Decision(refused=vote)
    if seat in vote.agreed:
        return Decision(refused=Refused(rules.V2, "{seat} has agreed already", {"seat": seat}))
    agreed = Draft("agreed", {"what": vote.what, "by": seat})
    if set(table.active) <= vote.agreed | {seat}:
        return Decision((agreed, _carried(vote), *_settled(vote)))
    return Decision((agreed,))


def object_to(table: Table, seat: Seat, what: str) -> Decision:
    """Say no, which ends the matter; whoever asked may withdraw in the same way."""
    vote = _meant(table, what)
    if isinstance(vote, Refused):
        return Decision(refused=vote)
    return Decision((Draft("dropped", {"what": vote.what, "by": seat}),))


def _meant(table: Table, what: str) -> Vote | Refused:
    if what in table.votes:
        return table.votes[what]
    if not what and len(table.votes) == 1:
        return next(iter(table.votes.values()))
    facts = {"what": what, "open": ", ".join(table.votes)}
    if table.votes:
        return Refused(rules.V1, "say which is meant: {open}", facts)
    return Refused(rules.V1, "nothing is being asked at this table", facts)


def _carried(vote: Vote) -> Draft:
    if vote.what == UNDO:
        return Draft("undone", {"turn": vote.turn, "by": vote.by})
    if vote.what == DRAW:
        return Draft("ended", {"kind": "agreed", "seats": [], "reason": ""})
    return Draft("paused" if vote.what == PAUSE else "resumed", {"reason": VOTED, "by": vote.by})


def _settled(vote: Vote) -> tuple[Draft, ...]:
    """Undo and draw clear their own vote; a pause or resume leaves none behind."""
    return (Draft("dropped", {"what": vote.what, "by": vote.by}),) if vote.what in (PAUSE, RESUME) else ()
