"""A post of a test's own, and friends who play by mail: they know only what they were mailed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.chance import KeyedDealer
from engine.through_the_desert import GAME
from notation import WORDS, Record, write_moves
from pbem.demo.mail_programs import PROGRAMS, PlayerReply, Program, address_reply
from pbem.judging.lookahead import sample_game
from pbem.service.invitations import invite
from pbem.service.post_folder import CreatedPost, create_post
from pbem.settings.sections import Settings
from pbem.workflow.context import PostContext
from pbem.workflow.open_game import Guest

if TYPE_CHECKING:
    from email.message import Message

TABLE = "sirocco-7"
START = datetime(2026, 11, 16, 9, tzinfo=UTC)


@dataclass
class Hours:
    """The hour it is, which only a test moves."""

    moment: datetime = START

    def now(self) -> datetime:
        return self.moment

    def forward(self, **length: float) -> None:
        self.moment += timedelta(**length)


@dataclass
class Friend:
    """Somebody with a seat and a mail program."""

    seat: str
    name: str
    address: str
    program: Program = PROGRAMS[0]
    mails: list["Message[str, str]"] = field(default_factory=list)
    written: int = 0

    def get(self, raw: bytes) -> None:
        """A mail has come."""
        self.mails.append(message_from_bytes(raw))

    def answer(self, words: str, now: datetime = START) -> bytes:
        """A letter that answers the last mail."""
        self.written += 1
        answer = PlayerReply(words, self.mails[-1], now)
        mail = address_reply(answer, name=self.name, address=self.address, number=self.written)
        self.program(mail, answer)
        if mail.is_multipart():
            mail.set_boundary(f"part-{self.written}")  # else it is another one each time
        return mail.as_bytes(policy=SMTP)

    @property
    def reply_to(self) -> str:
        """Where an answer to the last mail goes."""
        return str(self.mails[-1]["Reply-To"]) if self.mails else ""

    def may_play(self, turn: int) -> bool:
        """Whether the last mail can be answered with the moves of a turn."""
        return f"+{TABLE}.{self.seat}.{turn}." in self.reply_to


def make_friends(count: int = 3, domain: str = "players.test", names: Sequence[str] = ()) -> dict[str, Friend]:
    """As many friends as wanted, by seat, each with another mail program."""
    called = names or ("Anna", "Boris", "Chloe", "Dov", "Ewa")
    people = zip(GAME.seats[:count], called, (*PROGRAMS, PROGRAMS[0]), strict=False)
    return {seat: Friend(seat, name, f"{name.lower()}@{domain}", program) for seat, name, program in people}


def make_script(count: int = 3, seed: str = "post") -> Record:
    """A game for them to play."""
    return sample_game(GAME, seats=GAME.seats[:count], dealer=KeyedDealer(seed.encode()), name=TABLE)


def moves_of(script: Record, most: int | None = None) -> list[tuple[str, str]]:
    """Who plays what, in order."""
    played = [(entry.who, write_moves(GAME, entry.moves)) for entry in script.entries if entry.who not in WORDS]
    return played[:most]


def found_post(folder: Path, chosen: dict[str, object] | None = None, **post: Any) -> Settings:
    """A new post; `post` are settings of its first section."""
    made = create_post(folder, {"post.address": "caravan@post.test", "post.notices": "each", **(chosen or {})})
    assert isinstance(made, CreatedPost)
    return replace(made.settings, post=replace(made.settings.post, **post))


def invite_friends(context: PostContext, friends: Iterable[Friend], script: Record) -> None:
    """Open the table at which the script will be played."""
    guests = [Guest(friend.seat, friend.name, friend.address) for friend in friends]
    options = dict(script.setup.options)
    assert invite(context, GAME, guests, table=TABLE, options=options, time=context.settings.time) is None
