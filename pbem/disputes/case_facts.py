"""The deadlines of a disputed turn, worked out again from the events alone.

A seat may be asked more than once in a turn. So there is a line for every time that it was, from the moment at which it
became due to its first move after that.

The draws of a disputed turn: what each is bound to, and whether the committed seed brings it, signed by the post.

Of draws that were taken in with a record it can only be said that they were: no seed of this post brings them. Nor can
anything be said where somebody has put another seed into the database.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from engine.game import Seat
from pbem.clock.clock import Clock, Due, table_time
from pbem.clock.time_control import write_duration
from pbem.disputes.case_file import DeadlineItem, DrawItem
from pbem.disputes.replayed_history import ReplayedHistory
from pbem.events.chain import Event, phrase_of
from pbem.events.kinds import ChanceDealt, MovesMade, TurnUndone
from pbem.proof.draws import commit_seed
from pbem.proof.signatures import Signer
from pbem.proof.statements import Statement, sign_statement
from pbem.tables.redraw import redraw
from pbem.tables.table import Table
from pbem.workflow.context import format_timestamp
from pbem.workflow.session import replay_clock


def recompute_deadlines(
    history: ReplayedHistory, turn: int, upto: int, zones: Mapping[Seat, tzinfo]
) -> Iterator[DeadlineItem]:
    """Until when each seat that was due in a turn had time, and when it answered, as often as it was asked."""
    asked: list[_OpenRequest] = []
    clocks = list(replay_clock(history.events[:upto], history.tables[:upto], zones))
    met = clocks[:1] + clocks
    for event, table, before, after in zip(history.events, history.tables, met, clocks, strict=False):
        if isinstance(event.payload, TurnUndone) and event.payload.turn <= turn:
            asked = []
        for each in asked:
            each.meet(event, before, after)
        if table.turn == turn:
            waited_for = {each.seat for each in asked if each.told is None}
            asked += (_ask(seat, due, event) for seat, due in after.due.items() if seat not in waited_for)
    for each in asked:
        yield each.told or each.tell("not answered")


@dataclass
class _OpenRequest:
    """A seat that became due, and what came of it, if anything has."""

    seat: Seat
    since: datetime
    due: Due
    told: DeadlineItem | None = None

    def meet(self, event: Event, before: Clock, after: Clock) -> None:
        """See whether an event settles what was asked: in the turn that asked, or in a later one."""
        if self.told is not None:
            return
        now = after.due.get(self.seat)
        if isinstance(event.payload, MovesMade) and event.payload.seat == self.seat:
            self.told = self._answer(event, event.payload.by, before)
        elif now is None or (now.turn, now.asked) != (self.due.turn, self.due.asked):
            self.told = self.tell(f"nothing was asked any more from {event.at} on")
        else:
            # Pauses, absences and outages move a deadline.
            self.due = now

    def _answer(self, event: Event, by: str, clock: Clock) -> DeadlineItem:
        if by == "clock":
            grace = write_duration(clock.control.grace)
            return self.tell(f"no answer came; after a grace of {grace} the post moved, at {event.at}", event.seq)
        if by == "referee":
            return self.tell(f"the referee moved, at {event.at}", event.seq)
        # While time stands still, whatever comes is there at the moment at which it stopped.
        late = table_time(clock, datetime.fromisoformat(event.at)) > self.due.deadline
        return replace(self.tell("late" if late else "in time", event.seq), answered=event.at)

    def tell(self, verdict: str, event: int = 0) -> DeadlineItem:
        """The time that there was, and what to say of it."""
        return DeadlineItem(
            self.seat, format_timestamp(self.since), format_timestamp(self.due.deadline), "", verdict, event
        )


def _ask(seat: Seat, due: Due, event: Event) -> _OpenRequest:
    """A seat that is due after an event; after a move of its own it is asked from then on, in the time that it had."""
    goes_on = isinstance(event.payload, MovesMade) and event.payload.seat == seat
    return _OpenRequest(seat, datetime.fromisoformat(event.at) if goes_on else due.since, due)


def punctuality(times: Iterable[DeadlineItem], seat: str, received: str, caused: Container[int]) -> str:
    """Whether a letter came before the deadline that it was about; nothing, if its seat was not due.

    It is about what one of its events answers, or else about what its seat was asked last before it came.
    """
    asked = [time for time in times if time.seat == seat]
    if not asked:
        return ""
    before = [time for time in asked if time.since <= received]
    answered = [time for time in asked if time.event in caused]
    (about, *_) = answered or before[-1:] or asked
    return f"{'after' if received > about.deadline else 'before'} the deadline"


def prove_draws(
    history: ReplayedHistory, events: Iterable[Event], seed: bytes, viewer: str, signer: Signer | None
) -> Iterator[DrawItem]:
    """Draw again what chance has settled. The picks themselves are shown once the seed is open."""
    for event in events:
        table = history.before(event)
        if event.seq <= table.proof.get("taken_in", 0):
            if isinstance(event.payload, ChanceDealt):
                yield _unknown(table, event, _said(history, event, viewer))
            continue
        redrawn = redraw(table, event, seed)
        if redrawn is None or not redrawn.picks:
            continue
        if not is_promised(table, seed):
            # Whatever another seed draws says nothing of the one that was promised.
            yield replace(_unknown(table, event, _said(history, event, viewer)), lost=True)
            continue
        picks = [f"{pick.purpose}: {pick.outcome} of {pick.many}" for pick in redrawn.picks] if history.is_over else []
        yield DrawItem(
            event.seq,
            _said(history, event, viewer),
            table.epoch,
            table.moves.length,
            table.moves.head,
            redrawn.fits,
            picks=tuple(picks),
            statement=_state(table, event, signer, follows=redrawn.fits) if signer is not None else (),
        )


def is_promised(table: Table, seed: bytes) -> bool:
    """Whether a seed is the one that was committed to before anybody accepted."""
    return commit_seed(table.id, seed) == table.proof.get("seed")


def _said(history: ReplayedHistory, event: Event, viewer: str) -> str:
    return phrase_of(event, None if history.is_over else viewer)


def _unknown(table: Table, event: Event, said: str) -> DrawItem:
    """A draw whose seed is not here: the post that would sign anything about it would say what it cannot know."""
    return DrawItem(event.seq, said, table.epoch, table.moves.length, table.moves.head, None)


def _state(table: Table, event: Event, signer: Signer, *, follows: bool) -> tuple[str, ...]:
    """What the post says about a draw, for the referee to keep until the seed is open."""
    statement = Statement(
        post=signer.name,
        game=table.id,
        event=(event.seq, event.hash),
        seed=str(table.proof.get("seed", "")),
        place=(table.epoch, table.moves.length, table.moves.head),
        follows=follows,
        key=signer.key_id,
    )
    return sign_statement(statement, signer)
