"""A whole game of Nomadi by mail: dice that the post throws, cards that one player sees, offers that others answer."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from engine.chance import KeyedDealer
from engine.nomadi import GAME
from engine.nomadi.moves import Card, Leave, Offer, Take
from notation import Record, read_text, write_record
from pbem.demo.players import plan_moves
from pbem.events.chain import first_broken
from pbem.events.codec import encode
from pbem.events.kinds import PressSent
from pbem.judging.entries import redact_record
from pbem.judging.record_replay import replay_record
from pbem.service.game_records import read_record
from pbem.tables.table import PLAYING
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town

PLAYERS = 4
ANSWERS = ("take", "", "leave")
"""What becomes of one offer after the other; an empty answer is none."""


class Evening:
    """A game that was played to its end, and what was seen on the way."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.fates: list[str] = []
        self.told_offers: list[str] = []
        """What the owner of a stone was mailed about each offer."""
        self.lapsed = 0
        self._dealer = KeyedDealer(b"an evening of Nomadi")

    def play(self) -> None:
        answered = 0
        while (table := self.town.table).stage == PLAYING:
            offers = table.game.view(table.position, "public")["offers"]
            if offers:
                owner = offers[0]["to"]
                self.told_offers.append(self.town.last_text(owner))
                answer = ANSWERS[answered % len(ANSWERS)]
                answered += 1
                if answer:
                    self.fates.append(self.town.write(owner, f"{answer} {offers[0]['square']}").fate)
                else:
                    self.town.wait(days=4)
                    self.lapsed += 1
                continue
            seat = table.due[0]
            phrase = plan_moves(table, seat, self._dealer).phrase
            words = phrase.replace("offer", "offer “a fine card, believe me”") if phrase.startswith("offer") else phrase
            self.fates.append(self.town.write(seat, words).fate)

    @property
    def record(self) -> Record:
        record = read_record(self.town.context, TABLE)
        assert record is not None
        return record


def play_until_an_offer(town: Town) -> tuple[str, str]:
    """Play until a card is offered while somebody else is on turn; who is on turn, and who is asked."""
    dealer = KeyedDealer(b"an evening of Nomadi")
    while True:
        table = town.table
        view = table.game.view(table.position, "public")
        if view["offers"] and len(table.due) == 2:
            asked = view["offers"][0]["to"]
            (on_turn,) = (seat for seat in table.due if seat != asked)
            return on_turn, asked
        assert town.write(table.due[0], plan_moves(table, table.due[0], dealer).phrase).fate == "applied"


def test_while_an_offer_is_open_whoever_is_on_turn_has_a_deadline_of_his_own(tmp_path: Path) -> None:
    reminded_late: dict[str, object] = {"time.reminders": (timedelta(hours=6),)}
    with found_town(tmp_path / "post", GAME, PLAYERS, chosen=reminded_late) as town:
        on_turn, asked = play_until_an_offer(town)
        for seat in (on_turn, asked):
            town.write(seat, "status")
            assert " by " in town.last_text(seat)
        onlooker = next(seat for seat in town.friends if seat not in (on_turn, asked))
        town.write(onlooker, "status")
        told = " ".join(town.last_text(onlooker).split())
        assert told.count(": until ") == 1
        assert "The offer is open until" in told, "and not for whom"
        reminded = {seat: len(town.friends[seat].mails) for seat in (on_turn, asked)}
        town.wait(days=2.5)
        assert all(len(town.friends[seat].mails) > before for seat, before in reminded.items()), "both are reminded"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    with found_town(tmp_path_factory.mktemp("town") / "post", GAME, PLAYERS) as town:
        evening = Evening(town)
        evening.play()
        yield evening


def test_every_letter_is_applied(evening: Evening) -> None:
    assert set(evening.fates) == {"applied"}


def test_the_record_stands_before_the_referee(evening: Evening) -> None:
    replayed = replay_record(evening.record)
    assert replayed.refusal is None
    assert replayed.finished
    (reading,) = read_text(write_record(evening.record))
    assert reading.record == evening.record
    assert first_broken(evening.town.events) is None


def test_offers_were_taken_and_left_and_passed_over_in_silence(evening: Evening) -> None:
    moves = [move for entry in evening.record.entries for move in entry.moves]
    assert evening.lapsed
    assert sum(isinstance(move, Take) for move in moves) >= 1
    assert sum(isinstance(move, Leave) for move in moves) > evening.lapsed
    assert not any(isinstance(move, Offer) and move.words for move in moves), "what was said is kept apart from moves"
    said = [event.payload.words for event in evening.town.events if isinstance(event.payload, PressSent)]
    assert "a fine card, believe me" in said


def test_an_offer_comes_with_its_words_and_two_answers_to_tap(evening: Evening) -> None:
    assert all("take" in text and "leave" in text for text in evening.told_offers)
    assert any("a fine card, believe me" in text for text in evening.told_offers)


def test_only_who_may_know_a_card_finds_its_value_in_the_history(evening: Evening) -> None:
    sealed = [event for event in evening.town.events if event.sealed is not None]
    assert sealed
    for event in sealed:
        assert encode(event.payload)["phrase"].endswith("hidden")
        assert event.sealed is not None
        assert len(event.sealed.readers) == 1


def test_at_the_end_everybody_reads_every_card_and_the_points(evening: Evening) -> None:
    cards = [move for entry in evening.record.entries for move in entry.moves if isinstance(move, Card)]
    assert all(card.value is not None for card in cards)
    assert redact_record(evening.record, "public") == evening.record
    for friend in evening.town.friends.values():
        text = evening.town.last_text(friend.seat)
        for tally in evening.town.table.score.tallies:
            name = "You" if tally.seat == friend.seat else evening.town.friends[tally.seat].name
            assert f"\n| {name} {tally.total}: " in text
