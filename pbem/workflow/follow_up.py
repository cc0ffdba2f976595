"""What happens by itself after an event: resumed moves, plans, standing orders, forced moves, empty seats.

A plan is played only if the whole turn is legal when it comes. Otherwise it is dropped and the player is asked. One
exception: if chance stops a plan half-way, the part before stays played, because the player has learnt the dice.

Plans, standing orders and waiting moves are kept in the database beside the events. They are private and go when the
player leaves the seat.
"""

from dataclasses import astuple, dataclass, field, replace
from typing import Any, Final

from engine.game import CHANCE, Seat
from notation import write_moves
from pbem.events.kinds import ChanceDealt, RoundAwaited, TurnPlayed, letter_of
from pbem.judging.submission import SubmissionResult, asks_others, is_script
from pbem.store.timestamps import format_timestamp
from pbem.tables import play
from pbem.tables.chance import must_await_round, name_round, random_moves
from pbem.tables.decision import Decision
from pbem.tables.standing_orders import STANDING, StandingOrder, ordered_moves
from pbem.tables.table import FORCED, PLAYING
from pbem.workflow.session import GameSession


@dataclass(frozen=True, slots=True)
class PendingMoves:
    """Moves of a letter that wait for the answers of other players."""

    text: str
    turn: int
    epoch: int
    letter: str
    """The digest of the letter, for the record."""
    since: int
    """The number of the last event before the letter."""
    until: str = ""
    """When an offer among the moves ends, if its maker has named a time."""


@dataclass(frozen=True, slots=True)
class AskedMoves:
    """Moves that our last question to a player offered as its answers, so that a plain yes can be one."""

    texts: tuple[str, ...]
    turn: int
    epoch: int


@dataclass(frozen=True, slots=True)
class SeatIntentions:
    """What a player wants done without being asked again."""

    plan: tuple[str, ...] = ()
    """Whole turns, the next one first."""
    standing: tuple[StandingOrder, ...] = ()
    rest: PendingMoves | None = None
    rolls: bool = True
    """Whether the dice may be rolled at once when the turn begins, where the table has agreed on that."""
    asked: AskedMoves | None = None


def load_intentions(session: GameSession, seat: Seat) -> SeatIntentions:
    """The plans, standing orders and waiting moves of a seat."""
    kept = session.transaction.load_plan(session.row.id, seat)
    if not kept:
        return SeatIntentions()
    standing = tuple(StandingOrder(*order) for order in kept.get("standing", ()))
    rest = PendingMoves(*kept["rest"]) if "rest" in kept else None
    texts, *place = kept.get("asked", ((), 0, 0))
    asked = AskedMoves(tuple(texts), *place) if texts else None
    return SeatIntentions(tuple(kept.get("phrases", ())), standing, rest, not kept.get("rolls by hand"), asked)


def change_intentions(session: GameSession, seat: Seat, **values: Any) -> None:
    """Replace the plan, the standing orders or the waiting moves of a seat."""
    wanted = replace(load_intentions(session, seat), **values)
    rest, asked = wanted.rest, wanted.asked
    parts = {
        "phrases": list(wanted.plan),
        "standing": [list(order) for order in wanted.standing],
        "rest": [*astuple(rest)] if rest is not None else [],
        "rolls by hand": not wanted.rolls,
        "asked": [list(asked.texts), asked.turn, asked.epoch] if asked is not None else [],
    }
    kept = {name: part for name, part in parts.items() if part}
    session.transaction.save_plan(session.row.id, seat, kept or None)


def find_asked(session: GameSession, seat: Seat) -> tuple[str, ...]:
    """The moves that our last question to a seat offered, if it is still about this turn."""
    asked = load_intentions(session, seat).asked
    here = (session.table.turn, session.table.epoch)
    return asked.texts if asked is not None and (asked.turn, asked.epoch) == here else ()


def forget_intentions(session: GameSession, seat: Seat) -> None:
    """Delete everything, for example because another player takes the seat."""
    session.transaction.save_plan(session.row.id, seat, None)


MOST: Final = 200
"""Turns that may follow by themselves before the next letter."""


@dataclass(slots=True)
class FollowUp:
    """What came of the intentions of seats."""

    dropped: dict[Seat, Decision] = field(default_factory=dict)
    """Plans that could not be played."""
    resumed: dict[Seat, Decision] = field(default_factory=dict)
    """Letters whose waiting moves were resumed, or could not be, and plans that chance stopped."""


def run_follow_ups(session: GameSession) -> FollowUp:
    """Play on as long as something follows by itself."""
    followed = FollowUp()
    for _ in range(MOST):
        if session.table.stage != PLAYING or session.table.pauses or session.table.due == (CHANCE,):
            break
        if not any(_play_one(session, seat, followed) for seat in session.table.due):
            break
    return followed


def _play_one(session: GameSession, seat: Seat, followed: FollowUp) -> bool:
    """Play for one seat. False if the player must be asked."""
    table = session.table
    if seat in table.resigned and must_await_round(session.dealer(), table):
        named = name_round(session.dealer(), table, seat)
        session.apply_events([named] if named is not None else [])
        return False
    if seat in table.resigned:
        text = random_moves(table, seat, session.dealer())
        return _apply_decision(session, play.play(table, seat, text, session.dealer(), letter="", by="chance"))
    wanted = load_intentions(session, seat)
    if wanted.rest is not None:
        return _resume(session, seat, wanted.rest, followed)
    return (
        _play_plan(session, seat, wanted, followed)
        or _run_standing_orders(session, seat, wanted)
        or _play_forced(session, seat, wanted)
        or _drop_plan(session, seat, wanted, followed)
    )


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
    until = rest.until if rest.until > format_timestamp(session.now) else ""
    decision = play.resume(table, seat, rest.text, session.dealer(), letter=rest.letter, until=until)
    save_pending_moves(session, seat, decision.ruling, rest.letter)
    followed.resumed[seat] = decision
    _apply_decision(session, decision)
    return True


def _is_countered(session: GameSession, seat: Seat, rest: PendingMoves) -> bool:
    """Whether another player made a counter-offer. Then the player must decide about the waiting moves."""
    return any(
        isinstance(event.payload, TurnPlayed)
        and event.payload.seat != seat
        and asks_others(session.table.game, event.phrase)
        for event in session.events[rest.since :]
    )


def save_pending_moves(session: GameSession, seat: Seat, ruling: SubmissionResult | None, letter: str) -> None:
    """Keep the moves of a letter that wait for answers, replacing any that waited before."""
    rest = None
    if ruling is not None and ruling.awaits:
        text, table = write_moves(session.table.game, ruling.later), session.table
        rest = PendingMoves(text, ruling.turn, table.epoch, letter, since=table.seq, until=ruling.until)
    change_intentions(session, seat, rest=rest)


def keep_rest(session: GameSession, seat: Seat, decision: Decision) -> None:
    """After moves of a player: keep what waits for the answers of others, and forget what waited before."""
    letters = [letter_of(draft.payload) for draft in decision.drafts if isinstance(draft.payload, TurnPlayed)]
    if letters and (is_script(session.table.game) or (decision.ruling is not None and decision.ruling.awaits)):
        save_pending_moves(session, seat, decision.ruling, letters[0])


def _play_plan(session: GameSession, seat: Seat, wanted: SeatIntentions, followed: FollowUp) -> bool:
    """Play the next planned turn if it is legal, or up to where chance stops it."""
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
    """Do what the standing orders of a seat say now."""
    text = ordered_moves(session.table, seat, wanted.standing)
    if not text:
        return False
    return _apply_decision(session, play.play(session.table, seat, text, session.dealer(), letter="", by=STANDING))


def _play_forced(session: GameSession, seat: Seat, wanted: SeatIntentions) -> bool:
    """Make the one move that a seat has, where everybody can see that. A plan that begins after it goes on then."""
    text = play.forced_moves(session.table, seat, rolls=wanted.rolls)
    if not text:
        return False
    return _apply_decision(session, play.play(session.table, seat, text, session.dealer(), letter="", by=FORCED))


def _drop_plan(session: GameSession, seat: Seat, wanted: SeatIntentions, followed: FollowUp) -> bool:
    """Delete plans if the next one cannot be played. The player is asked then."""
    if wanted.plan and not _owes_an_answer(session, seat):
        followed.dropped[seat] = _try_plan(session, seat, wanted.plan[0])
        change_intentions(session, seat, plan=())
    return False


def _owes_an_answer(session: GameSession, seat: Seat) -> bool:
    """Whether the seat is asked something in between, which no plan is for."""
    return session.table.game.by_default(session.table.position, seat) is not None


def _try_plan(session: GameSession, seat: Seat, text: str) -> Decision:
    return play.play(session.table, seat, text, session.dealer(), letter="", by="plan")


def _is_complete(decision: Decision) -> bool:
    return decision.ruling is not None and decision.ruling.is_legal and decision.ruling.complete


def _apply_decision(session: GameSession, decision: Decision) -> bool:
    session.apply_events(decision.drafts)
    return bool(decision.drafts)
