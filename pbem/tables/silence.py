"""What happens when a seat is out of time, and when a beacon round that a draw waited for is published.

The table agreed on a policy for silence when it was opened. Callers watch the clocks and fetch and check the pulses;
this module only decides.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from engine.chance import Dealer
from engine.game import CHANCE, Seat
from notation import write_moves
from pbem.events.chain import Draft
from pbem.events.kinds import RoundPublished
from pbem.judging.submission import is_offered
from pbem.proof.public_beacon import Pulse
from pbem.tables.absences import SUBSTITUTE, await_player, leave_seat, substitute_wanted
from pbem.tables.chance import DEFAULT, must_await_round, name_round, random_moves
from pbem.tables.consequences import add_consequences
from pbem.tables.decision import ALL, REFEREE, Decision, Notice
from pbem.tables.fold import apply_drafts
from pbem.tables.play import play, start
from pbem.tables.table import INVITING, PLAYING, Table


class LateSeat(NamedTuple):
    """A seat that has not answered in time."""

    table: Table
    seat: Seat
    plan: Sequence[str]
    """The moves that its player planned, the next turn first."""
    dealer: Dealer


def handle_timeout(table: Table, seat: Seat, *, plan: Sequence[str] = (), dealer: Dealer) -> Decision:
    """The decision when a seat is out of time; empty if the seat is not due or has no player."""
    if table.stage != PLAYING or seat not in table.due or seat in table.resigned:
        return Decision()
    meant = table.game.by_default(table.position, seat)
    if meant is not None:
        answered = _play_text(LateSeat(table, seat, plan, dealer), write_moves(table.game, (meant,)))
        # An offer lapses for all alike: nobody is told of a move, and nobody has to have known of the offer.
        return replace(answered, notices=()) if is_offered_briefly(table, seat) else answered
    policy = SILENCE_POLICIES[str(table.terms.get("silence", "wait"))]
    return policy(LateSeat(table, seat, plan, dealer))


def is_offered_briefly(table: Table, seat: Seat) -> bool:
    """Whether a seat is offered something at a table where offers lapse after a short time of their own."""
    return table.has_short_offers and table.stage == PLAYING and is_offered(table.game, table.position, seat)


def _wait(late: LateSeat) -> Decision:
    return Decision(notices=(Notice(REFEREE, "late", late.seat), Notice(ALL, "late", late.seat)))


def _play(late: LateSeat) -> Decision:
    """Play the plan if it is legal, else the declared default, else random moves; a failed plan is deleted."""
    for text in late.plan[:1]:
        planned = _play_text(late, text, by="plan")
        if _completes(planned):
            return replace(planned, plan=tuple(late.plan[1:]))
    declared = late.table.terms.get(DEFAULT)
    decision = _play_text(late, str(declared)) if declared else Decision()
    if not _completes(decision):
        decision = play_by_chance(late)
    return replace(decision, plan=()) if late.plan else decision


def _play_text(late: LateSeat, text: str, *, by: str = "clock") -> Decision:
    decision = play(late.table, late.seat, text, late.dealer, letter="", by=by)
    return replace(decision, notices=(Notice(late.seat, "played for", about=text),))


def play_by_chance(late: LateSeat) -> Decision:
    """Play a turn of random moves, going on after dice and cards."""
    table, happened = late.table, list[Draft]()
    if must_await_round(late.dealer, table):
        named = name_round(late.dealer, table, late.seat)
        return Decision((named,) if named is not None else ())
    first = made = _play_text(late, random_moves(table, late.seat, late.dealer))
    while made.drafts:
        happened += made.drafts
        table = apply_drafts(table, made.drafts)
        if table.stage != PLAYING or late.seat not in table.due or table.turn != late.table.turn:
            break
        made = _play_text(late._replace(table=table), random_moves(table, late.seat, late.dealer))
    return replace(first, drafts=tuple(happened))


def _completes(decision: Decision) -> bool:
    return decision.ruling is not None and decision.ruling.is_legal and decision.ruling.complete


def _seek_substitute(late: LateSeat) -> Decision:
    return Decision(await_player(late.table, late.seat), notices=(substitute_wanted(late.seat),))


def _forfeit(late: LateSeat) -> Decision:
    drafts = leave_seat(late.table, late.seat, "time", "clock")
    return Decision(add_consequences(late.table, drafts, late.dealer), notices=(Notice(late.seat, "forfeited"),))


SILENCE_POLICIES: Final[Mapping[str, Callable[[LateSeat], Decision]]] = {
    "wait": _wait,
    "play": _play,
    SUBSTITUTE: _seek_substitute,
    "forfeit": _forfeit,
}
"""The policies for silence that a table's terms can name."""


def apply_round(table: Table, pulse: Pulse, dealer: Dealer) -> Decision:
    """The decision when the round that a table waits for is published: the draws that waited are made."""
    published = Draft(RoundPublished(pulse.round, pulse.signature))
    seat, out = table.rounds.seat, apply_drafts(table, [published])
    if table.stage == INVITING:
        begun = start(out, dealer)
        return Decision(add_consequences(table, [published, begun] if begun is not None else [published], dealer))
    if seat == CHANCE or seat in table.resigned or seat not in table.due:
        return Decision(add_consequences(table, [published], dealer))
    made = play_by_chance(LateSeat(out, seat, (), dealer))
    return replace(made, drafts=(published, *made.drafts))
