"""A world with one post and one table, in which hours pass, mail is on its way, and the post falls and stands up again.

One thread, one seed: the same seed makes the same world to the last byte. Everything but the roads is the house's own.
"""

import json
import secrets
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from functools import partial
from hashlib import sha256
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import patch

from engine.chance import KeyedDealer
from engine.game import Seat, Setup
from engine.registry import find_game
from pbem.clock.clock import decode_clock
from pbem.clock.time_control import add_durations, control_from_terms
from pbem.demo.mail_programs import PROGRAMS
from pbem.demo.players import plan_moves
from pbem.events.chain import Event
from pbem.mail.transport.protocols import Checked, Deferred, Rejected, SendResult, Sent
from pbem.service.send_queue import send_due
from pbem.service.single_run import WorkDone, work_once
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.tables.fold import fold
from pbem.tables.table import AT_ONCE, FORCED, PLAYING, Table
from pbem.workflow.context import PostContext, events_from_rows, open_context
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.new_tables import terms_of
from pbem.workflow.open_game import Guest, Invitation, open_table
from pbem.workflow.session import GameSession
from pbem.workflow.tick import give_back_outage, tick
from tests.post.post_games import START, TABLE, Hours, found_post
from tests.post.towns import PEOPLE
from tests.post.weather.people import MURMURS, Person, bounce, forge
from tests.post.weather.sky import CALM, FLOODED, LAST_MINUTE, Weather, stormy

if TYPE_CHECKING:
    from email.message import Message

LOOK = timedelta(minutes=45)
"""How often the post looks at its clocks."""
STORM = timedelta(days=8)
AFTERWARDS = timedelta(days=4)
HOUR = timedelta(hours=1)
PLAYERS = 3
_UNHANDLED = "SELECT raw FROM inbox JOIN inbox_bytes ON inbox_id = id WHERE state IN ('received', 'waiting')"
_UNREAD = "SELECT raw, received_at FROM inbox JOIN inbox_bytes ON inbox_id = id WHERE state = 'received'"


class FallError(BaseException):
    """The post has fallen over, in the middle of something. Nobody in the house may catch this."""


@dataclass
class World:
    """All there is."""

    settings: Settings
    chance: Random
    weather: Weather
    people: dict[str, Person]
    hours: Hours = field(default_factory=Hours)
    salts: Random = field(default_factory=lambda: Random("salts"))
    """What seals names and words; apart from chance, which decides what happens."""
    context: PostContext = field(init=False)
    sent: dict[str, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    """What left the house, by the name of the mail: each copy."""
    forged: set[str] = field(default_factory=set)
    """The names of letters by people who are not who they say."""
    unheard: list[str] = field(default_factory=list)
    """Letters that lay at the post in time when their writers were called late."""
    seen: Counter[str] = field(default_factory=Counter)
    """What has happened in this world, to know that it can."""
    _rushed: set[tuple[Seat, datetime]] = field(default_factory=set)
    _shut_until: datetime = START
    _coming: list[tuple[datetime, int, Callable[[], None]]] = field(default_factory=list)
    _number: int = 0
    _opened: int = 0

    def open(self) -> None:
        """Open the post, for the first time or after a fall."""
        self._opened += 1
        opened = open_context(self.settings, now=self.hours.now)
        self.context = replace(opened, run=f"run {self._opened}", random_bytes=self.salts.randbytes)
        with self.context.store.transaction() as at_desk:
            at_desk.put_all_back()

    def stand_up(self, after: str) -> None:
        """The post comes back after a fall."""
        self.seen[f"fell {after}"] += 1
        self.context.store.close()
        self.open()

    def later(self, wait: timedelta, what: Callable[[], None]) -> None:
        """Something will happen."""
        self._number += 1
        heappush(self._coming, (self.hours.moment + wait, self._number, what))

    def live_until(self, end: datetime) -> None:
        """Let everything happen that is to happen."""
        while self._coming[0][0] <= end:
            self.hours.moment, _, happens = heappop(self._coming)
            happens()
        self.hours.moment = end

    def stumble(self, where: str) -> None:
        """Fall over here, if the weather is so."""
        if self.chance.random() < self.weather.falls:
            raise FallError(where)

    # The post

    def look(self) -> None:
        """The post does all that it does, again and again."""
        self.work()
        if not self.is_shut and self.chance.random() < self.weather.sleeps:
            self._shut_until = self.hours.moment + timedelta(hours=self.chance.uniform(1, 60))
        self.later(LOOK, self.look)

    @property
    def is_shut(self) -> bool:
        """Whether nobody is there; mail servers come again later."""
        return self.hours.moment < self._shut_until

    def work(self) -> None:
        """Handle letters, look at the clocks, send mails; unless the post is shut."""
        if self.is_shut:
            return
        try:
            worked = self._work_once()
            send_due(self.context, self)
        except FallError as fall:
            self.stand_up(str(fall))
        else:
            self.seen.update(f"{outcome.fate}: {outcome.reason}" for outcome in worked.letters)
            self.seen.update(f"clock: {ticked.what}" for ticked in worked.clocks)
            assert not [ticked.problem for ticked in worked.clocks if ticked.problem]
        assert self.context.store.counters().difference == 0

    def _work_once(self) -> WorkDone:
        """What a post does in one go; one that is slow leaves letters for later, as a service does under a flood."""
        if self.weather.handled is None:
            return work_once(self.context)
        given_back = give_back_outage(self.context)
        letters = tuple(handle_arrived_letters(self.context, most=self.weather.handled))
        return WorkDone(letters, (*given_back, *tick(self.context)))

    def witness_lateness(self, table: Table, seat: Seat) -> None:
        """Somebody is called late: look, past the house, for letters of theirs that lie there unread, or wait."""
        pencil = table.pencil(seat)
        if pencil is not None and pencil.is_first:
            self.unheard.append(f"{seat} was called late, and had pencilled {pencil.text}")
        with closing(sqlite3.connect(self.settings.database)) as past:
            (clock,) = past.execute("SELECT data FROM clock").fetchone()
            rows = past.execute(_UNREAD).fetchall()
        control = control_from_terms(table.terms)
        shown = decode_clock(json.loads(clock), control, {seat: UTC})
        due = shown.due.get(seat)
        for raw, received_at in rows:
            letter = message_from_bytes(raw)
            in_time = due is None or datetime.fromisoformat(received_at) <= shown.end_of_grace(seat, due)
            if self._is_own(letter, seat) and in_time:
                self.unheard.append(f"{seat} was called late, and {letter['Message-ID']} lay there unread")

    def witness_pencil(self, table: Table, seat: Seat) -> None:
        """What somebody had pencilled is played: look, past the house, whether it is time, and nothing lies unread."""
        pencil = table.pencil(seat)
        assert pencil is not None
        self.seen["pencil played"] += 1
        if self.hours.moment < add_durations(pencil.until, pencil.extended) or self.is_shut:
            self.unheard.append(f"{pencil.text} of {seat} was played too early")
        with closing(sqlite3.connect(self.settings.database)) as past:
            rows = past.execute(_UNHANDLED).fetchall()
        for (raw,) in rows:
            letter = message_from_bytes(raw)
            if self._is_own(letter, seat):
                self.unheard.append(f"{pencil.text} of {seat} was played, and {letter['Message-ID']} lay there unread")

    def _is_own(self, letter: "Message[str, str]", seat: Seat) -> bool:
        """Whether a letter is by the player of a seat, and by no machine."""
        is_own = self.people[seat].address in str(letter["From"]) and f"+{TABLE}.{seat}." in str(letter["To"])
        return is_own and str(letter["Message-ID"]) not in self.forged and letter["Auto-Submitted"] is None

    def check(self) -> Checked:
        return Checked("test", good=True, text="")

    def close(self) -> None:
        """There is nothing to close."""

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        """Hand a mail to the roads."""
        luck = self.chance.random()
        if luck < self.weather.put_off:
            return Deferred("451 come again")
        if luck > 1 - self.weather.refused:
            return Rejected("550 nobody lives here")
        self.sent[str(message_from_bytes(raw)["Message-ID"])].append(raw)
        person = next(each for each in self.people.values() if each.address == recipient)
        if self.chance.random() >= self.weather.lost:
            self.later(self.weather.on_its_way(self.chance), lambda: self.arrive(person, raw))
        if self.chance.random() < self.weather.refused:
            self._number += 1
            self.send_letter(bounce(raw, recipient, self._number))
        self.stumble("after a mail had left")
        return Sent()

    def receive(self, letter: bytes) -> None:
        """A mail server brings a letter, and again if nobody said that it is kept."""
        if self.is_shut:
            self.later(self._shut_until - self.hours.moment, lambda: self.receive(letter))
            return
        try:
            self.context.store.receive(letter, intake="world")
        except FallError as fall:
            self.stand_up(str(fall))
            self.later(timedelta(minutes=30), lambda: self.receive(letter))
        if self.weather.handled is None:
            self.later(timedelta(minutes=1), self.work)

    # People

    def arrive(self, person: Person, raw: bytes) -> None:
        """Somebody gets a mail."""
        person.get(raw)
        if person.is_away:
            self.send_letter(person.answer_by_machine(raw, self.hours.moment))
        if self.chance.random() < self.weather.forgeries and self.table.stage == PLAYING:
            self._forge(raw, person)
        if not person.will_look:
            person.will_look = True
            longest = timedelta(hours=4) if self.weather is CALM else timedelta(hours=40)
            self.later(timedelta(minutes=5) + longest * self.chance.random(), lambda: self.look_at_mailbox(person))

    def visit(self, person: Person) -> None:
        """Whoever hears nothing for long looks whether something is to be done, all the same."""
        self.look_at_mailbox(person)
        self.later(timedelta(hours=self.chance.uniform(12, 30)), lambda: self.visit(person))

    def look_at_mailbox(self, person: Person) -> None:
        """Somebody reads all that has come, and perhaps writes."""
        person.will_look = False
        weather = self.weather
        letter = person.write(self.table, self.chance, self.hours.moment, weather.whims, weather.murmurs)
        if letter is not None:
            self.send_letter(letter)

    def wait_for_floods(self) -> None:
        """Now and then, somebody waits until time is almost up."""
        if self.chance.random() < self.weather.floods and self.table.stage == PLAYING and not self.table.pauses:
            with self.context.store.reading() as at_desk:
                row = at_desk.find_game(TABLE)
                assert row is not None
                clock = GameSession(self.context, at_desk, row).clock
            for seat, due in clock.due.items():
                end = clock.end_of_grace(seat, due)
                if end > self.hours.moment and (seat, end) not in self._rushed:
                    self._rushed.add((seat, end))
                    self.later(
                        max(end - self.hours.moment - timedelta(minutes=5), timedelta()), partial(self.flood, seat)
                    )
            for seat, pencil in self.table.pencils.items():
                until = add_durations(pencil.until, pencil.extended)
                if pencil.is_live and self.weather.murmurs and (seat, until) not in self._rushed:
                    self._rushed.add((seat, until))
                    self.later(until - self.hours.moment - timedelta(minutes=1), partial(self.ask_again, seat))
        self.later(timedelta(hours=3), self.wait_for_floods)

    def flood(self, seat: Seat) -> None:
        """Strangers and a player write again and again, and then the player's move comes, if it is to be made."""
        person, table = self.people[seat], self.table
        if seat not in table.due or not person.mails or self.is_shut:
            return
        self.seen["flood"] += 1
        for _ in range(15):
            self._number += 1
            letter = forge(person.mails[-1].as_bytes(), "resign", self._number)
            self.forged.add(str(message_from_bytes(letter)["Message-ID"]))
            self.receive(letter)
        for words in ("status", "help", "press all: so much to say!") * (1 if self.weather.murmurs else 5):
            self.receive(person.answer(words, self.hours.moment))
        moves = plan_moves(table, seat, KeyedDealer(self.chance.randbytes(8))).phrase
        moves = f"{moves}\n\n{MURMURS[0]}" if self.weather.murmurs else moves
        self.receive(person.answer(moves, self.hours.moment))

    def ask_again(self, seat: Seat) -> None:
        """Somebody whose move is about to be played asks how things stand, more often than the post can read."""
        for _ in range(6 if not self.is_shut else 0):
            self.receive(self.people[seat].answer("status", self.hours.moment))

    def send_letter(self, letter: bytes) -> None:
        """Hand a letter to the roads, which may bring it several times, by several ways, or never."""
        copies = self.chance.randrange(2, 6) if self.chance.random() < self.weather.doubled else 1
        for number in range(copies):
            if self.chance.random() < self.weather.lost:
                self.seen["letter lost"] += 1
                continue
            by_another_way = number and self.chance.random() < 0.5
            copy = b"Received: by relay%d.test; Mon, 16 Nov 2026 10:00:00 +0000\r\n" % number + letter
            given = copy if by_another_way else letter
            self.later(self.weather.on_its_way(self.chance), partial(self.receive, given))

    def _forge(self, raw: bytes, person: Person) -> None:
        table = self.table
        due = person.seat if person.seat in table.due else ""
        words = plan_moves(table, due, KeyedDealer(b"forged")).phrase if due else "resign"
        self._number += 1
        letter = forge(raw, words, self._number)
        self.forged.add(str(message_from_bytes(letter)["Message-ID"]))
        self.send_letter(letter)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that has happened at the table."""
        with self.context.store.reading() as at_desk:
            return events_from_rows(at_desk.load_events(TABLE))

    @property
    def table(self) -> Table:
        """How the table stands."""
        return fold(self.events)


def make_world(folder: Path, seed: int, game: str, weather: Weather | None = None) -> World:
    """A world in which three people have been invited; in a weather by chance, if none is given."""
    chance = Random(f"world {seed}")
    silence = chance.choice(("wait", "play", "substitute", "forfeit"))
    mode = chance.choice(("deadline", "bank"))
    chosen: dict[str, object] = {
        "time.silence": silence,
        "time.mode": mode,
        "time.weekends": chance.choice(("run", "rest")),
    }
    if weather in (FLOODED, LAST_MINUTE):
        chosen |= {
            "time.mode": "deadline",
            "time.per_turn": timedelta(hours=8),
            "time.grace": HOUR,
            "time.weekends": "run",
        }
    found_post(folder, chosen)
    for key in folder.glob("*.key"):
        key.write_text(sha256(key.name.encode()).hexdigest() + "\n")
    settings = read_settings(folder / "post.toml")
    assert isinstance(settings, Settings), settings
    played = find_game(game)
    assert played is not None
    seats = played.seats[:PLAYERS]
    people = {
        seat: Person(seat, name, f"{name.lower()}@players.test", PROGRAMS[number], is_away=chance.random() < 0.2)
        for number, (seat, name) in enumerate(zip(seats, PEOPLE, strict=False))
    }
    world = World(settings, chance, weather or stormy(chance), people)
    world.open()
    laid = played.lay_out(Setup(seats, ()), KeyedDealer(b"world"))
    guests = [Guest(person.seat, person.name, person.address) for person in people.values()]
    terms = {**terms_of(settings.time), FORCED: AT_ONCE}
    wanted = Invitation(TABLE, game, guests, dict(laid.options), terms)
    with patch.object(secrets, "token_bytes", chance.randbytes):  # no secret of a world is one
        assert open_table(world.context, wanted) is None
    world.look()
    world.wait_for_floods()
    for person in people.values():
        world.visit(person)
    return world


def live(world: World) -> Table:
    """A storm, and then calm days; how the table stood when the storm was over."""
    world.live_until(START + STORM)
    world.weather = CALM
    for person in world.people.values():
        person.is_away = False
    after = world.table
    world.live_until(START + STORM + AFTERWARDS)
    return after
