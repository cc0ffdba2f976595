"""Mails of all kinds from the middle of all our games, as pages that a browser can show, pictures included.

Games are played by the players of the demonstration, so that boards fill as they do with people.
"""

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes
from functools import cache
from typing import Any, Final, cast

from engine.chance import KeyedDealer
from engine.game import PUBLIC
from pbem.demo.players import find_illegal_move, plan_moves
from pbem.events.chain import Draft, Event
from pbem.events.kinds import TurnPlayed, VoteAsked
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.submit_moves import Play
from pbem.mail.writing.choices import find_choices
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import (
    Correspondent,
    DigestMail,
    Envelope,
    GameOverMail,
    InvitationMail,
    NewsMail,
    Occasion,
    Post,
    ReminderMail,
    ReplyMail,
    TurnMail,
)
from pbem.tables.referee_decisions import open_table
from pbem.tables.table import PLAYING, Table
from tests.known_games import known_game
from tests.pbem.mail.writing.pencilled_mail import pencil_of
from tests.post.mailed_games import NOW, Game

GAMES: Final = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")
MIDDLE: Final = {"through-the-desert": 44, "nomadi": 40, "brotherhood-base": 60, "brotherhood": 60}
"""The turn from which on each game is looked at."""
NAMES: Final = ("Anna", "Boris", "Chloé", "Dov")
MISSPELT: Final = {
    "through-the-desert": "lilca N5, mint A1",
    "nomadi": "2 K9-K1l",
    "brotherhood-base": "raod 4-9",
    "brotherhood": "raod 4-9",
}
"""A line of each game with a slip in it."""
WORDS: Final = {"through-the-desert": "oasis", "nomadi": "ravine", "brotherhood-base": "road", "brotherhood": "mormont"}
"""A word of each game that players ask about."""
REPLY_TO: Final = "caravan+sirocco-1.red.12.0.abcdefghijklmnop@post.example"
COMPOSER: Final = Composer(Post("caravan@post.example", "Caravan Post", b"a key for tests"))
UNKNOWN: Final = "Haikara lentää matalalla järven yllä."
"""Words that we do not know, so that the move beside them is pencilled."""


@dataclass(frozen=True)
class Scene:
    """A moment of a game to write a mail about."""

    kind: str
    table: Table
    seat: str
    occasion: Occasion
    hints: bool = False

    def write(self, language: str) -> Mail:
        """The mail to the reader."""
        name, address = self.table.names[self.seat], "anna@example.org"
        # Whoever is invited is new: of such a person we know only by how much the clock differs from ours.
        newcomer = Correspondent(name, address, language, notices="turn", offset=60)
        known = Correspondent(name, address, language, "Europe/Warsaw", notices="wanted")
        reader = newcomer if self.kind == "invitation" else known
        envelope = Envelope(self.seat, reader, 41, REPLY_TO, NOW, hints=self.hints)
        hours = 6 if self.kind == "reminder" else 54
        return COMPOSER.compose(
            self.table, envelope, self.occasion, dict.fromkeys(self.table.due, NOW + timedelta(hours=hours))
        )


def lay(key: str) -> Game:
    """A table at which nobody has answered yet."""
    rules, game = known_game(key), Game([])
    opened = open_table(rules, names=dict(zip(rules.seats, NAMES, strict=False)), options={}, terms={})
    assert isinstance(opened, Draft)
    game.apply_events([opened])
    return game


def play_on(game: Game) -> None:
    """One letter of whoever is due."""
    table = game.table
    seat = table.due[0]
    game.do(seat, Play(plan_moves(table, seat, KeyedDealer(f"{len(game.events)}".encode())).phrase))


@cache
def played(key: str) -> tuple[tuple[Event, ...], ...]:
    """A whole game: its events when it began, when its reader is on turn in the middle, at an offer, and at its end."""
    game = lay(key)
    for seat in game.table.seats:
        game.do(seat, AcceptInvitation(seat))
    began = tuple(game.events)
    reader = game.table.seats[0]
    middle: tuple[Event, ...] = ()
    offered: tuple[Event, ...] = ()
    while game.table.stage == PLAYING:
        table = game.table
        view: Any = table.game.view(table.position, PUBLIC)
        on_turn = view.get("on_turn", view.get("who", table.due[0]))
        late = table.turn >= MIDDLE[key]
        if late and not middle and table.due == (reader,) and on_turn == reader:
            middle = tuple(game.events)
        if (
            late
            and not offered
            and view.get("offers")
            and any(_can_take(table, seat) for seat in table.due if seat != on_turn)
        ):
            offered = tuple(game.events)
        play_on(game)
    return began, middle, offered, tuple(game.events)


def _can_take(table: Table, seat: str) -> bool:
    """Whether somebody else has offered a seat what it can take or leave; the post writes to nobody else."""
    found = find_choices(table, seat)
    return found is not None and bool(found.default) and len(found.phrases) > 1


def answer(game: Game, seat: str, words: str) -> ReplyMail:
    """What comes of a letter, read and carried out."""
    parsed = parse_commands(words, game=game.table.game)
    return ReplyMail(parsed, tuple((command, game.do(seat, command)) for command in parsed.commands), words)


def scenes(key: str) -> Iterator[Scene]:
    """A mail of every kind."""
    began, middle, offered, ended = played(key)
    invited = lay(key)
    reader, other = invited.table.seats[:2]
    invited.do(other, AcceptInvitation())
    yield Scene("invitation", invited.table, reader, InvitationMail("Boris"))
    first = Game(list(began))
    yield Scene("first turn", first.table, first.table.due[0], TurnMail(began), hints=True)
    game = Game(list(middle))
    yield Scene("turn", game.table, reader, TurnMail(game.since(reader)))
    if offered:
        asked = Game(list(offered))
        view: Any = asked.table.game.view(asked.table.position, PUBLIC)
        on_turn = view.get("on_turn", view.get("who"))
        seat = next(seat for seat in asked.table.due if seat != on_turn and _can_take(asked.table, seat))
        yield Scene("offer", asked.table, seat, TurnMail(asked.since(seat)))
    phrase = plan_moves(game.table, reader, KeyedDealer(b"turn")).phrase
    moved = Game(list(middle))
    receipt = answer(moved, reader, phrase)
    yield Scene("receipt", moved.table, reader, receipt)
    waits = Game(list(middle))
    pencilled = pencil_of(waits, reader, f"{phrase}\n\n{UNKNOWN}")
    yield Scene("pencilled", waits.table, reader, pencilled)
    for kind, words in asked_words(key, game, reader):
        alone = Game(list(middle))
        reply = answer(alone, reader, words)
        yield Scene(kind, alone.table, reader, reply)
    yield Scene("reminder", game.table, reader, ReminderMail(game.since(reader)))
    yield Scene("digest", game.table, other, DigestMail(game.since(other)))
    moved.apply_events([Draft(VoteAsked("undo", reader, game.table.turn, reveals=False))])
    yield Scene("vote", moved.table, other, NewsMail(tuple(moved.events[-1:])))
    over = Game(list(ended))
    yield Scene("game over", over.table, reader, GameOverMail(over.since(reader)))


def asked_words(key: str, game: Game, reader: str) -> Iterator[tuple[str, str]]:
    """Letters that are answered at once, by the kind of their answer."""
    sent = [event.payload.phrase for event in game.events if isinstance(event.payload, TurnPlayed)]
    yield "question", MISSPELT[key]
    yield "refusal", find_illegal_move(game.table, reader, sent) or ""
    yield "rules", "rules"
    yield "rule", f"rule {WORDS[key]}"
    yield "proof", "proof"
    yield "fewer mails", "fewer mails"


def show(mail: Mail) -> str:
    """The HTML part of a mail with its pictures inside, as a mail program shows it."""
    shown, pictures = "", {}
    for part in message_from_bytes(mail.raw).walk():
        content = cast("bytes", part.get_payload(decode=True))
        if part.get_content_type() == "text/html":
            shown = content.decode("utf-8")
        elif part.get_content_maintype() == "image":
            pictures[part["Content-ID"].strip("<>")] = b64encode(content).decode("ascii")
    return re.sub(r'"cid:([^"]+)"', lambda found: f'"data:image/png;base64,{pictures[found[1]]}"', shown)
