"""A table of people who do as they are told."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.chance import KeyedDealer
from engine.game import Game, Seat
from engine.through_the_desert import GAME
from pbem.events.chain import ORIGIN, Draft, Event, append_event, first_broken
from pbem.mail.commands.command import Command, CommandContext, decide
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.submit_moves import Play
from pbem.tables.chance import random_moves
from pbem.tables.decision import Decision
from pbem.tables.fold import apply_event, fold
from pbem.tables.referee_decisions import open_table

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
NAMES = ("Anna", "Boris", "Chaja", "Dirk", "Ewa")


class Sitting:
    """A table that grows event by event; every step is checked against folding all of them."""

    def __init__(
        self, players: int, *, begun: bool = True, terms: Mapping[str, Any] | None = None, game: Game[Any] = GAME
    ) -> None:
        self.now = NOON
        self.id = "sirocco-7"
        names = dict(zip(game.seats[:players], NAMES, strict=False))
        first = open_table(game, names=names, options={}, terms=terms or {})
        assert isinstance(first, Draft)
        self.events: list[Event] = [append_event(self.id, 0, ORIGIN, first, self.at)]
        self.table = fold(self.events)
        if begun:
            for seat in names:
                self.do(seat, AcceptInvitation())

    @property
    def at(self) -> str:
        return self.now.strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def dealer(self) -> KeyedDealer:
        return KeyedDealer(f"{self.id} {len(self.events)}".encode())

    @property
    def moment(self) -> CommandContext:
        return CommandContext(self.now, self.dealer, letter="d1" * 32, secret=b"key")

    def apply_events(self, drafts: Iterable[Draft]) -> None:
        for draft in tuple(drafts):
            event = append_event(self.id, self.table.seq, self.table.head, draft, self.at)
            self.table = apply_event(self.table, event)
            self.events.append(event)

    def check(self) -> None:
        assert first_broken(self.events) is None
        assert fold(self.events) == self.table

    def do(self, seat: Seat, command: Command, *, later: timedelta = timedelta()) -> Decision:
        """Let a seat send a command."""
        self.now += later
        decision = decide(self.table, seat, command, self.moment)
        self.apply_events(decision.drafts)
        return decision

    def turn(self) -> Decision:
        """Let the seat that is due play by chance."""
        (seat,) = self.table.due
        return self.do(seat, Play(random_moves(self.table, seat, self.dealer)))

    def turns(self, count: int) -> "Sitting":
        for _ in range(count):
            self.turn()
        return self


@pytest.fixture
def sit() -> Callable[..., Sitting]:
    """Lay a table for so many players."""
    return Sitting
