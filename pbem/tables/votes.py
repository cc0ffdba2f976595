"""Things that need consent: undo, draw, pause and resume.

One seat asks and the others answer. Whatever changes the game, undo and draw, needs every seat that has not
given up; what only concerns time, pause and resume, needs more than half of them, so that nobody can hold up
the others by being away. A vote ends when it is carried, when too many object, or when whoever asked takes it
back; an undo also when the table moves on. Silence never counts as consent, and nobody ends a game by a word that
could have meant something else.
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
    TurnUndone,
    VoteAgreed,
    VoteAsked,
    VoteDropped,
    VoteObjected,
)
from pbem.events.record_conversion import end_game
from pbem.judging.entries import standing_entries
from pbem.judging.record_replay import replay_record
from pbem.tables import table_rules
from pbem.tables.decision import Decision, Refused
from pbem.tables.table import DRAW, PLAYING, VOTED, Table, Vote

OF_ALL: Final = (UNDO, DRAW)
OF_MOST: Final = (PAUSE, RESUME)

OPEN_FOR: Final = timedelta(days=14)
"""How long a vote stays open without being carried."""

MOVED_ON: Final = "play"
"""Who has dropped a vote that can no longer be meant: play itself."""


def ask(table: Table, seat: Seat, what: str) -> Decision:
    """Ask the others for something; what is asked already is agreed to."""
    refused = _barred(table, seat)
    if refused is not None:
        return Decision(refused=refused)
    if what == UNDO:
        return _ask_back(table, seat)
    if what in table.votes:
        return agree(table, seat, what)
    if what in OF_MOST and (what == PAUSE) == (VOTED in table.pauses):
        says = "the game is paused already" if what == PAUSE else "the players have not paused the game"
        return Decision(refused=Refused(table_rules.V2, says, {"what": what, "seat": seat}))
    return Decision((Draft(VoteAsked(what, seat, table.turn, reveals=False)),))


def _ask_back(table: Table, seat: Seat) -> Decision:
    """Ask to go back to one's own last turn; that somebody else wants to go back elsewhere is no consent to it."""
    turn, vote = last_turn_of(table, seat), table.votes.get(UNDO)
    if turn is not None and can_undo_alone(table, turn):
        return Decision((Draft(TurnUndone(turn, by=seat)),))
    if vote is not None and vote.turn == turn:
        return agree(table, seat, UNDO)
    if vote is not None:
        says = "{who} has asked to go back to turn {turn}; first answer that with `agree undo` or `object undo`"
        return Decision(refused=Refused(table_rules.V2, says, {"who": vote.by, "turn": vote.turn}))
    if turn is None:
        return Decision(refused=Refused(table_rules.V2, "{seat} has no turn to take back", {"seat": seat}))
    return Decision((Draft(VoteAsked(UNDO, seat, turn, reveals=reveals(table, turn))),))


def agree(table: Table, seat: Seat, what: str) -> Decision:
    """Say yes; the vote is carried once enough have."""
    vote = _barred(table, seat) or find_vote(table, what)
    if isinstance(vote, Refused):
        return Decision(refused=vote)
    if seat in vote.agreed:
        return Decision(refused=Refused(table_rules.V2, "{seat} has agreed already", {"seat": seat}))
    if vote.what == DRAW != what:
        return Decision(
            refused=Refused(table_rules.V3, "a draw ends the game, so it must be named: write `agree draw`")
        )
    return Decision((Draft(VoteAgreed(vote.what, by=seat)),))


def object_to_vote(table: Table, seat: Seat, what: str) -> Decision:
    """Say no; whoever asked takes it back in the same way."""
    vote = _barred(table, seat) or find_vote(table, what)
    if isinstance(vote, Refused):
        return Decision(refused=vote)
    if seat == vote.by:
        return Decision((Draft(VoteDropped(vote.what, by=seat)),))
    if seat in vote.against:
        return Decision(refused=Refused(table_rules.V2, "{seat} has objected already", {"seat": seat}))
    return Decision((Draft(VoteObjected(vote.what, by=seat)),))


def find_vote(table: Table, what: str) -> Vote | Refused:
    """The vote that somebody answers who names it, or who need not because it is the only one."""
    if what in table.votes:
        return table.votes[what]
    if not what and len(table.votes) == 1:
        return next(iter(table.votes.values()))
    facts = {"what": what, "open": ", ".join(table.votes)}
    if table.votes:
        return Refused(table_rules.V1, "say which is meant: {open}", facts)
    return Refused(table_rules.V1, "nothing is being asked at this table", facts)


def resolve_votes(table: Table) -> Draft | None:
    """What the votes of a table come to: the first that is carried or lost happens or is dropped."""
    for vote in table.votes.values():
        enough = quorum(table, vote.what)
        if len(vote.agreed & {*table.active}) >= enough:
            return _happen(table, vote)
        if len({*table.active} - vote.against) < enough:
            return Draft(VoteDropped(vote.what, by=vote.by))
    return None


def quorum(table: Table, what: str) -> int:
    """How many seats must agree to something; those that gave up have no voice."""
    return len(table.active) if what in OF_ALL else len(table.active) // 2 + 1


def drop_expired(table: Table, now: datetime) -> Iterator[Draft]:
    """The votes that have been open for too long, dropped."""
    for vote in table.votes.values():
        if now > expiry_of(vote):
            yield Draft(VoteDropped(vote.what, by="clock"))


def drop_overtaken(table: Table, draft: Draft) -> Iterator[Draft]:
    """An undo that can no longer be meant once a draft happens, dropped: the table moves on, or goes back elsewhere."""
    vote = table.votes.get(UNDO)
    if vote is None:
        return
    happens = draft.payload
    goes_elsewhere = isinstance(happens, TurnUndone) and (happens.turn, happens.by) != (vote.turn, vote.by)
    if isinstance(happens, MovesMade) or goes_elsewhere:
        yield Draft(VoteDropped(UNDO, by=MOVED_ON))


def expiry_of(vote: Vote) -> datetime:
    """The last moment of a vote that is not carried."""
    return datetime.fromisoformat(vote.since) + OPEN_FOR


def last_turn_of(table: Table, seat: Seat) -> int | None:
    """The last turn that a seat played and that still stands."""
    own = [entry.number for entry in standing_entries(table.entries) if entry.who == seat]
    return own[-1] if own else None


def can_undo_alone(table: Table, turn: int) -> bool:
    """True if a seat's own turn is not finished and nobody has learnt anything: nobody else need be asked then."""
    return turn == table.turn and not reveals(table, turn)


def reveals(table: Table, since: int) -> bool:
    """True if chance or a move has shown something since a turn began: going back would not make it unknown again."""
    taken_back = [entry for entry in standing_entries(table.entries) if (entry.number or 0) >= since]
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


def _barred(table: Table, seat: Seat) -> Refused | None:
    if table.stage != PLAYING:
        return Refused(table_rules.T3, "no game is being played at this table")
    if seat in table.resigned:
        return Refused(table_rules.T3, "{seat} has given the game up", {"seat": seat})
    return None


def _happen(table: Table, vote: Vote) -> Draft:
    if vote.what == UNDO:
        return Draft(TurnUndone(vote.turn, by=vote.by))
    if vote.what == DRAW:
        return end_game(table.seats, Ending(AGREED, table.active if table.resigned else ()), table.score)
    return Draft(GamePaused(VOTED, by=vote.by) if vote.what == PAUSE else GameResumed(VOTED, by=vote.by))
