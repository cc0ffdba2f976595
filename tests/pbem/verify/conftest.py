"""A post that plays honestly and keeps every mail, and an operator who can make a history say anything."""

import mailbox
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine import registry
from engine.chance import Dealer, KeyedDealer
from engine.game import PUBLIC
from pbem.events.chain import ORIGIN, Draft, Event, append_event
from pbem.events.codec import decode, encode
from pbem.mail.commands.command import Command, CommandContext, decide
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.submit_moves import Play
from pbem.proof.draws import Sealer
from pbem.proof.signatures import Signer
from pbem.service.post_folder import CreatedPost, create_post
from pbem.store.rows import GameRow
from pbem.store.timestamps import utc_now
from pbem.tables.chance import GameDealer, random_moves
from pbem.tables.fold import apply_event, fold
from pbem.tables.referee_decisions import open_table as first_event
from pbem.workflow.context import PostContext, events_from_rows, open_context
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.open_game import Guest, Invitation, add_commitments, open_table
from pbem.workflow.record_proof import record_text
from tests.old_tickets import format_old_address

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

    def begin(self, **more: Any) -> "Operator":
        """Open a table, and let everybody accept."""
        game = registry.find_game(self.game)
        assert game is not None
        names = {seat: seat.capitalize() for seat in game.seats[: self.players]}
        opened = first_event(game, names=names, options={}, terms={})
        assert isinstance(opened, Draft)
        self.apply_events([add_commitments(opened, self.row, self.signer, more=more)])
        for seat in names:
            self.do(seat, AcceptInvitation(f"stirred by {seat}"))
        return self

    @property
    def row(self) -> GameRow:
        return GameRow(self.table, "", self.seed, NOON, blind=self.blind)

    def apply_events(self, drafts: Iterable[Draft]) -> None:
        for draft in drafts:
            seq, head = len(self.events), self.events[-1].hash if self.events else ORIGIN
            at = f"2026-11-16T12:{seq // 60:02}:{seq % 60:02}Z"
            self.events.append(append_event(self.table, seq, head, draft, at, Sealer(self.table, self.blind).commit))

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
                forged.apply_events([draft])
        return forged

    def text(self, reader: str | None = PUBLIC) -> str:
        """The record with its proof, signed."""
        context: Any = SimpleNamespace(sealer=Sealer, signer=self.signer)
        return record_text(context, self.row, tuple(self.events), reader)


def as_draft(event: Event, **changes: Any) -> Draft:
    """An event to happen again, with some of its data changed."""
    return Draft(decode(event.kind, {**encode(event.payload), **changes}), event.sealed)


@dataclass
class Town:
    """A real post, and its players: what each was mailed and wrote, and what was mailed before the end."""

    context: PostContext
    seats: tuple[str, ...]
    boxes: dict[str, list[bytes]] = field(default_factory=dict)
    sent: dict[str, list[bytes]] = field(default_factory=dict)
    before_the_end: list[tuple[str, bytes]] = field(default_factory=list)
    written: int = 0

    def write(self, seat: str, words: str, *, turn: int = 0) -> None:
        """A player writes, and the post answers whomever it must."""
        self.written += 1
        mail, identity = EmailMessage(), self.context.identity
        mail["From"] = f"{seat}@players.test"
        mail["To"] = format_old_address(
            identity.ticket_key, identity.address, game=TABLE, seat=seat, turn=turn, epoch=0
        )
        mail["Message-ID"] = f"<{self.written}.{seat}@players.test>"
        mail["Subject"] = "Re"
        mail.set_content(f"{words}\n")
        raw = mail.as_bytes(policy=SMTP)
        self.sent.setdefault(seat, []).append(raw)
        self.context.store.receive(raw, intake="test")
        list(handle_arrived_letters(self.context))
        self.collect()

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
