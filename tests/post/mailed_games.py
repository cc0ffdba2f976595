"""Games at a post, made by their events and played by chance: tables to write about."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from engine.chance import KeyedDealer
from engine.game import PUBLIC
from notation import write_moves
from pbem.events.chain import ORIGIN, Draft, Event, append_event
from pbem.events.codec import encode
from pbem.mail.commands.command import Command, CommandContext, decide
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.submit_moves import Play
from pbem.tables.chance import random_moves
from pbem.tables.fold import apply_event, fold
from pbem.tables.referee_decisions import open_table
from pbem.tables.table import PLAYING, Table
from tests.known_games import known_game

NOW = datetime(2026, 11, 17, 12, 0, tzinfo=UTC)


@dataclass
class Game:
    """A game in the making: its events, and the table they make."""

    events: list[Event]
    _folded: tuple[list[Event], Table] | None = field(default=None, compare=False, repr=False)
    """The events that were folded last, and the table after them."""

    @property
    def table(self) -> Table:
        known, table = self._folded or ([], None)
        if table is None or self.events[: len(known)] != known:
            known, table = self.events[:1], fold(self.events[:1])
        for event in self.events[len(known) :]:
            table = apply_event(table, event)
        self._folded = list(self.events), table
        return table

    def apply_events(self, drafts: Iterable[Draft]) -> None:
        for draft in drafts:
            head = self.events[-1].hash if self.events else ORIGIN
            at = (NOW - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
            self.events.append(append_event("sirocco-7", len(self.events), head, draft, at))

    def do(self, seat: str, command: Command) -> Any:
        moment = CommandContext(NOW, KeyedDealer(f"{len(self.events)}".encode()), secret=b"secret")
        decision = decide(self.table, seat, command, moment)
        self.apply_events(decision.drafts)
        return decision

    def play(self, turns: int) -> "Game":
        """Let everybody play by chance."""
        for _ in range(turns):
            table = self.table
            if table.stage != PLAYING:
                break
            (seat,) = table.due
            dealer = KeyedDealer(f"turn {table.turn}".encode())
            self.do(seat, Play(random_moves(table, seat, dealer)))
        return self

    def since(self, seat: str) -> tuple[Event, ...]:
        """The events after a seat's last turn."""
        own = [
            event.seq for event in self.events if encode(event.payload).get("seat") == seat and event.kind == "played"
        ]
        return tuple(event for event in self.events if event.seq > (own[-1] if own else 0))


WATCHERS = {"red": "Anna", "blue": "Boris", "yellow": "Chloé", "black": "דנה"}


@cache
def watched(key: str, moment: str) -> tuple[Event, ...]:
    """A game of the Brotherhood, played by chance until a moment of it has come."""
    game = Game([])
    opened = open_table(known_game(key), names=WATCHERS, options={}, terms={})
    assert isinstance(opened, Draft)
    game.apply_events([opened])
    for seat in game.table.seats:
        game.do(seat, AcceptInvitation(seat))
    for number in range(400):
        table = game.table
        view = table.game.view(table.position, PUBLIC)
        if MOMENTS[moment](game, view):
            return tuple(game.events)
        seat = table.due[number % len(table.due)]
        plies = {type(ply.move).__name__: ply.move for ply in table.game.legal(table.position) if ply.seat == seat}
        wanted = plies.get({"bargain": "Offer", "purchase": "Buy", "flood": "End"}.get(moment, ""))
        phrase = write_moves(table.game, (wanted,)) if wanted is not None and view["turn"] > 12 else None
        game.do(seat, Play(phrase or random_moves(table, seat, KeyedDealer(f"{moment} {number}".encode()))))
    raise AssertionError(moment)


MOMENTS: dict[str, Callable[[Game, Any], bool]] = {
    "bargain": lambda game, view: any(offer["to"] for offer in view["offers"]),
    "market": lambda game, view: view["waits_for"] == "trade" and can_trade(game, view["on_turn"]),
    "purchase": lambda game, view: any(encode(event.payload).get("phrase") == "buy" for event in game.events[-2:-1]),
    "flood": lambda game, view: view["waits_for"] == "discard",
    "reaction": lambda game, view: view["waits_for"] == "react",
}
"""An offer is open; the player on turn can trade and build; a card was bought; cards are discarded; Tarly is asked."""


def can_trade(game: Game, seat: str) -> bool:
    plies = game.table.game.legal(game.table.position)
    return {"Trade", "Road"} <= {type(ply.move).__name__ for ply in plies if ply.seat == seat}
