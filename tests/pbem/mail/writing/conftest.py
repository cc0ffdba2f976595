"""Tables to write about: real games, opened, accepted and played through their events."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from email import message_from_bytes
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

from engine.chance import KeyedDealer
from engine.game import PUBLIC
from engine.through_the_desert import GAME
from pbem.events.chain import Draft, Event
from pbem.events.codec import decode
from pbem.events.kinds import VoteAsked
from pbem.mail.commands.appeal import Appeal
from pbem.mail.commands.consent import Agree, Object
from pbem.mail.commands.invitation import AcceptInvitation, DeclineInvitation
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.press import Press
from pbem.mail.commands.resign import Resign
from pbem.mail.commands.submit_moves import Play
from pbem.mail.commands.vacation import Vacation
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import (
    Correspondent,
    DigestMail,
    DoubtMail,
    Envelope,
    GameOverMail,
    InvitationMail,
    NewsMail,
    NoticeMail,
    Occasion,
    Post,
    ReminderMail,
    ReplyMail,
    TurnMail,
    UnchangedMail,
    WordsMail,
)
from pbem.render import ENGLISH, Locale
from pbem.tables import cases
from pbem.tables.chance import random_moves
from pbem.tables.decision import PressMessage
from pbem.tables.referee_decisions import open_table
from pbem.tables.reliability import Counts
from pbem.tables.table import PLAYING, Table
from tests.known_games import known_game
from tests.pbem.mail.writing.pencilled_mail import pencil_of
from tests.pbem.mail.writing.pseudo_language import Pseudo
from tests.pbem.mail.writing.rarer_mails import WHISPER, rarer_occasions
from tests.post.mailed_games import NOW, Game, watched

NAMES = {"red": "Anna", "blue": "Boris", "green": "Chloé", "orange": "דנה"}
POST = Post("caravan@post.example", "Caravan Post", b"a key for tests")
REPLY_TO = "caravan+sirocco-7.red.12.0.abcdefghijklmnop@post.example"


def invite(names: dict[str, str] | None = None, **terms: Any) -> Game:
    """A table laid, nobody has answered yet."""
    opened = open_table(GAME, names=names or NAMES, options={}, terms=terms)
    assert isinstance(opened, Draft)
    game = Game([])
    game.apply_events([opened])
    return game


def begin(names: dict[str, str] | None = None, **terms: Any) -> Game:
    """A game that has just begun."""
    game = invite(names, **terms)
    for seat in game.table.seats:
        game.do(seat, AcceptInvitation(f"stirred by {seat}"))
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
def envelope() -> Envelope:
    """An envelope for Anna at red."""
    reader = Correspondent("Anna", "anna@example.org", zone="Europe/Warsaw")
    return Envelope("red", reader, 7, REPLY_TO, NOW)


@pytest.fixture
def compose(composer: Composer, envelope: Envelope) -> Callable[..., Mail]:
    """Compose a mail to Anna, or with changes to her and her envelope."""

    def write(table: Table, occasion: Occasion, deadlines: Any = None, **changes: Any) -> Mail:
        person = {name: changes.pop(name) for name in ("name", "language", "zone", "plain") if name in changes}
        own = replace(envelope, to=replace(envelope.to, **person), **changes)
        due = {seat: NOW + timedelta(days=2, hours=6) for seat in table.due} if deadlines is None else deadlines
        return composer.compose(table, own, occasion, due)

    return write


def answer_to(game: Game, seat: str, words: str, cut: tuple[str, ...] = ()) -> ReplyMail:
    """What comes of a letter with these words, read and carried out."""
    parsed = parse_commands(words, game=game.table.game)
    return ReplyMail(parsed, tuple((command, game.do(seat, command)) for command in parsed.commands), words, cut)


@pytest.fixture
def answer() -> Callable[..., ReplyMail]:
    """What comes of a letter, read and carried out."""
    return answer_to


def all_occasions() -> Iterator[tuple[str, Table, str, Occasion]]:
    """A mail of every kind: its name, the table, the reader's seat and the occasion."""
    invited = invite(per_turn="2d12h", reminders=["1d", "6h"], silence="forfeit", weekends=False)
    invited.do("blue", AcceptInvitation())
    yield "invitation", invited.table, "red", InvitationMail("Boris")
    banked = invite(bank="14d", increment="1d")
    answers = {"blue": Counts(on_time=19, late=1, missed=2, excused=1)}
    yield "invitation-with-bank", banked.table, "red", InvitationMail(answers=answers)
    banked.do("blue", DeclineInvitation())
    yield "called-off", banked.table, "red", NewsMail(tuple(banked.events[1:]))
    begun = begin()
    yield "begun", begun.table, "red", TurnMail(tuple(begun.events))

    game = Game(list(_played(60)))
    yield "turn", game.table, "red", TurnMail(game.since("red"))
    yield "turn-played-for", game.table, "red", TurnMail(game.since("red"), played="lilac N5 M6")
    planned = Game(list(game.events)).do("red", Play("lilac A1"))
    yield "turn-plan-dropped", game.table, "red", TurnMail(game.since("red"), planned)
    yield "reminder", game.table, "red", ReminderMail(game.since("red"))
    yield "press", game.table, "red", WordsMail(PressMessage("blue", "red", WHISPER), 57)
    yield "press-to-all", game.table, "red", WordsMail(PressMessage("blue", "all", "Good luck!"), 58)
    yield "duplicate", game.table, "blue", UnchangedMail("same-letter")
    yield "nothing-kept", game.table, "red", UnchangedMail("nothing")
    yield "doubt", game.table, "red", DoubtMail("not-authentic")
    yield "notice-of-bounces", game.table, "referee", NoticeMail("bounces", "blue")
    yield "notice-of-a-move", game.table, "red", NoticeMail("played for", about="lilac N5 M6", since=game.since("red"))
    yield "notice-of-lateness", game.table, "red", NoticeMail("late", "blue")
    for name, words in ANSWERED.items():
        yield name, game.table, "red", answer_to(Game(list(game.events)), "red", words)

    before = len(game.events)
    reply = answer_to(game, "red", "lilac N5, lilac M6\n\npress to blue: well met\n\nsee you", ("On Tue, you wrote:",))
    yield "receipt", game.table, "red", reply
    yield "news", game.table, "green", NewsMail(tuple(game.events[before:]))
    half = Game(list(_played(60)))
    reply = answer_to(half, "red", "lilac N5")
    yield "receipt-of-half-a-turn", half.table, "red", reply
    yield "digest", game.table, "green", DigestMail(game.since("green"))
    yield "digest-of-nothing", game.table, "green", DigestMail(())

    taken_back = Game(list(game.events))
    game.apply_events([Draft(VoteAsked("undo", "red", 61, reveals=False))])
    yield "vote-asked", game.table, "green", NewsMail(tuple(game.events[-1:]))
    asked = Game(list(game.events))
    asked.do("green", Object("undo"))
    yield "vote-dropped", asked.table, "red", NewsMail(tuple(asked.events[len(game.events) :]))
    for seat in ("blue", "green", "orange"):
        game.do(seat, Agree("undo"))
    yield "vote-carried", game.table, "red", NewsMail(tuple(game.events[-2:]))
    game.apply_events([Draft(decode("paused", {"reason": "the referee is asleep", "by": "referee"}))])
    yield "paused", game.table, "red", NewsMail(tuple(game.events[-1:]))
    game.apply_events([Draft(decode("resumed", {"reason": "the referee is asleep", "by": "referee"}))])
    yield "resumed", game.table, "red", NewsMail(tuple(game.events[-1:]))
    yield from _judged(Game(list(game.events)))
    game.do("blue", Vacation(date(2026, 12, 20), date(2026, 12, 27)))
    game.do("blue", Press("all", "Merry Christmas!"))
    game.do("green", Resign())
    game.apply_events([Draft(decode("substituted", {"seat": "green", "name": "Greta", "by": "referee"}))])
    game.apply_events([Draft(decode("extended", {"length": "1d", "reason": "an outage", "by": "post"}))])
    yield "many-things", game.table, "red", NewsMail(tuple(game.events[-6:]))
    yield "game-over", *_finished()
    yield from _nomadi()
    yield from _brotherhood()
    away = Game(list(_played(60)))
    for words in ("vacation 2026-12-20 to 2026-12-27", "vacation 2027-01-02 to 2027-01-31", "status", "vacation none"):
        reply = answer_to(away, "red", words)
        yield f"away, {words}", away.table, "red", reply
    yield "reply-to-undo", taken_back.table, "red", answer_to(taken_back, "red", "undo")
    yield "taken-back", taken_back.table, "blue", NewsMail(tuple(taken_back.events[-1:]))
    waits = Game(list(_played(60)))
    reply = pencil_of(waits, "red", "lilac N5, lilac M6\n\nHaikara lentää matalalla järven yllä.")
    yield "pencilled", waits.table, "red", reply
    yield "notice-of-a-pencil", waits.table, "red", NoticeMail("pencil dropped", about="lilac N5 M6")
    yield from rarer_occasions(Game(list(_played(60))))


def _judged(game: Game) -> Iterator[tuple[str, Table, str, Occasion]]:
    """A case from the appeal to its end."""
    game.do("blue", Appeal("that was not legal"))
    yield "appealed", game.table, "red", NewsMail(tuple(game.events[-2:]))
    game.apply_events(cases.warrant(game.table, 1, "blue", "to see more").drafts)
    yield "warranted", game.table, "red", NewsMail(tuple(game.events[-1:]))
    game.apply_events(
        cases.rule(game.table, 1, cases.WantedRuling("roll-back", "that is right"), KeyedDealer(b"court")).drafts
    )
    yield "ruled", game.table, "green", NewsMail(tuple(game.events[-2:]))
    game.apply_events(cases.close(game.table, 1).drafts)
    yield "closed", game.table, "green", NewsMail(tuple(game.events[-2:]))


ANSWERED: dict[str, str] = json.loads(Path(__file__).with_name("answered.json").read_text("utf-8"))
"""What red writes for each kind of answer."""


@cache
def _finished() -> tuple[Table, str, Occasion]:
    game = Game(list(_played(60))).play(200)
    return game.table, "red", GameOverMail(game.since("red"))


CARAVANERS = {"blue": "Anna", "yellow": "Boris", "red": "Chloé", "green": "דנה"}
PRAISE = "Good luck: take N13"


@cache
def first_offer() -> tuple[Event, ...]:
    """A game of Nomadi, played by chance until a card was offered and the next player is on turn."""
    game = Game([])
    opened = open_table(known_game("nomadi"), names=CARAVANERS, options={}, terms={})
    assert isinstance(opened, Draft)
    game.apply_events([opened])
    for seat in game.table.seats:
        game.do(seat, AcceptInvitation(seat))
    for number in range(100):
        table = game.table
        position: Any = table.position
        if position.open_offers():
            break
        phrase = random_moves(table, table.due[0], KeyedDealer(f"{number}".encode()))
        game.do(table.due[0], Play(phrase.replace("offer", f'offer "{PRAISE}"')))
    return tuple(game.events)


def _nomadi() -> Iterator[tuple[str, Table, str, Occasion]]:
    """Mails about dice, and about a card that some know, one may take and others have not seen."""
    game = Game(list(first_offer()))
    table = game.table
    view = table.game.view(table.position, PUBLIC)
    (offer,) = view["offers"]
    yield "nomadi-dice", table, view["who"], TurnMail(game.since(view["who"]))
    yield "nomadi-offer", table, offer["to"], TurnMail(game.since(offer["to"]))
    yield "nomadi-secret", table, offer["from"], NewsMail(tuple(game.events[-4:]))


@pytest.fixture
def offered() -> Game:
    """A game of Nomadi in which an offer waits for its answer, free to be played on."""
    return Game(list(first_offer()))


def _brotherhood() -> Iterator[tuple[str, Table, str, Occasion]]:
    """Mails about a turn of trading and building, an offer to answer, and cards to discard."""
    market, bargain, flood = (
        Game(list(watched(key, moment)))
        for key, moment in (("brotherhood", "market"), ("brotherhood-base", "bargain"), ("brotherhood", "flood"))
    )
    (builder,) = market.table.due
    yield "brotherhood-turn", market.table, builder, TurnMail(market.since(builder))
    view = bargain.table.game.view(bargain.table.position, PUBLIC)
    asked = view["offers"][0]["to"][0]
    yield "brotherhood-base-offer", bargain.table, asked, TurnMail(bargain.since(asked))
    rich = flood.table.due[0]
    yield "brotherhood-seven", flood.table, rich, TurnMail(flood.since(rich))


@pytest.fixture
def bargain() -> Game:
    """A base game of the Brotherhood in which an offer waits for answers, free to be played on."""
    return Game(list(watched("brotherhood-base", "bargain")))


@pytest.fixture
def market() -> Game:
    """A full game of the Brotherhood whose player on turn can trade and build."""
    return Game(list(watched("brotherhood", "market")))


@pytest.fixture
def purchase() -> Game:
    """A base game of the Brotherhood in which a development card was just bought."""
    return Game(list(watched("brotherhood-base", "purchase")))


@pytest.fixture
def flood() -> Game:
    """A full game of the Brotherhood in which a seven makes somebody discard."""
    return Game(list(watched("brotherhood", "flood")))


@pytest.fixture
def reaction() -> Game:
    """A full game of the Brotherhood in which Tarly may react."""
    return Game(list(watched("brotherhood", "reaction")))


READERS: dict[str, dict[str, Any]] = {
    "invitation": {"notices": "turn", "zone": "UTC", "offset": 120},
    "fewer": {"calendar": True},
}
"""What is known of the readers of some mails, where it matters."""


def write_all(composer: Composer, language: str = "en", **changes: Any) -> dict[str, Mail]:
    """All of them, composed."""
    return {
        name: composer.compose(
            table,
            Envelope(
                seat,
                Correspondent(table.names.get(seat, "Rita"), f"{seat}@example.org", language, **(known | changes)),
                number,
                REPLY_TO,
                NOW,
            ),
            occasion,
            {due: NOW + timedelta(days=2, hours=6) for due in table.due},
        )
        for number, (name, table, seat, occasion) in enumerate(all_occasions(), start=1)
        for known in [{"zone": "Europe/Warsaw"} | READERS.get(name, {})]
    }


@pytest.fixture(scope="session")
def mails(composer: Composer) -> dict[str, Mail]:
    return write_all(composer)


@pytest.fixture(scope="session")
def write_mails() -> Callable[..., dict[str, Mail]]:
    return write_all


@pytest.fixture(scope="session")
def pseudo() -> Pseudo:
    return Pseudo()


@pytest.fixture(scope="session")
def turned(pseudo: Pseudo) -> dict[str, Mail]:
    """A mail of every kind in the language of the pseudo-catalogue."""
    locale = Locale("he", pseudo, rtl=True)
    return write_all(Composer(POST, locales=lambda code: locale if code == "he" else ENGLISH), "he")


def parts(mail: Mail) -> dict[str, str]:
    """The text of the parts of a mail, by content type."""
    return {
        part.get_content_type(): cast("bytes", part.get_payload(decode=True)).decode("utf-8").replace("\r\n", "\n")
        for part in message_from_bytes(mail.raw).walk()
        if part.get_content_maintype() == "text" and part.get_filename() is None
    }


@pytest.fixture(scope="session")
def read() -> Callable[[Mail], dict[str, str]]:
    return parts
