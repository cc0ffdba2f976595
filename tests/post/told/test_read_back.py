"""The post reads what it writes: every move that a mail tells, in any language, is the move that it told.

Whole games are told in one mail each. What stands after a player's name, the dice and a colon, up to what came of it,
is sent as a letter would be. Moves that follow one another in a turn share a line, so they are compared as one text.
`CARAVAN_TOLD=50` tells fifty games of each kind in every language.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise

import pytest

from engine.chance import KeyedDealer
from engine.registry import IN_HOUSE
from notation.phrasebook import hides
from pbem.events.chain import ORIGIN, Draft, Event, append_event, phrase_of
from pbem.events.kinds import ChanceDealt, GameEnded, TurnPlayed
from pbem.events.record_conversion import drafts_from_record
from pbem.judging.lookahead import sample_game
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.submit_moves import Play
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.occasions import Correspondent, Envelope, NewsMail, Post
from pbem.mail.writing.sentences import find_sentences
from pbem.tables.consequences import seal_draft
from pbem.tables.fold import apply_event, fold
from pbem.tables.play import Pending, words_for_players
from pbem.tables.table import Table
from tests.known_games import known_game
from tests.pbem.mail.writing.conftest import parts

GAMES = int(os.environ.get("CARAVAN_TOLD", "1"))
NAMES = ("Anna", "Борис", "Chloé Dupont", "דנה", "Ore")
"""Names of several scripts, of two words, and one that is a word of a game and so never stands for its player."""
POST = Post("caravan@post.example", "Caravan Post", b"a key for tests")
AT = "2026-11-17T12:00:00Z"
TOLD = re.compile(
    r"(?P<who>[^:]{1,40}?)(?: \([\d \u2066-\u2069]+\))?: "
    r"(?P<order>(?:\"(?:[^\"\\]|\\.)*\"|(?!\. )[^\"])*)(?:\. .*)?"
)
ISOLATES = re.compile("[\u2066-\u2069\u200e\u200f]")


@cache
def play(key: str, number: int) -> tuple[Table, tuple[Event, ...]]:
    """A whole game by chance, in which everything is done that can be done; its last event, the end, is left out."""
    game = known_game(key)
    seats = game.seats[: 2 + number % 3] if key != "through-the-desert" else game.seats[: 2 + number % 4]
    if key.startswith("brotherhood"):
        seats = game.seats[: 3 + number % 2]
    dealer = KeyedDealer(f"told {key} {number}".encode())
    record = sample_game(game, seats=seats, dealer=dealer, name="told", lively=True)
    called = dict(zip((f"Seat.{seat}" for seat in seats), NAMES, strict=False))
    headers = [(name, value) for name, value in record.headers if name not in called]
    record = replace(record, headers=(*headers, *called.items()))
    events: list[Event] = []
    table: Table | None = None
    for draft in drafts_from_record(record):
        if isinstance(draft.payload, GameEnded):
            break
        made: Draft = draft if table is None else seal_draft(table, draft)
        events.append(append_event("told", len(events), events[-1].hash if events else ORIGIN, made, AT))
        table = fold(events) if table is None else apply_event(table, events[-1])
    assert table is not None
    return table, tuple(events)


def told_lines(text: str) -> list[str]:
    """The lines behind a bar, each put together again."""
    return re.findall(r"^\| (?! )(.*)$", text.replace("\n|   ", " "), re.MULTILINE)


def orders_told(text: str, table: Table, language: str) -> Iterator[str]:
    """What follows the name of a player, the dice and a colon, up to what came of it."""
    sentences = find_sentences(find_locale(language), table.game.key)
    called = {*table.names.values(), *map(sentences.seat, table.seats)}
    for line in told_lines(text):
        found = TOLD.fullmatch(line)
        if found is not None and ISOLATES.sub("", found["who"]) in called:
            yield found["order"]


def moves_made(events: tuple[Event, ...], reader: str) -> Iterator[str]:
    """The moves of players that can be told to a reader; who asks for the dice is told by what they show."""
    for event, following in pairwise((*events, None)):
        if event is None or not isinstance(event.payload, TurnPlayed) or hides(phrase_of(event, reader)):
            continue
        rolled = following is not None and isinstance(following.payload, ChanceDealt)
        if not (rolled and phrase_of(event, reader) == "roll"):
            yield phrase_of(event, reader)


@pytest.mark.parametrize("number", range(GAMES))
@pytest.mark.parametrize("language", LANGUAGE_CODES)
@pytest.mark.parametrize("key", IN_HOUSE)
def test_every_move_that_is_told_can_be_sent_and_means_the_same(
    key: str, language: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.mail.writing.board_pictures.draw_quickly", lambda *_: b"\x89PNG")
    table, events = play(key, number)
    reader = table.seats[number % len(table.seats)]
    person = Correspondent("Anna", "anna@example.org", language=language)
    envelope = Envelope(reader, person, 7, "caravan@post.example", datetime(2026, 11, 17, 12, tzinfo=UTC))
    mail = Composer(POST).compose(table, envelope, NewsMail(events), {})
    told = list(orders_told(parts(mail)["text/plain"], table, language))
    made = list(moves_made(events, reader))
    assert len(made) >= len(told) > 10
    pending = Pending(False, lambda _: True, frozenset(), words_for_players(table.names))
    phrases = []
    for order in told:
        [command] = parse_commands(order, game=table.game, pending=pending).commands
        assert isinstance(command, Play)
        assert command == Play(command.text), order
        phrases.append(command.text)
    assert ", ".join(phrases) == ", ".join(made)
