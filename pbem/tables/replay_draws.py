"""Draws replayed from the seed: every pick, and whether the result is what the event says."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from engine.chance import Dealer
from notation import write_moves
from pbem.events.chain import Event
from pbem.events.kinds import ChanceDealt, GameStarted, MovesMade, TurnPlayed
from pbem.tables.chance import DEFAULT, GameDealer, NoRoundError, random_moves
from pbem.tables.fold import apply_event, fold
from pbem.tables.table import Table, is_drawn


class Pick(NamedTuple):
    """One pick of a Dealer: the outcome, the number of outcomes, and the purpose."""

    outcome: int
    many: int
    purpose: str


class ReplayedDraw(NamedTuple):
    """The picks of a replayed draw, and whether the result fits the event."""

    fits: bool
    picks: tuple[Pick, ...] = ()


class _RecordingDealer:
    """A Dealer that records its picks."""

    def __init__(self, dealer: Dealer) -> None:
        self.picks: list[Pick] = []
        self._dealer = dealer

    def pick(self, count: int, purpose: str) -> int:
        outcome = self._dealer.pick(count, purpose)
        self.picks.append(Pick(outcome, count, purpose))
        return outcome


def replay_draw(table: Table, event: Event, seed: bytes) -> ReplayedDraw | None:
    """Replay the draws of an event at the table before it; None if nothing was drawn for it."""
    try:
        return _replay(table, event, seed)
    except NoRoundError:
        return ReplayedDraw(False)


def _replay(table: Table, event: Event, seed: bytes) -> ReplayedDraw | None:
    happened, game = event.payload, table.game
    if not is_drawn(happened):
        return None
    if (
        isinstance(happened, MovesMade)
        and happened.by == "clock"
        and event.phrase == _default_phrase(table, happened.seat)
    ):
        return ReplayedDraw(True)
    dealer = _RecordingDealer(GameDealer(seed, now=datetime.fromisoformat(event.at)).at(table))
    fits = False
    match happened:
        case GameStarted(options=options):
            fits = dict(game.lay_out(table.setup, dealer).options) == options
        case ChanceDealt(seat=seat, by=by):
            drawn = game.deal(table.position, dealer)
            fits = (drawn.seat, write_moves(game, (drawn.move,)), "dealer") == (seat, event.phrase, by)
        case TurnPlayed(seat=seat):
            fits = event.phrase == random_moves(table, seat, dealer)
    return ReplayedDraw(fits, tuple(dealer.picks))


def _default_phrase(table: Table, seat: str) -> str | None:
    """The move that is played for a silent seat without a draw, if there is one."""
    meant = table.game.by_default(table.position, seat)
    declared = table.terms.get(DEFAULT)
    return write_moves(table.game, (meant,)) if meant is not None else str(declared) if declared else None


def replay_all_draws(events: Sequence[Event], seed: bytes, *, taken_in: int = 0) -> dict[int, tuple[Pick, ...]]:
    """Every pick of a game by the number of its event; the first `taken_in` events were drawn elsewhere."""
    table: Table | None = None
    found: dict[int, tuple[Pick, ...]] = {}
    last = max((event.seq for event in events if is_drawn(event.payload)), default=0)
    for event in events:
        if event.seq > last:
            break  # many games draw nothing after the start, and replaying them takes long
        if table is None:
            table = fold([event])
            continue
        if event.seq > taken_in and (redrawn := replay_draw(table, event, seed)) is not None and redrawn.picks:
            found[event.seq] = redrawn.picks
        table = apply_event(table, event)
    return found
