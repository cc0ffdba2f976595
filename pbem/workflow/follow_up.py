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
from pbem.judging.submission import SubmissionResult, asks
from pbem.mail.commands.commands import Play
from pbem.tables import play
from pbem.tables.chance import chosen_by_chance, must_wait, name_round
from pbem.tables.decision import Decision
from pbem.tables.standing_orders import STANDING, StandingOrder, bidden
from pbem.tables.table import AWAITED, PLAYING
from pbem.workflow.session import GameSession


@dataclass(frozen=True, slots=True)
class Rest:
    """Moves of a letter that wait for the answers of others, and the turn they are for."""

    text: str
    turn: int
    epoch: int
    letter: str
    """The digest of the letter, for the record."""
    since: int
    """The number of the last event before the letter."""


@dataclass(frozen=True, slots=True)
class Intentions:
    """What one seat wants done."""

    plan: tuple[str, ...] = ()
    """Whole turns, the next first."""
    standing: tuple[StandingOrder, ...] = ()
    rest: Rest | None = None


def load_intentions(desk: GameSession, seat: Seat) -> Intentions:
    """What a seat wants done."""
    kept = desk.transaction.load_plan(desk.row.id, seat)
    if not kept:
        return Intentions()
    standing = tuple(StandingOrder(*order) for order in kept.get("standing", ()))
    rest = Rest(*kept["rest"]) if "rest" in kept else None
    return Intentions(tuple(kept.get("phrases", ())), standing, rest)


def change_intentions(desk: GameSession, seat: Seat, **values: Any) -> None:
    """Keep something else under plan, standing or rest, in place of what was kept before."""
    wanted = replace(load_intentions(desk, seat), **values)
    data: dict[str, Any] = {}
    if wanted.plan:
        data["phrases"] = list(wanted.plan)
    if wanted.standing:
        data["standing"] = [list(order) for order in wanted.standing]
    if (rest := wanted.rest) is not None:
        data["rest"] = [rest.text, rest.turn, rest.epoch, rest.letter, rest.since]
    desk.transaction.save_plan(desk.row.id, seat, data or None)


def forget_intentions(desk: GameSession, seat: Seat) -> None:
    """Let all of it go, as when somebody else takes the seat."""
    desk.transaction.save_plan(desk.row.id, seat, None)


MOST: Final = 200
"""Turns that may follow by themselves before a letter is needed."""


@dataclass(slots=True)
class Followed:
    """What came of what seats had wanted, by seat."""

    dropped: dict[Seat, Decision] = field(default_factory=dict)
    """Plans that could not be played."""
    resumed: dict[Seat, Decision] = field(default_factory=dict)
    """Letters that went on, or were to go on, once the answers were there; and plans that chance stopped."""


def follow(desk: GameSession) -> Followed:
    """Play on by itself as far as that goes."""
    followed = Followed()
    for _ in range(MOST):
        if desk.table.stage != PLAYING or desk.table.pauses or desk.table.due == (CHANCE,):
            break
        if not any(_play_one(desk, seat, followed) for seat in desk.table.due):
            break
    return followed


def _play_one(desk: GameSession, seat: Seat, followed: Followed) -> bool:
    """Play for a seat, if there is a reason to; False if it must be asked."""
    table = desk.table
    if seat in table.resigned and must_wait(desk.dealer(), table):
        named = name_round(desk.dealer(), table, seat)
        desk.happen([named] if named is not None else [])
        return False
    if seat in table.resigned:
        text = chosen_by_chance(table, seat, desk.dealer())
        return _happens(desk, play.play(table, seat, Play(text), desk.dealer(), letter="", by="chance"))
    wanted = load_intentions(desk, seat)
    if wanted.rest is not None:
        return _resume(desk, seat, wanted.rest, followed)
    if not wanted.plan and not wanted.standing:
        return False
    planned = _plays_plan(desk, seat, wanted, followed)
    return planned or _obeys(desk, seat, wanted) or _drops_plan(desk, seat, wanted, followed)


def _resume(desk: GameSession, seat: Seat, rest: Rest, followed: Followed) -> bool:
    """Let a letter go on whose answers are there; one that is for another turn by now is forgotten."""
    table = desk.table
    if (rest.turn, rest.epoch) != (table.turn, table.epoch):
        change_intentions(desk, seat, rest=None)
        return True
    if _is_countered(desk, seat, rest):
        followed.resumed[seat] = play.hold(table, seat, rest.text)
        change_intentions(desk, seat, rest=None)
        return False
    if any(other != seat for other in table.due):
        return False
    decision = play.resume(table, seat, rest.text, desk.dealer(), letter=rest.letter)
    keep_rest(desk, seat, decision.ruling, rest.letter)
    followed.resumed[seat] = decision
    _happens(desk, decision)
    return True


def _is_countered(desk: GameSession, seat: Seat, rest: Rest) -> bool:
    """Whether somebody has answered with a question: then the letter does not go on without its writer."""
    made = [event for event in desk.events if event.seq > rest.since and event.kind == "played"]
    return any(asks(desk.table.game, event.phrase) for event in made if event.data["seat"] != seat)


def keep_rest(desk: GameSession, seat: Seat, ruling: SubmissionResult | None, letter: str) -> None:
    """Keep what a letter's moves wait for, in place of any that waited before."""
    rest = None
    if ruling is not None and ruling.awaits:
        text, table = write_moves(desk.table.game, ruling.later), desk.table
        rest = Rest(text, ruling.turn, table.epoch, letter, since=table.seq)
    change_intentions(desk, seat, rest=rest)


def _plays_plan(desk: GameSession, seat: Seat, wanted: Intentions, followed: Followed) -> bool:
    """Play the next planned turn if it is legal; or as far as it goes, if it is chance that stops it."""
    if not wanted.plan or _owes_an_answer(desk, seat):
        return False
    decision = _try(desk, seat, wanted.plan[0])
    if _is_whole(decision):
        change_intentions(desk, seat, plan=wanted.plan[1:])
        return _happens(desk, decision)
    if any(draft.kind in ("dealt", AWAITED) for draft in decision.drafts):
        change_intentions(desk, seat, plan=())
        keep_rest(desk, seat, decision.ruling, "")
        followed.resumed[seat] = decision
        return _happens(desk, decision)
    return False


def _obeys(desk: GameSession, seat: Seat, wanted: Intentions) -> bool:
    """Do what standing orders bid a seat do now."""
    text = bidden(desk.table, seat, wanted.standing)
    if not text:
        return False
    return _happens(desk, play.play(desk.table, seat, Play(text), desk.dealer(), letter="", by=STANDING))


def _drops_plan(desk: GameSession, seat: Seat, wanted: Intentions, followed: Followed) -> bool:
    """Forget plans of which the next cannot be played; the seat is asked then."""
    if wanted.plan and not _owes_an_answer(desk, seat):
        followed.dropped[seat] = _try(desk, seat, wanted.plan[0])
        change_intentions(desk, seat, plan=())
    return False


def _owes_an_answer(desk: GameSession, seat: Seat) -> bool:
    """Whether a seat is asked something in between, for which no turn is planned."""
    return desk.table.game.by_default(desk.table.position, seat) is not None


def _try(desk: GameSession, seat: Seat, text: str) -> Decision:
    return play.play(desk.table, seat, Play(text), desk.dealer(), letter="", by="plan")


def _is_whole(decision: Decision) -> bool:
    return decision.ruling is not None and decision.ruling.stands and decision.ruling.complete


def _happens(desk: GameSession, decision: Decision) -> bool:
    desk.happen(decision.drafts)
    return bool(decision.drafts)
