"""Tables to write about: real games, opened, accepted and played through their events."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from functools import cache
from typing import Any

import pytest

from engine.chance import KeyedDealer
from engine.through_the_desert import GAME
from pbem.ledger.event import ORIGIN, Draft, Event, append
from pbem.letters.composing import Composer
from pbem.letters.mail import Mail
from pbem.letters.occasions import Occasion
from pbem.letters.people import Correspondent, Post, Slip
from pbem.orders import commands
from pbem.tables.deciding import Moment, decide
from pbem.tables.folding import fold
from pbem.tables.opening import open_table
from pbem.tables.playing import chosen_by_chance
from pbem.tables.table import PLAYING, Table

NOW = datetime(2026, 11, 17, 12, 0, tzinfo=UTC)
NAMES = {"red": "Anna", "blue": "Boris", "green": "Chloé", "orange": "דנה"}
POST = Post("caravan@post.example", "Caravan Post", b"a key for tests")
REPLY_TO = "caravan+sirocco-7.red.12.0.abcdefghijklmnop@post.example"


@dataclass
class Game:
    """A game in the making: its events, and the table they make."""

    events: list[Event]

    @property
    def table(self) -> Table:
        return fold(self.events)

    def happen(self, drafts: Iterable[Draft]) -> None:
        for draft in drafts:
            head = self.events[-1].hash if self.events else ORIGIN
            at = (NOW - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
            self.events.append(append("sirocco-7", len(self.events), head, draft, at))

    def do(self, seat: str, command: commands.Command) -> Any:
        moment = Moment(NOW, KeyedDealer(f"{len(self.events)}".encode()), secret=b"secret")
        decision = decide(self.table, seat, command, moment)
        self.happen(decision.drafts)
        return decision

    def play(self, turns: int) -> "Game":
        """Let everybody play by chance."""
        for _ in range(turns):
            table = self.table
            if table.stage != PLAYING:
                break
            (seat,) = table.due
            dealer = KeyedDealer(f"turn {table.turn}".encode())
            self.do(seat, commands.Play(chosen_by_chance(table, seat, dealer)))
        return self

    def since(self, seat: str) -> tuple[Event, ...]:
        """The events after a seat's last turn."""
        own = [event.seq for event in self.events if event.data.get("seat") == seat and event.kind == "played"]
        return tuple(event for event in self.events if event.seq > (own[-1] if own else 0))


def invite(names: dict[str, str] | None = None, **terms: Any) -> Game:
    """A table laid, nobody has answered yet."""
    opened = open_table(GAME, names=names or NAMES, options={}, terms=terms)
    assert isinstance(opened, Draft)
    game = Game([])
    game.happen([opened])
    return game


def begin(names: dict[str, str] | None = None, **terms: Any) -> Game:
    """A game that has just begun."""
    game = invite(names, **terms)
    for seat in game.table.seats:
        game.do(seat, commands.Accept(f"stirred by {seat}"))
    assert game.table.stage == PLAYING
    return game


@cache
def _played(turns: int) -> tuple[Event, ...]:
    return tuple(begin().play(turns).events)


@pytest.fixture
def played() -> Callable[[int], Game]:
    """Give a four-player game after so many turns, free to be played on."""
    return lambda turns: Game(list(_played(turns)))


@pytest.fixture
def start_game() -> Callable[..., Game]:
    return begin


@pytest.fixture
def lay_table() -> Callable[..., Game]:
    return invite


@pytest.fixture(scope="session")
def composer() -> Composer:
    return Composer(POST)


@pytest.fixture
def slip() -> Slip:
    """An envelope for Anna at red."""
    reader = Correspondent("Anna", "anna@example.org", zone="Europe/Warsaw")
    return Slip("red", reader, 7, REPLY_TO, NOW)


@pytest.fixture
def compose(composer: Composer, slip: Slip) -> Callable[..., Mail]:
    """Compose a mail to Anna, or with changes to her and her envelope."""

    def write(table: Table, occasion: Occasion, deadlines: Any = None, **changes: Any) -> Mail:
        person = {name: changes.pop(name) for name in ("name", "language", "zone", "plain") if name in changes}
        own = replace(slip, to=replace(slip.to, **person), **changes)
        due = {seat: NOW + timedelta(days=2, hours=6) for seat in table.due} if deadlines is None else deadlines
        return composer.compose(table, own, occasion, due)

    return write


def parts(mail: Mail) -> dict[str, str]:
    """The text of the parts of a mail, by content type."""
    read: Message = message_from_bytes(mail.raw)
    return {
        part.get_content_type(): part.get_payload(decode=True).decode("utf-8").replace("\r\n", "\n")
        for part in read.walk()
        if part.get_content_maintype() == "text" and part.get_filename() is None
    }


@pytest.fixture
def read() -> Callable[[Mail], dict[str, str]]:
    return parts
