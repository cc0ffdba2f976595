"""The demonstration: make a post, invite players, and play a whole game by letters.

The seed decides what the players send; dice and draws are the post's own. At the end the record of the post is
compared with what the players sent.
"""

from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from engine.chance import Dealer, KeyedDealer
from engine.game import PUBLIC, GameRules, Seat, Setup
from notation import Record
from pbem.demo.mail_programs import PROGRAMS, MailFolder
from pbem.demo.players import PlannedMoves, Player, find_illegal_move, plan_moves
from pbem.judging.lookahead import sample_game
from pbem.mail.transport.factory import open_mailer
from pbem.mail.transport.folder import file_name
from pbem.mail.transport.pipe import STORED, take_letter
from pbem.mail.transport.protocols import Mailer
from pbem.service.game_records import read_proof
from pbem.service.invitations import invite
from pbem.service.lock import take_lock
from pbem.service.post_folder import CreatedPost, open_post
from pbem.service.send_queue import send_due
from pbem.store.timestamps import utc_now
from pbem.tables.fold import fold
from pbem.tables.table import PLAYING, Table
from pbem.workflow.context import PostContext, events_from_rows
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.open_game import Guest

BETWEEN_LETTERS: Final = timedelta(hours=7, minutes=13)


@dataclass(slots=True)
class DemoClock:
    """A clock that only moves when it is told to."""

    moment: datetime

    def now(self) -> datetime:
        """The time of the demonstration."""
        return self.moment

    def advance(self) -> None:
        """Let the time of one letter pass."""
        self.moment += BETWEEN_LETTERS


@dataclass(slots=True)
class DemoPost:
    """The post of a demonstration, its players, and how many letters and mails there were."""

    context: PostContext
    way_out: Mailer
    clock: DemoClock
    players: dict[str, Player] = field(default_factory=dict)
    letters: int = 0
    mails: int = 0

    def write(self, player: Player, words: str) -> LetterOutcome:
        """Let a player answer the last mail: deliver and handle the letter, and send all mails."""
        self.clock.advance()
        letter = player.answer(words, self.clock.now())
        largest = self.context.settings.post.largest_letter
        with letter.open("rb") as stream:
            if take_letter(stream, lambda: nullcontext(self.context.store), largest=largest) != STORED:
                raise RuntimeError(f"{letter} could not be delivered")
        self.letters += 1
        outcome = next(handle_arrived_letters(self.context, most=1))
        self.send_mails()
        return outcome

    def send_mails(self) -> None:
        """Send all mails that are due, and let everybody read them."""
        self.mails += send_due(self.context, self.way_out).sent
        for player in self.players.values():
            player.read_mailbox()


PEOPLE: Final = ("Anna", "Boris", "Chloe", "Dov", "Ewa")
TABLE: Final = "sirocco-1"
SETTINGS: Final = {"post.address": "caravan@post.example", "out.kind": "maildir", "out.path": Path("mailboxes")}
"""Settings of the demonstration that differ from the defaults: the mailboxes are in the same folder."""


ShowProgress = Callable[[int, int, str], None]
"""Called with the turns played, the turns expected, and what happens."""


@dataclass(frozen=True, slots=True)
class DemoPlan:
    """What to play: the game, the seats, the seed for the players, and the language of the mails."""

    game: GameRules
    seats: tuple[Seat, ...]
    seed: str
    language: str = "en"

    def dealer(self, purpose: str) -> Dealer:
        """The dealer that decides what the players do."""
        parts = ("caravan-post/demo", self.game.key, self.game.edition, str(len(self.seats)), self.seed, purpose)
        return KeyedDealer("\0".join(parts).encode())


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What came of it: the record with its proof, and the rule cited against the one illegal move."""

    record: Record
    players: tuple[Player, ...]
    letters: int
    mails: int
    refusal: str


def play_by_post(post: CreatedPost, plan: DemoPlan, show_progress: ShowProgress) -> DemoResult:
    """Play a whole game by letters at a new post."""
    # A guess: the length of another random game.
    expected = _count_turns(plan)
    clock = DemoClock(utc_now() - BETWEEN_LETTERS * 3 * (expected + len(plan.seats) + 10))
    with (
        take_lock(post.settings, "demo"),
        open_post(post.settings, clock.now) as context,
        closing(open_mailer(post.settings)) as way_out,
    ):
        demo = DemoPost(context, way_out, clock)
        _seat_players(demo, plan, post.file.parent)
        script = _Script(demo, plan, expected // 2)
        while (table := _load_table(context)).stage == PLAYING:
            player = demo.players[table.due[0]]
            planned = plan_moves(table, player.seat, script.dealer)
            show_progress(table.turn, max(expected, table.turn), f"{player.name} plays {planned.phrase}")
            script.send(table, player, planned)
        _compare(table, script.sent)
        record = read_proof(context, TABLE, PUBLIC) or table.record
        return DemoResult(record, tuple(demo.players.values()), demo.letters, demo.mails, script.refusal)


def _count_turns(plan: DemoPlan) -> int:
    played = sample_game(plan.game, seats=plan.seats, dealer=plan.dealer("length"), name=TABLE)
    return max(entry.number or 0 for entry in played.entries)


def _load_table(context: PostContext) -> Table:
    """The table as it is now."""
    with context.store.reading() as transaction:
        rows = transaction.load_events(TABLE)
    return fold(events_from_rows(rows))


class _Script:
    """What the players send; in the middle of the game also an illegal move, a message to all and a question."""

    def __init__(self, demo: DemoPost, plan: DemoPlan, middle: int) -> None:
        self.dealer = plan.dealer("thoughts")
        self.sent: dict[Seat, list[Any]] = {seat: [] for seat in plan.seats}
        self.refusal = ""
        self._demo = demo
        self._middle = middle
        self._played: list[str] = []
        self._asides = ["status", "press to all: the caravan moves on"]

    def send(self, table: Table, player: Player, planned: PlannedMoves) -> None:
        """Let a player send moves, and before them what the script has for this moment."""
        late = table.turn >= self._middle
        if late and not self.refusal and (phrase := find_illegal_move(table, player.seat, self._played)) is not None:
            self.refusal = _expect(self._demo.write(player, phrase), "refused").reason
        elif late and self._asides and self.refusal:
            _expect(self._demo.write(player, self._asides.pop()), "applied")
        _expect(self._demo.write(player, planned.phrase), "applied")
        self.sent[player.seat] += planned.moves
        self._played.append(planned.phrase)


def _seat_players(demo: DemoPost, plan: DemoPlan, folder: Path) -> None:
    """Invite everybody, and let everybody accept."""
    context = demo.context

    def label(message_id: str) -> str:
        with context.store.reading() as transaction:
            mail = transaction.find_text(message_id)
        return mail.kind if mail is not None else "mail"

    for seat, name, program in zip(plan.seats, PEOPLE, (*PROGRAMS, PROGRAMS[0]), strict=False):
        address = f"{name.lower()}@example.org"
        mailbox = folder / "mailboxes" / file_name(address)
        mails = MailFolder(folder / "letters" / name.lower(), folder / "letters" / "pictures", label)
        demo.players[seat] = Player(seat, name, address, mailbox, program, mails)
    guests = [Guest(player.seat, player.name, player.address, plan.language) for player in demo.players.values()]
    options = dict(plan.game.lay_out(Setup(plan.seats), plan.dealer("set-up")).options)
    refused = invite(context, plan.game, guests, table=TABLE, options=options, time=context.settings.time)
    if refused is not None:
        raise RuntimeError(f"the demonstration was refused: {refused}")
    demo.send_mails()
    for player in demo.players.values():
        _expect(demo.write(player, "accept"), "applied")


def _expect(outcome: LetterOutcome, fate: str) -> LetterOutcome:
    if outcome.fate != fate:
        raise RuntimeError(f"letter {outcome.letter} was {outcome.fate}: {outcome.reason}")
    return outcome


def _compare(table: Table, sent: dict[Seat, list[Any]]) -> None:
    """Check that the record has the moves that were sent, besides those that were forced."""
    chosen = [entry for at, entry in enumerate(table.entries) if at not in table.made_for]
    for seat, moves in sent.items():
        if [move for entry in chosen if entry.who == seat for move in entry.moves] != moves:
            raise RuntimeError(f"the record is not what {seat} sent")
