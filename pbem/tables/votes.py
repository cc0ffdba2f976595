"""Votes: some things need the consent of the other players, such as an undo (but for a take-back that is free).

One seat asks and the others answer. What changes the game, undo and draw, needs every seat that has not resigned; what
only concerns time, a pause, another term or an answer that was missed, needs more than half of them, so that an absent
player cannot block it. A vote ends when it is carried, when too many object, when it is withdrawn or expires; an undo
also when the table moves on. Silence is not consent, and a draw must be named to be agreed to.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from engine.game import CHANCE, Ply, Seat
from notation import AGREED, PAUSE, RESUME, UNDO, Ending
from pbem.events.chain import Draft
from pbem.events.kinds import (
    GamePaused,
    GameResumed,
    MovesMade,
    SeatResigned,
    SeatSubstituted,
    TurnUndone,
    VoteAgreed,
    VoteAsked,
    VoteDropped,
    VoteObjected,
)
from pbem.events.post_kinds import MissExcused
from pbem.events.record_conversion import draft_end
from pbem.judging.record_replay import replay_record
from pbem.tables import table_rules
from pbem.tables.decision import Decision, Refused
from pbem.tables.fold_consent import EXCUSE
from pbem.tables.table import DRAW, PLAYING, VOTED, Table, Vote
from pbem.tables.take_back import TakeBack, find_take_back
from pbem.tables.terms import draft_change, is_change, subject_of

OF_ALL: Final = (UNDO, DRAW)
OF_MOST: Final = (PAUSE, RESUME)

OPEN_FOR: Final = timedelta(days=14)
"""How long a vote stays open without being carried."""

MOVED_ON: Final = "play"
"""The author of the end of a vote that play has overtaken."""


def ask(table: Table, seat: Seat, what: str) -> Decision:
    """Ask the others for something; if that is asked already, agree to it."""
    refused = _refuse_vote(table, seat)
    if refused is not None:
        return Decision(refused=refused)
    if what == UNDO:
        return _ask_undo(table, seat)
    if what == EXCUSE and (refused := _refuse_excuse(table, seat)) is not None:
        return Decision(refused=refused)
    if is_change(what) and (refused := _refuse_change(table, what)) is not None:
        return Decision(refused=refused)
    if what in table.votes:
        return agree(table, seat, what)
    if what in OF_MOST and (what == PAUSE) == (VOTED in table.pauses):
        says = "the game is paused already" if what == PAUSE else "the players have not paused the game"
        return Decision(refused=Refused(table_rules.V2, says, {"what": what, "seat": seat}))
    return Decision((Draft(VoteAsked(what, seat, table.turn, reveals=False)),))


def _refuse_excuse(table: Table, seat: Seat) -> Refused | None:
    """Why a player cannot ask to be excused: nothing was missed, or another asks for that now."""
    vote = table.votes.get(EXCUSE)
    if vote is not None and vote.by != seat:
        says = "{who} has asked to be excused; first answer that with `agree excuse` or `object excuse`"
        return Refused(table_rules.V2, says, {"who": vote.by})
    if not table.tally.missed_by(seat):
        return Refused(table_rules.E1, "you have missed no answer here that could be excused")
    return None


def _refuse_change(table: Table, what: str) -> Refused | None:
    """Why a player cannot ask for a change of a term: it cannot be, or another is asked for now."""
    vote = next((vote for vote in table.votes.values() if is_change(vote.what) and vote.what != what), None)
    if vote is not None:
        says = "{who} has asked for {what}; first answer that with `agree terms` or `object terms`"
        return Refused(table_rules.V2, says, {"who": vote.by, "what": vote.what})
    drafted = draft_change(table, what, "")
    return drafted if isinstance(drafted, Refused) else None


def _ask_undo(table: Table, seat: Seat) -> Decision:
    """Ask to go back to the seat's last turn; a vote about another turn does not count as consent."""
    turn, vote = last_turn_of(table, seat), table.votes.get(UNDO)
    own = find_take_back(table, seat)
    if isinstance(own, TakeBack):
        return Decision((Draft(TurnUndone(own.turn, by=seat, kept=own.kept or None)),))
    if vote is not None and vote.turn == turn:
        return agree(table, seat, UNDO)
    if vote is not None:
        says = "{who} has asked to go back to turn {turn}; first answer that with `agree undo` or `object undo`"
        return Decision(refused=Refused(table_rules.V2, says, {"who": vote.by, "turn": vote.turn}))
    if turn is None:
        return Decision(refused=Refused(table_rules.V2, "you have no turn to take back", {"seat": seat}))
    return Decision((Draft(VoteAsked(UNDO, seat, turn, reveals=reveals(table, turn))),))


def agree(table: Table, seat: Seat, what: str) -> Decision:
    """Agree to a vote; it is carried once enough seats have."""
    vote = _refuse_vote(table, seat) or find_vote(table, what)
    if isinstance(vote, Refused):
        return Decision(refused=vote)
    if seat in vote.agreed:
        return Decision(refused=Refused(table_rules.V2, "you have agreed already", {"seat": seat}))
    if vote.what == DRAW != what:
        return Decision(refused=Refused(table_rules.V3, "a draw ends the game; to agree, write `agree draw`"))
    return Decision((Draft(VoteAgreed(vote.what, by=seat)),))


def object_to_vote(table: Table, seat: Seat, what: str) -> Decision:
    """Object to a vote; the seat that asked withdraws it so."""
    vote = _refuse_vote(table, seat) or find_vote(table, what)
    if isinstance(vote, Refused):
        return Decision(refused=vote)
    if seat == vote.by:
        return Decision((Draft(VoteDropped(vote.what, by=seat)),))
    if seat in vote.against:
        return Decision(refused=Refused(table_rules.V2, "you have said no already", {"seat": seat}))
    return Decision((Draft(VoteObjected(vote.what, by=seat)),))


def find_vote(table: Table, what: str) -> Vote | Refused:
    """The vote about something; `what` may be empty if there is only one."""
    named = [vote for vote in table.votes.values() if what in (vote.what, subject_of(vote.what))]
    if named:
        return named[0]
    if not what and len(table.votes) == 1:
        return next(iter(table.votes.values()))
    facts = {"what": what, "open": ", ".join(table.votes)}
    if table.votes:
        return Refused(table_rules.V1, "say which one you mean; open are {open}", facts)
    return Refused(table_rules.V1, "nobody asks you anything now", facts)


def resolve_votes(table: Table) -> Draft | None:
    """The event of the first vote that is carried or lost; None if all are open."""
    for vote in table.votes.values():
        enough = quorum(table, vote.what)
        if len(vote.agreed & {*table.active}) >= enough:
            return _carry(table, vote)
        if len({*table.active} - vote.against) < enough:
            return Draft(VoteDropped(vote.what, by=vote.by))
    return None


def quorum(table: Table, what: str) -> int:
    """How many seats must agree to something; those that resigned have no vote."""
    return len(table.active) if what in OF_ALL else len(table.active) // 2 + 1


def drop_expired(table: Table, now: datetime) -> Iterator[Draft]:
    """The events that drop votes which have been open for too long."""
    for vote in table.votes.values():
        if now > expiry_of(vote):
            yield Draft(VoteDropped(vote.what, by="clock"))


def drop_overtaken(table: Table, draft: Draft) -> Iterator[Draft]:
    """The events that drop votes which a draft overtakes.

    What somebody asked ends when that player leaves. A vote about an undo ends when the table moves on, or goes back
    elsewhere.
    """
    happens = draft.payload
    if isinstance(happens, SeatResigned | SeatSubstituted):
        yield from (
            Draft(VoteDropped(vote.what, by=vote.by)) for vote in table.votes.values() if vote.by == happens.seat
        )
        return
    vote = table.votes.get(UNDO)
    if vote is None:
        return
    goes_elsewhere = isinstance(happens, TurnUndone) and (happens.turn, happens.by) != (vote.turn, vote.by)
    if isinstance(happens, MovesMade) or goes_elsewhere:
        yield Draft(VoteDropped(UNDO, by=MOVED_ON))


def expiry_of(vote: Vote) -> datetime:
    """When a vote expires."""
    return datetime.fromisoformat(vote.since) + OPEN_FOR


def last_turn_of(table: Table, seat: Seat) -> int | None:
    """The last turn of a seat that was not taken back; None if there is none."""
    return next((entry.number for entry in reversed(table.standing) if entry.who == seat), None)


def reveals(table: Table, since: int) -> bool:
    """Whether chance or a move has revealed something since a turn began, which an undo would not make unknown."""
    taken_back = [entry for entry in table.standing if (entry.number or 0) >= since]
    if any(entry.who == CHANCE for entry in taken_back):
        return True
    game, position = table.game, replay_record(table.record, until=since - 1).position
    for entry in taken_back:
        for move in entry.moves:
            ply = Ply(entry.who, move)
            if game.discloses(position, ply):
                return True
            position = game.apply(position, ply)
    return False


def _refuse_vote(table: Table, seat: Seat) -> Refused | None:
    if table.stage != PLAYING:
        return Refused(table_rules.T3, "this game has not begun, or is over")
    if seat in table.resigned:
        return Refused(table_rules.T3, "you have given this game up", {"seat": seat})
    return None


def _carry(table: Table, vote: Vote) -> Draft:
    if vote.what == UNDO:
        return Draft(TurnUndone(vote.turn, by=vote.by))
    if vote.what == DRAW:
        return draft_end(table.seats, Ending(AGREED, table.active if table.resigned else ()), table.score)
    if vote.what == EXCUSE:
        missed = table.tally.missed_by(vote.by)
        excused = MissExcused(vote.by, missed[-1], vote.by, "") if missed else VoteDropped(EXCUSE, by=MOVED_ON)
        return Draft(excused)
    if is_change(vote.what):
        changed = draft_change(table, vote.what, vote.by)
        return changed if isinstance(changed, Draft) else Draft(VoteDropped(vote.what, by=MOVED_ON))
    return Draft(GamePaused(VOTED, by=vote.by) if vote.what == PAUSE else GameResumed(VOTED, by=vote.by))
