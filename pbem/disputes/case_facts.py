"""The deadlines and draws of a disputed turn, computed again from the events.

A seat can be asked more than once in a turn. There is one item for each time, from when the seat became due to its next
move.

For each draw the page shows what it was bound to and whether the committed seed gives it, as a statement signed by the
post. Nothing can be said about draws that were imported with a record, or if the seed in the database was replaced.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from engine.game import Seat
from pbem.clock.clock import Clock, Due, table_time
from pbem.clock.time_control import format_duration
from pbem.disputes.case_file import DeadlineItem, DrawItem
from pbem.disputes.case_words import (
    AFTER,
    BEFORE,
    CLOCK_MOVED,
    IN_TIME,
    LATE,
    NOT_ANSWERED,
    NOT_ASKED,
    REFEREE_MOVED,
    Said,
)
from pbem.disputes.replayed_history import ReplayedHistory
from pbem.events.chain import Event, phrase_of
from pbem.events.kinds import ChanceDealt, MovesMade, TurnUndone
from pbem.proof.draws import commit_seed
from pbem.proof.signatures import Signer
from pbem.proof.statements import Statement, sign_statement
from pbem.store.timestamps import format_timestamp
from pbem.tables.replay_draws import replay_draw
from pbem.tables.table import Table
from pbem.workflow.session import replay_clock


def recompute_deadlines(
    history: ReplayedHistory, turn: int, upto: int, zones: Mapping[Seat, tzinfo]
) -> Iterator[DeadlineItem]:
    """Each time a seat was due in a turn: its deadline, and when it answered."""
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
        yield each.told or each.tell(Said.of(NOT_ANSWERED))


@dataclass
class _OpenRequest:
    """A seat that became due, and how that ended, if it has."""

    seat: Seat
    since: datetime
    due: Due
    told: DeadlineItem | None = None

    def meet(self, event: Event, before: Clock, after: Clock) -> None:
        """Check whether an event settles the request, in its own turn or a later one."""
        if self.told is not None:
            return
        now = after.due.get(self.seat)
        if isinstance(event.payload, MovesMade) and event.payload.seat == self.seat:
            self.told = self._answer(event, event.payload.by, before)
        elif now is None or (now.turn, now.asked) != (self.due.turn, self.due.asked):
            self.told = self.tell(Said.of(NOT_ASKED, moment=event.at))
        else:
            # Pauses, absences and outages move a deadline.
            self.due = now

    def _answer(self, event: Event, by: str, clock: Clock) -> DeadlineItem:
        if by == "clock":
            grace = format_duration(clock.control.grace)
            return self.tell(Said.of(CLOCK_MOVED, grace=grace, moment=event.at), event.seq)
        if by == "referee":
            return self.tell(Said.of(REFEREE_MOVED, moment=event.at), event.seq)
        # While the clock is stopped, everything counts as if it came when the clock stopped.
        late = table_time(clock, datetime.fromisoformat(event.at)) > self.due.deadline
        return replace(self.tell(Said.of(LATE if late else IN_TIME), event.seq), answered=event.at)

    def tell(self, verdict: str, event: int = 0) -> DeadlineItem:
        """The deadline item, with a verdict."""
        return DeadlineItem(
            self.seat, format_timestamp(self.since), format_timestamp(self.due.deadline), "", verdict, event
        )


def _ask(seat: Seat, due: Due, event: Event) -> _OpenRequest:
    """A seat that is due after an event. After its own move the request starts anew with the time that is left."""
    goes_on = isinstance(event.payload, MovesMade) and event.payload.seat == seat
    return _OpenRequest(seat, datetime.fromisoformat(event.at) if goes_on else due.since, due)


def punctuality(times: Iterable[DeadlineItem], seat: str, received: str, caused: Container[int]) -> str:
    """Whether a letter came before its deadline; empty if its seat was not due.

    The deadline is that of the request which one of its events answers, or else of the last request before it came.
    """
    asked = [time for time in times if time.seat == seat]
    if not asked:
        return ""
    before = [time for time in asked if time.since <= received]
    answered = [time for time in asked if time.event in caused]
    (about, *_) = answered or before[-1:] or asked
    return Said.of(AFTER if received > about.deadline else BEFORE)


def prove_draws(
    history: ReplayedHistory, events: Iterable[Event], seed: bytes, viewer: str, signer: Signer | None
) -> Iterator[DrawItem]:
    """Draw again what chance settled. The picks are shown only once the seed is open."""
    for event in events:
        table = history.before(event)
        if event.seq <= table.taken_in:
            if isinstance(event.payload, ChanceDealt):
                yield _unknown(table, event, _said(history, event, viewer))
            continue
        redrawn = replay_draw(table, event, seed)
        if redrawn is None or not redrawn.picks:
            continue
        if not is_promised(table, seed):
            # What another seed draws tells nothing about the committed one.
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
    """Whether a seed is the one that was committed to before the game."""
    return commit_seed(table.id, seed) == table.proof.get("seed")


def _said(history: ReplayedHistory, event: Event, viewer: str) -> str:
    return phrase_of(event, None if history.is_over else viewer)


def _unknown(table: Table, event: Event, said: str) -> DrawItem:
    """A draw whose seed we do not have. The post must not sign anything about it."""
    return DrawItem(event.seq, said, table.epoch, table.moves.length, table.moves.head, None)


def _state(table: Table, event: Event, signer: Signer, *, follows: bool) -> tuple[str, ...]:
    """The post's signed statement about a draw, for the referee to keep until the seed is open."""
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
