"""A town: a post without any network, and people at one table who answer what is mailed to them.

Two towns can be made alike to the last byte, so that what differs in their mails can only come from what a test made
different.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256, sha512
from itertools import count
from pathlib import Path
from typing import Any

from engine.chance import KeyedDealer
from engine.game import Game, Seat, Setup
from pbem.events.chain import Event
from pbem.proof.public_beacon import Beacon
from pbem.service.post_folder import open_post
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.tables.fold import fold
from pbem.tables.table import Table
from pbem.workflow.context import PostContext, events_from_rows
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.new_tables import terms_of
from pbem.workflow.open_game import BEACON, Guest, Invitation, open_table
from pbem.workflow.open_game import SEED as SEED_ALONE
from pbem.workflow.tick import TickResult, tick
from tests.post.post_games import TABLE, Friend, Hours, found_post

PEOPLE = ("Anna", "Boris", "Chloe", "Dov", "Ewa")
SEED = bytes(range(7, 39))


def even_bytes() -> Callable[[int], bytes]:
    """Bytes like random ones, and the same in every town: ids of people and salts of what they say."""
    number = count()

    def draw(size: int) -> bytes:
        return sha512(f"town {next(number)}".encode()).digest()[:size]

    return draw


def handle_letter(context: PostContext) -> LetterOutcome:
    """Give the one letter that has come its fate, and look at the clocks."""
    (outcome,) = handle_arrived_letters(context)
    tick(context)
    return outcome


@dataclass
class Town:
    """A post, its people, and the hour."""

    context: PostContext
    hours: Hours
    friends: dict[Seat, Friend]
    mails: dict[str, list[bytes]] = field(default_factory=dict)
    """What was mailed, by address, in order."""
    letters: list[bytes] = field(default_factory=list)
    handle: Callable[[PostContext], LetterOutcome] = handle_letter
    _carried: int = 0

    def carry(self) -> None:
        """Give everybody what was written since."""
        with self.context.store.reading() as at_desk:
            while (mail := at_desk.find_mail(self._carried + 1)) is not None:
                self._carried += 1
                self.mails.setdefault(mail.recipient, []).append(mail.raw)
                for friend in self.friends.values():
                    if friend.address == mail.recipient:
                        friend.get(mail.raw)

    def write(self, seat: Seat, words: str) -> LetterOutcome:
        """Let somebody answer the last mail; what became of the letter."""
        return self.deliver(self.friends[seat].answer(words, self.hours.now()))

    def deliver(self, letter: bytes) -> LetterOutcome:
        """Let a letter come; what became of it."""
        self.hours.forward(minutes=17)
        self.letters.append(letter)
        self.context.store.receive(letter, intake="test")
        outcome = self.handle(self.context)
        self.carry()
        return outcome

    def wait(self, **length: float) -> list[TickResult]:
        """Let time pass, and look at the clocks."""
        done = []
        end = replace(self.hours)
        end.forward(**length)
        while self.hours.moment < end.moment:
            self.hours.forward(minutes=30)
            done += tick(self.context)
        self.carry()
        return done

    @property
    def events(self) -> list[Event]:
        """All that has happened."""
        with self.context.store.reading() as at_desk:
            return list(events_from_rows(at_desk.load_events(TABLE)))

    @property
    def table(self) -> Table:
        """How the table stands."""
        return fold(self.events)

    def last_text(self, seat: Seat) -> str:
        """The text part of the last mail to a seat."""
        part = next(part for part in self.friends[seat].mails[-1].walk() if part.get_content_type() == "text/plain")
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        return content.decode("utf-8")


_TICKET = re.compile(rb"\b%s\.([a-z]+)\.([0-9]+)\.[a-z2-7]{6}\.[a-z2-7]{12}(?=@)" % TABLE.encode())


def readdress(letter: bytes, town: Town) -> bytes:
    """A letter that was written in another town, sent to the reply address of the same mail here.

    Reply addresses are bound to the history they were written in, and two towns have two histories.
    """

    def address(found: re.Match[bytes]) -> bytes:
        here = town.friends[found[1].decode()].reply_to
        ours = _TICKET.search(here.encode())
        assert ours is not None
        return ours[0]

    header, gap, body = letter.partition(b"\r\n\r\n")
    return _TICKET.sub(address, header) + gap + body


@contextmanager
def found_town(
    folder: Path,
    game: Game[Any],
    players: int,
    *,
    options: dict[str, str] | None = None,
    chosen: dict[str, object] | None = None,
    accepting: bool = True,
    language: str = "en",
    beacon: Beacon | None = None,
    seed: bytes = SEED,
    terms: dict[str, object] | None = None,
) -> Iterator[Town]:
    """A town in which a game begins, with `chosen` settings and further `terms`; or only the invitations are out.

    Every town has the same keys, so that all that happens in it follows from them. With a `beacon` draws wait for it.
    """
    hours, seats = Hours(), game.seats[:players]
    found_post(folder, chosen)
    for key in folder.glob("*.key"):
        key.write_text(sha256(key.name.encode()).hexdigest() + "\n")
    settings = read_settings(folder / "post.toml")
    assert isinstance(settings, Settings), settings
    settings = replace(settings, post=replace(settings.post, answers_per_hour=1_000, notices="each"))
    friends = {
        seat: Friend(seat, name, f"{name.lower()}@players.test") for seat, name in zip(seats, PEOPLE, strict=False)
    }
    with open_post(settings, hours.now) as opened:
        context = replace(opened, run="town", random_bytes=even_bytes(), beacon=beacon or opened.beacon)
        tick(context)
        town = Town(context, hours, friends)
        guests = [Guest(friend.seat, friend.name, friend.address, language) for friend in friends.values()]
        laid = game.lay_out(Setup(seats, tuple((options or {}).items())), KeyedDealer(b"town"))
        dice = SEED_ALONE if beacon is None else BEACON
        agreed = {**terms_of(context.settings.time), **(terms or {})}
        wanted = Invitation(TABLE, game.key, guests, dict(laid.options), agreed, dice)
        assert open_table(context, wanted, seed=seed) is None
        town.carry()
        for seat in seats if accepting else ():
            assert town.write(seat, "accept").fate == "applied"
        yield town
