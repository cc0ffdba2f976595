"""Draws made again: what chance brings at a table, pick by pick, and whether that is what happened there."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from engine.chance import Dealer
from notation import write_moves
from pbem.events.chain import Event
from pbem.tables.chance import DEFAULT, GameDealer, NoRoundError, chosen_by_chance
from pbem.tables.fold import fold, step
from pbem.tables.table import BY_CHANCE, Table


class Pick(NamedTuple):
    """One answer of a Dealer: an outcome, of how many, and what for."""

    outcome: int
    many: int
    purpose: str


class Redrawn(NamedTuple):
    """What chance was asked and answered, and whether that is what happened."""

    fits: bool
    picks: tuple[Pick, ...] = ()


class _Listening:
    """A Dealer that remembers what it said."""

    def __init__(self, dealer: Dealer) -> None:
        self.picks: list[Pick] = []
        self._dealer = dealer

    def pick(self, count: int, purpose: str) -> int:
        outcome = self._dealer.pick(count, purpose)
        self.picks.append(Pick(outcome, count, purpose))
        return outcome


def _is_drawn(event: Event) -> bool:
    """Whether chance may have had a hand in an event."""
    return event.kind in ("started", "dealt") or (event.kind == "played" and event.data.get("by") in BY_CHANCE)


def redraw(table: Table, event: Event, seed: bytes) -> Redrawn | None:
    """Draw again at a table what an event says was drawn there; None if chance had no hand in it."""
    try:
        return _redraw(table, event, seed)
    except NoRoundError:
        return Redrawn(False)


def _redraw(table: Table, event: Event, seed: bytes) -> Redrawn | None:
    kind, data, game = event.kind, event.data, table.game
    if not _is_drawn(event):
        return None
    if data.get("by") == "clock" and event.phrase == _usual(table, data["seat"]):
        return Redrawn(True)
    dealer = _Listening(GameDealer(seed, now=datetime.fromisoformat(event.at)).at(table))
    if kind == "started":
        fits = dict(game.lay_out(table.setup, dealer).options) == data["options"]
    elif kind == "dealt":
        drawn = game.deal(table.position, dealer)
        said = (drawn.seat, write_moves(game, (drawn.move,)), "dealer")
        fits = said == (data["seat"], event.phrase, data["by"])
    else:
        fits = event.phrase == chosen_by_chance(table, data["seat"], dealer)
    return Redrawn(fits, tuple(dealer.picks))


def _usual(table: Table, seat: str) -> str | None:
    """What silence stands for at a table, without a draw."""
    meant = table.game.by_default(table.position, seat)
    declared = table.terms.get(DEFAULT)
    return write_moves(table.game, (meant,)) if meant is not None else str(declared) if declared else None


def all_picks(events: Sequence[Event], seed: bytes, *, taken_in: int = 0) -> dict[int, tuple[Pick, ...]]:
    """Every pick of a game by the number of its event; those of events that were taken in were made elsewhere."""
    table: Table | None = None
    found: dict[int, tuple[Pick, ...]] = {}
    last = max((event.seq for event in events if _is_drawn(event)), default=0)
    for event in events:
        if event.seq > last:
            break  # many games draw nothing once they have begun, and to play on takes long
        if table is None:
            table = fold([event])
            continue
        if event.seq > taken_in and (redrawn := redraw(table, event, seed)) is not None and redrawn.picks:
            found[event.seq] = redrawn.picks
        table = step(table, event)
    return found
