"""A stage: a post, its players, and the hour, which does as it is told.

The demonstration: a post is founded, people are invited, and a whole game is played by letters.

What the players send is made up as they go, from a seed; dice and draws are the post's own. At the end the record that
the post has kept is compared with what the players sent.
"""

from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from engine.chance import Dealer, KeyedDealer
from engine.game import PUBLIC, Game, Seat, Setup
from notation import Record
from pbem.demo.mail_programs import PROGRAMS, MailFolder
from pbem.demo.players import PlannedMoves, Player, find_illegal_move, plan_moves
from pbem.judging.lookahead import sample_game
from pbem.mail.transport.factory import open_mailer
from pbem.mail.transport.folder import file_name
from pbem.mail.transport.pipe import TAKEN, take_letter
from pbem.mail.transport.protocols import Mailer
from pbem.service.game_records import read_proof
from pbem.service.invitations import invite
from pbem.service.lock import take_lock
from pbem.service.post_folder import CreatedPost, open_post
from pbem.service.send_queue import send_due
from pbem.store.timestamps import utc_now
from pbem.tables.fold import fold
from pbem.tables.table import PLAYING, Table
from pbem.workflow.context import PostContext, event_from_row
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.open_game import Guest

BETWEEN_LETTERS: Final = timedelta(hours=7, minutes=13)


@dataclass(slots=True)
class DemoClock:
    """Weeks go by in seconds."""

    moment: datetime

    def now(self) -> datetime:
        """The hour it is."""
        return self.moment

    def turn_leaf(self) -> None:
        """Until the next letter."""
        self.moment += BETWEEN_LETTERS


@dataclass(slots=True)
class DemoPost:
    """Where a game is played by letters."""

    context: PostContext
    way_out: Mailer
    calendar: DemoClock
    players: dict[str, Player] = field(default_factory=dict)
    letters: int = 0
    mails: int = 0

    def write(self, player: Player, words: str) -> LetterOutcome:
        """Let a player answer the last mail he got: the letter is delivered and handled, and all mails go out."""
        self.calendar.turn_leaf()
        letter = player.answer(words, self.calendar.now())
        largest = self.context.settings.post.largest_letter
        with letter.open("rb") as stream:
            if take_letter(stream, lambda: nullcontext(self.context.store), largest=largest) != TAKEN:
                raise RuntimeError(f"{letter} could not be delivered")
        self.letters += 1
        outcome = next(handle_arrived_letters(self.context, most=1))
        self.carry_mails()
        return outcome

    def carry_mails(self) -> None:
        """Send what waits, and let everybody look into the mailbox."""
        self.mails += send_due(self.context, self.way_out).sent
        for player in self.players.values():
            player.look()


PEOPLE: Final = ("Anna", "Boris", "Chloe", "Dov", "Ewa")
TABLE: Final = "sirocco-1"
SETTINGS: Final = {"post.address": "caravan@post.example", "out.kind": "maildir", "out.path": Path("mailboxes")}
"""What differs from the defaults at the post of a demonstration: its players' mailboxes are in the same folder."""


Tell = Callable[[int, int, str], None]
"""Is told how many turns were played, of how many, and what happens."""


@dataclass(frozen=True, slots=True)
class DemoPlan:
    """What is played, by how many, the seed of all that they do, and the language of the mails."""

    game: Game[Any]
    seats: tuple[Seat, ...]
    seed: str
    language: str = "en"
    """In which the post writes to them."""

    def dealer(self, purpose: str) -> Dealer:
        """Settles what the players do."""
        parts = ("caravan-post/demo", self.game.key, self.game.edition, str(len(self.seats)), self.seed, purpose)
        return KeyedDealer("\0".join(parts).encode())


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What there is to see afterwards: the record with its proof, and the rule cited against the one illegal move."""

    record: Record
    players: tuple[Player, ...]
    letters: int
    mails: int
    refusal: str


def play_by_post(post: CreatedPost, cast: DemoPlan, tell: Tell) -> DemoResult:
    """Play a whole game by letters at a new post."""
    # As many turns as such a game has, more or less; nobody knows how long this one will be.
    expected = _count_turns(cast)
    calendar = DemoClock(utc_now() - BETWEEN_LETTERS * 3 * (expected + len(cast.seats) + 10))
    with (
        take_lock(post.settings, "demo"),
        open_post(post.settings, calendar.now) as context,
        closing(open_mailer(post.settings)) as way_out,
    ):
        stage = DemoPost(context, way_out, calendar)
        _seat_players(stage, cast, post.file.parent)
        script = _Script(stage, cast, expected // 2)
        while (table := _look(context)).stage == PLAYING:
            player = stage.players[table.due[0]]
            thought = plan_moves(table, player.seat, script.dealer)
            tell(table.turn, max(expected, table.turn), f"{player.name} plays {thought.phrase}")
            script.send(table, player, thought)
        _compare(table.record, script.sent)
        record = read_proof(context, TABLE, PUBLIC) or table.record
        return DemoResult(record, tuple(stage.players.values()), stage.letters, stage.mails, script.refusal)


def _count_turns(cast: DemoPlan) -> int:
    played = sample_game(cast.game, seats=cast.seats, dealer=cast.dealer("length"), name=TABLE)
    return max(entry.number or 0 for entry in played.entries)


def _look(context: PostContext) -> Table:
    """The table as it stands."""
    with context.store.reading() as transaction:
        rows = transaction.load_events(TABLE)
    return fold(map(event_from_row, rows))


class _Script:
    """What the players send, with an illegal move, a word to all and a question somewhere in the middle."""

    def __init__(self, stage: DemoPost, cast: DemoPlan, middle: int) -> None:
        self.dealer = cast.dealer("thoughts")
        self.sent: dict[Seat, list[Any]] = {seat: [] for seat in cast.seats}
        self.refusal = ""
        self._stage = stage
        self._middle = middle
        self._played: list[str] = []
        self._asides = ["status", "press to all: the caravan moves on"]

    def send(self, table: Table, player: Player, thought: PlannedMoves) -> None:
        """Let a player send moves, after whatever else the moment brings."""
        late = table.turn >= self._middle
        if late and not self.refusal and (phrase := find_illegal_move(table, player.seat, self._played)) is not None:
            self.refusal = _expect(self._stage.write(player, phrase), "refused").reason
        elif late and self._asides and self.refusal:
            _expect(self._stage.write(player, self._asides.pop()), "applied")
        _expect(self._stage.write(player, thought.phrase), "applied")
        self.sent[player.seat] += thought.moves
        self._played.append(thought.phrase)


def _seat_players(stage: DemoPost, cast: DemoPlan, folder: Path) -> None:
    """Invite everybody, and let everybody accept."""
    context = stage.context

    def label(message_id: str) -> str:
        with context.store.reading() as transaction:
            mail = transaction.find_message(message_id)
        return mail.kind if mail is not None else "mail"

    for seat, name, program in zip(cast.seats, PEOPLE, (*PROGRAMS, PROGRAMS[0]), strict=False):
        address = f"{name.lower()}@example.org"
        mailbox = folder / "mailboxes" / file_name(address)
        shelf = MailFolder(folder / "letters" / name.lower(), folder / "letters" / "pictures", label)
        stage.players[seat] = Player(seat, name, address, mailbox, program, shelf)
    guests = [Guest(player.seat, player.name, player.address, cast.language) for player in stage.players.values()]
    options = dict(cast.game.lay_out(Setup(cast.seats), cast.dealer("set-up")).options)
    refused = invite(context, cast.game, guests, table=TABLE, options=options, time=context.settings.time)
    if refused is not None:
        raise RuntimeError(f"the demonstration was refused: {refused}")
    stage.carry_mails()
    for player in stage.players.values():
        _expect(stage.write(player, "accept"), "applied")


def _expect(outcome: LetterOutcome, fate: str) -> LetterOutcome:
    if outcome.fate != fate:
        raise RuntimeError(f"letter {outcome.letter} was {outcome.fate}: {outcome.reason}")
    return outcome


def _compare(record: Record, sent: dict[Seat, list[Any]]) -> None:
    """The record must say what was sent."""
    for seat, moves in sent.items():
        if [move for entry in record.entries if entry.who == seat for move in entry.moves] != moves:
            raise RuntimeError(f"the record is not what {seat} sent")
