"""What happened is told in words, to each reader what that reader may know."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from engine.chance import KeyedDealer
from pbem.events.chain import Draft, Event
from pbem.events.codec import decode
from pbem.events.kinds import KINDS, MovesMade, TurnPlayed
from pbem.events.payload import Payload
from pbem.mail.commands.consent import Agree, Ask
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.press import Press
from pbem.mail.commands.questions import ShowHistory
from pbem.mail.commands.submit_moves import Play
from pbem.mail.writing.event_descriptions import _DESCRIPTIONS, EventDescriber
from pbem.mail.writing.gains import Gains
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import GameOverMail, NewsMail, ReplyMail, TurnMail
from pbem.mail.writing.sentences import find_sentences
from pbem.render import ENGLISH
from pbem.tables.referee_decisions import open_table
from tests.known_games import known_game
from tests.post.mailed_games import Game


def describer(game: Any, reader: str = "red") -> EventDescriber:
    table = game.table
    return EventDescriber(table, reader, find_sentences(ENGLISH, table.game.key), gains=Gains())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event_has_its_words(kind: str) -> None:
    sentences = find_sentences(ENGLISH, "through-the-desert")
    own = KINDS[kind] in _DESCRIPTIONS or issubclass(KINDS[kind], MovesMade)
    assert own or sentences.count_facts(f"told_{kind}") is not None


@dataclass(frozen=True, slots=True)
class Thundered(Payload):
    """A kind of event that has no words yet."""

    KIND = "thunder"


def test_an_event_without_words_is_not_passed_over(played: Callable[[int], Game]) -> None:
    strange = Event("sirocco-7", 99, Thundered(), "", "", "")
    assert describer(played(2)).describe([strange]) == ["something happened of the kind thunder"]


def test_a_turn_is_told_with_what_it_brought(played: Callable[[int], Game]) -> None:
    game = played(60)
    dana = "\N{FIRST STRONG ISOLATE}דנה\N{POP DIRECTIONAL ISOLATE}"
    assert describer(game).describe(game.since("red")) == [
        "Boris: green M8, mint B5. +5 (oases)",
        "Chloé: mint O9, lemon I10. +3 (water)",
        f"{dana}: mint S11 Q12",
    ]


def test_what_turns_bring_adds_up_to_the_score(played: Callable[[int], Game]) -> None:
    game = played(60)
    table = game.table
    gains = Gains().of_moves(table)
    for seat in table.seats:
        counted = [each.counted for (_, who, _), brought in gains.items() if who == seat for each in brought]
        assert sum(points for sources in counted for _, points in sources) == table.score.total(seat)


def test_the_bonus_at_the_end_is_nobodys_gain_of_the_last_turn(played: Callable[[int], Game]) -> None:
    game = played(500)
    lines = describer(game).describe(game.events)
    assert "longest caravans" not in " ".join(lines)
    assert lines[-1] == "the game is over"


def test_a_turn_that_was_taken_back_brought_nothing(played: Callable[[int], Game]) -> None:
    game = played(58)
    game.do("blue", Ask("undo"))
    lines = describer(game).describe(game.events)
    assert "Boris: green M8, mint B5" in lines
    assert lines[-1].startswith("blue (Boris) has taken back turn 58 and plays it again")


def test_a_turn_that_all_agreed_to_take_back_is_told_as_such(played: Callable[[int], Game]) -> None:
    game = played(59)
    game.do("blue", Ask("undo"))
    for seat in ("red", "green", "orange"):
        game.do(seat, Agree("undo"))
    lines = describer(game).describe(game.events)
    assert lines[-1] == "back to turn 58, which is played again"


def test_points_that_a_table_keeps_closed_are_told_to_nobody(
    start_game: Callable[..., Game], compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    game = start_game(scores="closed").play(60)
    parts = read(compose(game.table, TurnMail(game.since("red"))))
    for part in parts.values():
        assert "points for" not in part
        assert "Points" not in part
    game.play(500)
    assert ": water " in read(compose(game.table, GameOverMail(())))["text/plain"]


def test_words_for_another_are_no_news_and_words_for_all_are(played: Callable[[int], Game]) -> None:
    game = played(20)
    game.do("blue", Press("green", "let us stop red"))
    game.do("blue", Press("all", "good\nluck"))
    assert describer(game).describe(game.events[-2:]) == ["blue (Boris) says: good luck"]


@pytest.mark.parametrize(
    ("by", "told"),
    [
        ("clock", "We played this, as no answer came in time."),
        ("plan", "This was planned."),
        ("chance", "This was drawn by lot, as nobody plays the seat."),
        ("referee", "The referee played this."),
    ],
)
def test_who_made_a_move_is_told_unless_it_was_the_player(by: str, told: str, played: Callable[[int], Game]) -> None:
    game = played(20)
    event = Event("sirocco-7", 99, TurnPlayed("red", 21, "lilac O4", by=by, letter=""), "", "", "")
    assert describer(game).describe([event]) == [f"Anna: lilac O4. {told}"]


def test_an_absence_an_extension_and_a_substitution_in_words(played: Callable[[int], Game]) -> None:
    game = played(20)
    game.apply_events(
        [
            Draft(decode("absence", {"seat": "blue", "first": "2026-12-20", "last": "2027-01-02"})),
            Draft(decode("returned", {"seat": "blue", "first": "2026-12-24"})),
            Draft(decode("extended", {"length": "1d12h", "reason": "an outage", "by": "post"})),
            Draft(decode("extended", {"length": "90m", "reason": "", "by": "post"})),
            Draft(decode("substituted", {"seat": "green", "name": "Greta", "by": "referee"})),
            Draft(decode("resigned", {"seat": "orange", "by": "clock"})),
        ]
    )
    assert describer(game).describe(game.events[-6:]) == [
        "blue (Boris) is away from 20 December 2026 to 2 January 2027",
        "blue (Boris) is back from 24 December 2026 on",
        "everybody gets 1 day, 12 hours more: an outage",
        "everybody gets 1 hour, 30 minutes more",
        "Greta now plays green",
        "orange (\N{FIRST STRONG ISOLATE}דנה\N{POP DIRECTIONAL ISOLATE}) ran out of time and lost the seat",
    ]


@pytest.fixture
def shy_game(lay_table: Callable[..., Game]) -> Any:
    """A game of the guest, which has hidden cards and choices made at once."""
    game = lay_table()
    opened = open_table(
        known_game("shy-well"), names={"fennec": "Fay", "hare": "Hal", "jackal": "Jo"}, options={}, terms={}
    )
    assert isinstance(opened, Draft)
    game.events.clear()
    game.apply_events([opened])
    for seat in game.table.seats:
        game.do(seat, AcceptInvitation(seat))
    return game


def test_secrets_of_a_game_are_told_to_nobody_else(
    shy_game: Any, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    cards = {event.phrase.split()[1]: event.phrase for event in shy_game.events if event.sealed is not None}
    assert cards.keys() == {"fennec", "hare", "jackal"}
    own = cards.pop("fennec").split()[-1]
    shy_game.do("hare", Play("go"))
    parts = read(compose(shy_game.table, TurnMail(tuple(shy_game.events)), seat="fennec", name="Fay"))
    text = parts["text/plain"]
    for card in cards.values():
        assert card not in text
    assert f"Drawn: card fennec {own}" in text
    assert "Drawn: card hare hidden" in text
    assert "Hal has made a move that you cannot see." in text
    assert "Only you see this" in text
    assert re.search(rf"\| Only you see this: (cards )?fennec: {own}\.", text)
    assert "cards hare" not in text


def test_the_record_of_a_game_with_secrets_is_told_as_its_reader_may_know_it(
    shy_game: Any, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    parsed = parse_commands("history", game=shy_game.table.game)
    decision = shy_game.do("fennec", ShowHistory())
    reply = ReplyMail(parsed, ((ShowHistory(), decision),))
    text = read(compose(shy_game.table, reply, seat="fennec", name="Fay"))["text/plain"]
    own = next(event.phrase for event in shy_game.events if event.sealed is not None and "fennec" in event.phrase)
    assert f"1. *: {own}" in text
    assert "1. *: card hare hidden" in text
    assert "1. *: card jackal hidden" in text
    while shy_game.table.due:
        for seat in shy_game.table.due:
            shy_game.do(seat, Play((KeyedDealer(seat.encode()).pick(2, "x") and "go") or "wait"))
    text = read(compose(shy_game.table, NewsMail(tuple(shy_game.events[-3:])), seat="fennec", name="Fay"))["text/plain"]
    assert "Points: " in text


def test_a_mail_about_a_guest_is_complete_too(
    shy_game: Any, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    parts = read(compose(shy_game.table, TurnMail(()), seat="hare", name="Hal"))
    for part in parts.values():
        assert "For example: go" in part
        assert "These moves are open to you:" in part


@pytest.mark.parametrize(
    ("planned", "why"),
    [("lilac A1", "mountain"), ("lilac N5", "It is not a whole turn."), ("lilac", "It could not be read.")],
)
def test_a_plan_that_was_dropped_is_explained_in_the_words_of_the_reader(
    planned: str,
    why: str,
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    game = played(60)
    dropped = type(game)(list(game.events)).do("red", Play(planned))
    said = " ".join(read(compose(game.table, TurnMail((), dropped)))["text/plain"].split())
    after = said.partition("so it is up to you. ")[2]
    assert why in after.partition(". ")[0] + "."
