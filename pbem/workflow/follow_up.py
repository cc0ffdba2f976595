"""What a seat wants done when its time comes: turns planned, orders that stand, the rest of a letter that waits.

All of it is kept in one place beside the events, is nobody else's business, and leaves with the player.

What happens by itself once something has happened: letters that waited for answers, plans, standing orders, chance.

A plan is played only if the whole turn is legal when it comes; else it is dropped and its owner told, as if nothing had
been planned. But what chance has answered stands: a plan that it stops half-way is played as far as it goes, so that
nobody learns of dice that were never thrown. A seat whose player gave up is played by chance, unless the table waits
for somebody.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.game import CHANCE, Seat
from notation import write_moves
from pbem.events.kinds import ChanceDealt, RoundAwaited, TurnPlayed
from pbem.judging.submission import SubmissionResult, asks_others
from pbem.mail.commands.commands import Play
from pbem.tables import play
from pbem.tables.chance import chosen_by_chance, must_wait, name_round
from pbem.tables.decision import Decision
from pbem.tables.standing_orders import STANDING, StandingOrder, bidden
from pbem.tables.table import PLAYING
from pbem.workflow.session import GameSession


@dataclass(frozen=True, slots=True)
class PendingMoves:
    """Moves of a letter that wait for the answers of others, and the turn they are for."""

    text: str
    turn: int
    epoch: int
    letter: str
    """The digest of the letter, for the record."""
    since: int
    """The number of the last event before the letter."""


@dataclass(frozen=True, slots=True)
class SeatIntentions:
    """What one seat wants done."""

    plan: tuple[str, ...] = ()
    """Whole turns, the next first."""
    standing: tuple[StandingOrder, ...] = ()
    rest: PendingMoves | None = None


def load_intentions(session: GameSession, seat: Seat) -> SeatIntentions:
    """What a seat wants done."""
    kept = session.transaction.load_plan(session.row.id, seat)
    if not kept:
        return SeatIntentions()
    standing = tuple(StandingOrder(*order) for order in kept.get("standing", ()))
    rest = PendingMoves(*kept["rest"]) if "rest" in kept else None
    return SeatIntentions(tuple(kept.get("phrases", ())), standing, rest)


def change_intentions(session: GameSession, seat: Seat, **values: Any) -> None:
    """Keep something else under plan, standing or rest, in place of what was kept before."""
    wanted = replace(load_intentions(session, seat), **values)
    data: dict[str, Any] = {}
    if wanted.plan:
        data["phrases"] = list(wanted.plan)
    if wanted.standing:
        data["standing"] = [list(order) for order in wanted.standing]
    if (rest := wanted.rest) is not None:
        data["rest"] = [rest.text, rest.turn, rest.epoch, rest.letter, rest.since]
    session.transaction.save_plan(session.row.id, seat, data or None)


def forget_intentions(session: GameSession, seat: Seat) -> None:
    """Let all of it go, as when somebody else takes the seat."""
    session.transaction.save_plan(session.row.id, seat, None)


MOST: Final = 200
"""Turns that may follow by themselves before a letter is needed."""


@dataclass(slots=True)
class FollowUp:
    """What came of what seats had wanted, by seat."""

    dropped: dict[Seat, Decision] = field(default_factory=dict)
    """Plans that could not be played."""
    resumed: dict[Seat, Decision] = field(default_factory=dict)
    """Letters that went on, or were to go on, once the answers were there; and plans that chance stopped."""


def run_follow_ups(session: GameSession) -> FollowUp:
    """Play on by itself as far as that goes."""
    followed = FollowUp()
    for _ in range(MOST):
        if session.table.stage != PLAYING or session.table.pauses or session.table.due == (CHANCE,):
            break
        if not any(_play_one(session, seat, followed) for seat in session.table.due):
            break
    return followed


def _play_one(session: GameSession, seat: Seat, followed: FollowUp) -> bool:
    """Play for a seat, if there is a reason to; False if it must be asked."""
    table = session.table
    if seat in table.resigned and must_wait(session.dealer(), table):
        named = name_round(session.dealer(), table, seat)
        session.apply_events([named] if named is not None else [])
        return False
    if seat in table.resigned:
        text = chosen_by_chance(table, seat, session.dealer())
        return _apply_decision(session, play.play(table, seat, Play(text), session.dealer(), letter="", by="chance"))
    wanted = load_intentions(session, seat)
    if wanted.rest is not None:
        return _resume(session, seat, wanted.rest, followed)
    if not wanted.plan and not wanted.standing:
        return False
    planned = _play_plan(session, seat, wanted, followed)
    return planned or _run_standing_orders(session, seat, wanted) or _drop_plan(session, seat, wanted, followed)


def _resume(session: GameSession, seat: Seat, rest: PendingMoves, followed: FollowUp) -> bool:
    """Let a letter go on whose answers are there; one that is for another turn by now is forgotten."""
    table = session.table
    if (rest.turn, rest.epoch) != (table.turn, table.epoch):
        change_intentions(session, seat, rest=None)
        return True
    if _is_countered(session, seat, rest):
        followed.resumed[seat] = play.hold(table, seat, rest.text)
        change_intentions(session, seat, rest=None)
        return False
    if any(other != seat for other in table.due):
        return False
    decision = play.resume(table, seat, rest.text, session.dealer(), letter=rest.letter)
    save_pending_moves(session, seat, decision.ruling, rest.letter)
    followed.resumed[seat] = decision
    _apply_decision(session, decision)
    return True


def _is_countered(session: GameSession, seat: Seat, rest: PendingMoves) -> bool:
    """Whether somebody has answered with a question: then the letter does not go on without its writer."""
    return any(
        isinstance(event.payload, TurnPlayed)
        and event.payload.seat != seat
        and asks_others(session.table.game, event.phrase)
        for event in session.events
        if event.seq > rest.since
    )


def save_pending_moves(session: GameSession, seat: Seat, ruling: SubmissionResult | None, letter: str) -> None:
    """Keep what a letter's moves wait for, in place of any that waited before."""
    rest = None
    if ruling is not None and ruling.awaits:
        text, table = write_moves(session.table.game, ruling.later), session.table
        rest = PendingMoves(text, ruling.turn, table.epoch, letter, since=table.seq)
    change_intentions(session, seat, rest=rest)


def _play_plan(session: GameSession, seat: Seat, wanted: SeatIntentions, followed: FollowUp) -> bool:
    """Play the next planned turn if it is legal; or as far as it goes, if it is chance that stops it."""
    if not wanted.plan or _owes_an_answer(session, seat):
        return False
    decision = _try_plan(session, seat, wanted.plan[0])
    if _is_complete(decision):
        change_intentions(session, seat, plan=wanted.plan[1:])
        return _apply_decision(session, decision)
    if any(isinstance(draft.payload, ChanceDealt | RoundAwaited) for draft in decision.drafts):
        change_intentions(session, seat, plan=())
        save_pending_moves(session, seat, decision.ruling, "")
        followed.resumed[seat] = decision
        return _apply_decision(session, decision)
    return False


def _run_standing_orders(session: GameSession, seat: Seat, wanted: SeatIntentions) -> bool:
    """Do what standing orders bid a seat do now."""
    text = bidden(session.table, seat, wanted.standing)
    if not text:
        return False
    return _apply_decision(
        session, play.play(session.table, seat, Play(text), session.dealer(), letter="", by=STANDING)
    )


def _drop_plan(session: GameSession, seat: Seat, wanted: SeatIntentions, followed: FollowUp) -> bool:
    """Forget plans of which the next cannot be played; the seat is asked then."""
    if wanted.plan and not _owes_an_answer(session, seat):
        followed.dropped[seat] = _try_plan(session, seat, wanted.plan[0])
        change_intentions(session, seat, plan=())
    return False


def _owes_an_answer(session: GameSession, seat: Seat) -> bool:
    """Whether a seat is asked something in between, for which no turn is planned."""
    return session.table.game.by_default(session.table.position, seat) is not None


def _try_plan(session: GameSession, seat: Seat, text: str) -> Decision:
    return play.play(session.table, seat, Play(text), session.dealer(), letter="", by="plan")


def _is_complete(decision: Decision) -> bool:
    return decision.ruling is not None and decision.ruling.is_legal and decision.ruling.complete


def _apply_decision(session: GameSession, decision: Decision) -> bool:
    session.apply_events(decision.drafts)
    return bool(decision.drafts)
