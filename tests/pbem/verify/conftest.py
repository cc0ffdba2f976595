"""A post that plays honestly and keeps every mail, and an operator who can make a history say anything."""

import mailbox
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine import registry
from engine.chance import Dealer, KeyedDealer
from engine.game import PUBLIC
from pbem.events.chain import ORIGIN, Draft, Event, append_event
from pbem.events.codec import MalformedEventError, decode, encode
from pbem.events.kinds import GameOpened, SeatSubstituted
from pbem.events.post_kinds import PlayerInvited
from pbem.events.told import Told
from pbem.mail.commands.command import Command, CommandContext, decide
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.submit_moves import Play
from pbem.mail.reply_address import format_reply_address
from pbem.proof.draws import Sealer, seal_text
from pbem.proof.signatures import Signer
from pbem.service.post_folder import CreatedPost, create_post
from pbem.store.rows import GameRow
from pbem.store.timestamps import utc_now
from pbem.tables.asking import add_times
from pbem.tables.chance import GameDealer, random_moves
from pbem.tables.fold import apply_event, fold
from pbem.tables.referee_decisions import open_table as first_event
from pbem.tables.table import Table
from pbem.workflow.context import PostContext, events_from_rows, open_context
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.open_game import Guest, Invitation, add_commitments, open_table
from pbem.workflow.record_proof import record_text

TABLE = "sirocco-7"
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


@dataclass
class Operator:
    """Whoever runs a post: knows every secret, holds the key, and writes whatever history he likes."""

    table: str = TABLE
    game: str = "shy-well"
    players: int = 2
    seed: bytes = b"s" * 32
    blind: bytes = b"b" * 32
    signer: Signer = field(default_factory=lambda: Signer("post@post.test", b"k" * 32))
    dealer: Dealer | None = None
    """Who deals in his house, if not the honest one."""
    events: list[Event] = field(default_factory=list)
    form: int = 1
    """The form of proof of the games that he opens."""

    def begin(self, **more: Any) -> "Operator":
        """Open a table, and let everybody accept."""
        for seat in self.open(**more):
            self.do(seat, AcceptInvitation(f"stirred by {seat}"))
        return self

    def open(self, **more: Any) -> list[str]:
        """Open a table; the seats that are asked."""
        game = registry.find_game(self.game)
        assert game is not None
        names = {seat: seat.capitalize() for seat in game.seats[: self.players]}
        opened = first_event(game, names=names, options={}, terms={})
        assert isinstance(opened, Draft)
        people = {seat: f"{seat:a<12.12}".translate(IN_AN_ID) for seat in names} if self.form == 2 else None
        self.apply_events([add_commitments(opened, self.row, self.signer, more=more, people=people)])
        return list(names)

    @property
    def row(self) -> GameRow:
        return GameRow(self.table, "", self.seed, NOON, blind=self.blind)

    def apply_events(self, drafts: Iterable[Draft], like: Event | None = None) -> None:
        """Append what happens; with the salts of an event that it is `like`, so that a text keeps its seal."""
        table = fold(self.events) if self.events else None
        for draft in drafts:
            seq, head = len(self.events), self.events[-1].hash if self.events else ORIGIN
            at = f"2026-11-16T12:{seq // 60:02}:{seq % 60:02}Z"
            commit, seal = Sealer(self.table, self.blind).commit, None
            if is_second(draft, table):
                commit, seal = partial(commit, epoch=table.epoch if table else 0), partial(self.seal, like)
                payload = add_times(table, draft.payload, self.due) if table and not like else draft.payload
                if isinstance(payload, SeatSubstituted | PlayerInvited) and not payload.person:
                    payload = replace(payload, person=f"{seq:a<12}".translate(IN_AN_ID))
                draft = draft._replace(payload=payload)
            self.events.append(append_event(self.table, seq, head, draft, at, commit, seal))
            table = apply_event(table, self.events[-1]) if table else fold(self.events)

    def due(self, seat: str) -> str:
        """Until when a seat has time: for some there is no clock."""
        return "" if len(self.events) % 3 else f"2026-11-16T13:00:{len(self.events) % 60:02}Z"

    def forget(self, is_forgotten: Callable[[Event, str], bool]) -> "Operator":
        """The same history after some names and words were thrown away."""
        events = []
        for event in self.events:
            told = {name: Told(each.seal) if is_forgotten(event, name) else each for name, each in event.told.items()}
            texts = {name: each.text for name, each in told.items() if each.text is not None}
            data = encode(event.payload, event.told)
            payload = decode(event.kind, data, form=2, texts=texts) if told else event.payload
            events.append(replace(event, payload=payload, told=told))
        return replace(self, events=events)

    def seal(self, like: Event | None, seq: int, name: str, text: str) -> Told:
        known = like.told.get(name) if like is not None else None
        if known is not None and (known.text is None or not known.salt):
            return known
        salt = bytes.fromhex(known.salt) if known is not None else sha256(f"{seq} {name}".encode()).digest()
        return Told(seal_text(self.table, seq, name, text, salt), salt.hex(), text)

    def do(self, seat: str, command: Command) -> None:
        dealer = self.dealer or GameDealer(self.seed)
        moment = CommandContext(NOON, dealer, letter="d1" * 32, mark="e2" * 32, secret=b"x")
        self.apply_events(decide(fold(self.events), seat, command, moment).drafts)

    def play(self, most: int = 1_000) -> "Operator":
        """Play on by chance, as far as the end."""
        table = fold(self.events)
        for number in range(most):
            if not table.due:
                break
            seat, known = table.due[0], len(self.events)
            self.do(seat, Play(random_moves(table, seat, KeyedDealer(f"{number}".encode()))))
            for event in self.events[known:]:
                table = apply_event(table, event)
        return self

    def rewrite(self, change: Callable[[Event], Draft | None]) -> "Operator":
        """The same history with some events changed or left out, and every hash made anew."""
        forged = replace(self, events=[])
        for event in self.events:
            draft = change(event)
            if draft is not None:
                forged.apply_events([draft], event)
        return forged

    def text(self, reader: str | None = PUBLIC) -> str:
        """The record with its proof, signed."""
        context: Any = SimpleNamespace(sealer=Sealer, signer=self.signer, signer_for=lambda _: self.signer)
        return record_text(context, self.row, tuple(self.events), reader)


IN_AN_ID = str.maketrans("0189-", "wxyzv")


def is_second(draft: Draft, table: Table | None) -> bool:
    """Whether an event belongs to a game of the second form."""
    first = draft.payload
    return table.is_second_form if table is not None else isinstance(first, GameOpened) and first.form == 2


def as_draft(event: Event, **changes: Any) -> Draft:
    """An event to happen again, with some of its data changed."""
    data = {**encode(event.payload, event.told), **changes}
    texts = {name: told.text for name, told in event.told.items() if told.text is not None}
    try:
        payload = decode(event.kind, data, form=2 if event.told else 1, texts=texts)
    except MalformedEventError:
        payload = decode(event.kind, data, form=2, texts=texts)
    private = tuple((name, "") for name, told in event.told.items() if told.text is None)
    return Draft(payload, event.sealed, event.maker, private)


@dataclass
class Town:
    """A real post, and its players: what each was mailed and wrote, and what was mailed before the end."""

    context: PostContext
    seats: tuple[str, ...]
    boxes: dict[str, list[bytes]] = field(default_factory=dict)
    sent: dict[str, list[bytes]] = field(default_factory=dict)
    before_the_end: list[tuple[str, bytes]] = field(default_factory=list)
    written: int = 0

    def write(self, seat: str, words: str, *, turn: int = 0, epoch: int = 0) -> None:
        """A player writes, and the post answers whomever it must."""
        self.written += 1
        mail, identity = EmailMessage(), self.context.identity
        mail["From"] = f"{seat}@players.test"
        mail["To"] = format_reply_address(
            identity.ticket_key, identity.address, game=TABLE, seat=seat, turn=turn, mark=self._mark(epoch)
        )
        mail["Message-ID"] = f"<{self.written}.{seat}@players.test>"
        mail["Subject"] = "Re"
        mail.set_content(f"{words}\n")
        raw = mail.as_bytes(policy=SMTP)
        self.sent.setdefault(seat, []).append(raw)
        self.context.store.receive(raw, intake="test")
        list(handle_arrived_letters(self.context))
        self.collect()

    def _mark(self, epoch: int) -> str:
        """The mark of the newest mails that were written in an epoch."""
        return next(each.mark for each in reversed(fold(self.events).marks) if each.epoch == epoch)

    def collect(self) -> None:
        mails = self.context.store.claim_due(self.context.now(), 10_000)
        over = any(mail.kind == "game-over" for mail in mails)
        for mail in mails:
            self.context.store.mark_sent(mail.id)
            self.boxes.setdefault(mail.seat or "", []).append(mail.raw)
            if not over:
                self.before_the_end.append((mail.seat or "", mail.raw))

    @property
    def row(self) -> GameRow:
        with self.context.store.reading() as at_desk:
            row = at_desk.find_game(TABLE)
        assert row is not None
        return row

    @property
    def events(self) -> tuple[Event, ...]:
        with self.context.store.reading() as at_desk:
            return events_from_rows(at_desk.load_events(TABLE))

    @property
    def log(self) -> list[str]:
        with self.context.store.reading() as at_desk:
            return at_desk.log_lines()

    def text(self, reader: str | None = PUBLIC) -> str:
        return record_text(self.context, self.row, self.events, reader)

    @property
    def public(self) -> bytes:
        assert self.context.signer is not None
        return self.context.signer.public

    def operator(self) -> Operator:
        """The one who runs this post, about to forge its history."""
        assert self.context.signer is not None
        row = self.row
        return Operator(seed=row.seed, blind=row.blind, signer=self.context.signer, events=list(self.events))

    def mbox(self, folder: Path, seat: str, *, own_letters: bool = True) -> Path:
        """A player's mailbox as a file."""
        path = folder / f"{seat}.mbox"
        box = mailbox.mbox(path)
        for raw in [*self.boxes[seat], *(self.sent[seat] if own_letters else [])]:
            box.add(raw)
        box.close()
        return path


def open_town(
    folder: Path, players: int = 2, key: str = "shy-well", *, terms: dict[str, Any] | None = None, **rounds: Any
) -> Town:
    """A post with a table, of The Shy Well if nothing is said, and mails in plain text, which are quick to write.

    `bound` to a beacon, it keeps the hours that it is given.
    """
    made = create_post(folder / "post", {"post.address": "caravan@post.test"})
    assert isinstance(made, CreatedPost)
    settings = replace(made.settings, post=replace(made.settings.post, answers_per_hour=1_000))
    context = replace(open_context(settings, now=rounds.get("now", utc_now)), **rounds)
    game = registry.find_game(key)
    assert game is not None
    seats = game.seats[:players]
    guests = [Guest(seat, seat.capitalize(), f"{seat}@players.test") for seat in seats]
    wanted = Invitation(TABLE, game.key, guests, terms=terms or {}, dice="beacon" if rounds else "seed")
    assert open_table(context, wanted) is None
    with context.store.transaction() as at_desk:
        for person in at_desk.find_seats(TABLE):
            at_desk.save_seat(replace(person, plain=True))
    town = Town(context, seats)
    town.collect()
    return town


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Town:
    """A game that was played by mail to its end; one acceptance stirred words in, the other none."""
    town = open_town(tmp_path_factory.mktemp("town"))
    first, *others = town.seats
    town.write(first, "accept the quick brown fennec")
    for seat in others:
        town.write(seat, "accept")
    town.write(first, "fly to the moon", turn=1)
    number = 0
    while True:
        table = fold(town.events)
        if not table.due:
            break
        seat, number = table.due[0], number + 1
        words = random_moves(table, seat, KeyedDealer(f"{number}".encode()))
        town.write(seat, words, turn=table.turn)
    return town


@pytest.fixture
def settle() -> Callable[..., Town]:
    return open_town


@pytest.fixture
def operator() -> Callable[..., Operator]:
    return Operator


@pytest.fixture
def draft() -> Callable[..., Draft]:
    return as_draft


@pytest.fixture(scope="session")
def records() -> dict[str, str]:
    """Whole records with their proofs, of games with and without secrets."""
    made = {
        "shy-well": Operator(players=3).begin().play(),
        "desert": Operator(game="through-the-desert").begin().play(),
        "nomadi": Operator(game="nomadi").begin().play(60),
    }
    return {name: each.text() for name, each in made.items()}
