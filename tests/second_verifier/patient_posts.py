"""A post that binds its draws to a beacon and waits for it, with every step of its history at hand."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from engine import registry
from engine.chance import KeyedDealer
from engine.game import PUBLIC
from pbem.events.chain import ORIGIN, Draft, Event, append_event
from pbem.events.codec import decode, encode
from pbem.mail.commands.command import Command, CommandContext, decide
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.submit_moves import Play
from pbem.proof.draws import Sealer
from pbem.proof.public_beacon import Pulse, SignedBeacon
from pbem.proof.signatures import Signer
from pbem.store.rows import GameRow
from pbem.tables.chance import GameDealer, random_moves
from pbem.tables.fold import apply_event, fold
from pbem.tables.referee_decisions import open_table
from pbem.tables.silence import apply_round
from pbem.workflow.open_game import add_commitments
from pbem.workflow.record_proof import record_text
from tests.second_verifier.second_signing import signed_by
from tests.second_verifier.second_writing import canon, sha

TABLE = "sirocco-7"
KEEPER = Signer("keeper", b"r" * 32)
REHEARSAL = SignedBeacon("rehearsal", KEEPER.public, KEEPER)


class SecondRehearsal:
    """The same beacon, as whoever reads the page alone would write it."""

    name, epoch, period = "rehearsal", int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()), 3

    def said(self, number: int, signature: str) -> bool:
        said = sha(canon(["pbm-beacon-1", self.name, number]))
        return bool(signed_by(KEEPER.public, bytes.fromhex(signature), said))


@dataclass
class Patient:
    """A post that binds its draws to a beacon, and waits."""

    game: str = "shy-well"
    beacon: Any = REHEARSAL
    now: datetime = datetime(2026, 11, 16, 12, tzinfo=UTC)
    terms: dict[str, Any] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    seed: bytes = b"s" * 32
    signer: Signer = field(default_factory=lambda: Signer("post@post.test", b"k" * 32))
    _made: Any = None

    @property
    def row(self) -> GameRow:
        return GameRow(TABLE, "", self.seed, self.now, blind=b"b" * 32)

    @property
    def table(self) -> Any:
        """The table that the events have made so far."""
        if self._made is None:
            self._made = fold(self.events[:1])
        for event in self.events[self._made.seq :]:
            self._made = apply_event(self._made, event)
        return self._made

    @property
    def dealer(self) -> GameDealer:
        return GameDealer(self.seed, self.beacon, self.now)

    def apply_events(self, drafts: Iterable[Draft]) -> None:
        for draft in drafts:
            seq, head = len(self.events), self.events[-1].hash if self.events else ORIGIN
            at = f"{self.now:%Y-%m-%dT%H:%M:%SZ}"
            self.events.append(append_event(TABLE, seq, head, draft, at, Sealer(TABLE, self.row.blind).commit))

    def begin(self) -> "Patient":
        game = registry.find_game(self.game)
        assert game is not None
        names = {seat: seat.capitalize() for seat in game.seats[:2]}
        opened = open_table(game, names=names, options={}, terms=self.terms)
        assert isinstance(opened, Draft)
        self.apply_events(
            [add_commitments(opened, self.row, self.signer, more={"level": 3, "beacon": self.beacon.name})]
        )
        for seat in names:
            self.do(seat, AcceptInvitation(f"stirred by {seat}"))
        return self

    def do(self, seat: str, command: Command) -> None:
        self.now += timedelta(seconds=7)
        moment = CommandContext(self.now, self.dealer, letter="d1" * 32, mark="e2" * 32, secret=b"x")
        self.apply_events(decide(self.table, seat, command, moment).drafts)

    def hear(self, pulse: Pulse | None = None) -> None:
        """Wait for the round that is awaited, and let it speak."""
        number = self.table.rounds.round
        self.now = max(self.now, self.beacon.time_of(number)) + timedelta(seconds=1)
        self.apply_events(apply_round(self.table, pulse or self.beacon.pulse(number), self.dealer).drafts)

    def play(self, most: int = 400) -> "Patient":
        """Play on by other chance than the game's own, as far as the end."""
        for number in range(most):
            table = self.table
            if table.rounds.round:
                self.hear()
            elif not table.due:
                break
            else:
                text = random_moves(table, table.due[0], KeyedDealer(f"{number}".encode()))
                self.do(table.due[0], Play(text))
        return self

    def text(self) -> str:
        context: Any = SimpleNamespace(sealer=Sealer, signer=self.signer, signer_for=lambda _: self.signer)
        return record_text(context, self.row, tuple(self.events), PUBLIC)

    def rewrite(self, change: Callable[[Event], Draft | None]) -> str:
        """The record of the same history with some events changed or left out, and every hash made anew."""
        forged = replace(self, events=[], _made=None)
        for event in self.events:
            forged.now = datetime.fromisoformat(event.at)
            draft = change(event)
            if draft is not None:
                forged.apply_events([draft])
        return forged.text()


def as_it_was(event: Event, **changes: Any) -> Draft:
    return Draft(decode(event.kind, {**encode(event.payload), **changes}), event.sealed)
