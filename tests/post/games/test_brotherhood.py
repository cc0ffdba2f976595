"""Four players, two weeks of the Night's Watch by mail: scripts, offers and counter-offers, sevens, heroes, silence.

The dice, and whatever else chance settles, are written into the test, so that every letter can be too.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from engine.brotherhood.full_game import GAME
from engine.brotherhood.moves import Accept, Decline, Discard, Offer, Steal, Swap
from engine.chance import Dealer
from engine.game import CHANCE, Ply
from notation import Record, read_moves, read_text, write_record
from pbem.events.chain import first_broken
from pbem.events.codec import encode
from pbem.judging.record_replay import replay_record
from pbem.service.game_records import read_record
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town

LAND = (
    "mountains5 pasture6 hills5 fields8 mountains6 hills4 fields9 pasture10 forest11 pasture3 forest9 pasture11 "
    "mountains3 forest8 mountains4 fields10 forest12 hills3 fields10 hills4 mountains2"
)
OPTIONS = {"Board": "standard", "Land": LAND, "Routes": "grain brick lumber wool ore", "First": "red"}

PLACED = """
red: settlement 17, road 17-23
blue: settlement 24, road 24-31
yellow: settlement 28, road 28-35
black: settlement 38, road 38-45
black: settlement 36, road 36-44
yellow: settlement 19, road 14-19
blue: settlement 32, road 32-39
red: settlement 16, road 16-22
red: guard 3
blue: guard 3
yellow: guard 2
black: guard 4
"""

CHANCES = """
dice 3 6 12
dice 1 2 12
dice 2 6 12
draw ranger
dice 1 2 12
dice 2 4 12
token ice-river regular
token ice-river regular
dice 3 4 12
steal ore
dice 1 4 12
dice 1 3 12
dice 3 6 12
dice 1 3 12
token ice-river regular
token ice-river regular
dice 2 4 12
dice 2 4 12
dice 2 4 12
token ice-river regular
token ice-river regular
dice 5 6 12
"""


class Fate:
    """Chance as it is written above."""

    def __init__(self) -> None:
        self._left = CHANCES.strip().splitlines()

    def deal(self, _position: Any, _dealer: Dealer) -> Ply:
        """The next thing that chance settles."""
        (move,) = read_moves(GAME, self._left.pop(0))
        return Ply(CHANCE, move)


class Fortnight:
    """The game as far as it is played here, and what was mailed about it."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.told: dict[str, str] = {}
        """The text of a mail on one long line, by what a test calls it."""
        self.due: dict[str, tuple[str, ...]] = {}
        self.mails: dict[str, dict[str, int]] = {}
        """How many mails everybody got when something happened."""

    def write(self, seat: str, words: str, *, fate: str = "applied") -> str:
        """Let somebody write; the text of the answer."""
        before = len(self.town.friends[seat].mails)
        outcome = self.town.write(seat, words)
        assert outcome.fate == fate, (seat, words, outcome, self.text(seat))
        return self.text(seat, before)

    def text(self, seat: str, number: int = -1) -> str:
        """A mail to a seat."""
        mail = self.town.friends[seat].mails[number]
        part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        return " ".join(content.decode("utf-8").split())

    def count(self) -> dict[str, int]:
        return {seat: len(friend.mails) for seat, friend in self.town.friends.items()}

    def view(self, viewer: str = "public") -> dict[str, Any]:
        table = self.town.table
        return dict(table.game.view(table.position, viewer))

    @property
    def record(self) -> Record:
        record = read_record(self.town.context, TABLE)
        assert record is not None
        return record

    def play(self) -> None:
        for line in PLACED.strip().splitlines():
            self.write(*line.split(": ", 1))
        self.trade()
        self.react()
        self.rob()
        self.let_them_come()

    def trade(self) -> None:
        """Turns 13 to 16: an offer and a counter-offer, a hero used and swapped in a script."""
        self.write("red", "roll; end")
        self.told["auto-roll"] = self.write("blue", "standing auto-roll")
        self.write("black", "no trades")
        before = self.count()
        self.told["offer made"] = self.write("blue", "offer 1 lumber for 1 wool to yellow; end")
        self.mails["offer"] = {seat: count - before[seat] for seat, count in self.count().items()}
        self.told["offer"] = self.text("yellow")
        self.due["offer"] = self.town.table.due
        self.write("yellow", "offer 1 wool for 1 ore to blue")
        self.told["counter-offer"] = self.text("blue")
        self.told["no offer"] = self.write("black", "accept blue", fate="refused")
        self.write("blue", "accept yellow\nend")
        self.told["script"] = self.write("yellow", "roll; marsh lumber: ore; swap qhorin; buy; end")
        self.write("black", "roll, end")

    def react(self) -> None:
        """Turn 17: Tarly first, then an offer to any, then what was paid with it; all of it one letter of red's."""
        self.told["waits for tarly"] = self.write("red", "roll; offer 1 brick for 1 grain to any; keep 17; end")
        self.told["tarly"] = self.text("blue")
        before = self.count()
        self.write("blue", "tarly grain\nswap yoren")
        self.mails["offer to any"] = {seat: count - before[seat] for seat, count in self.count().items()}
        self.told["offer to any"] = self.text("yellow")
        self.told["declined by order"] = self.text("black")
        self.due["offer to any"] = self.town.table.due
        self.write("yellow", "accept red")
        self.told["went on"] = self.text("red")

    def rob(self) -> None:
        """Turn 18, rolled by blue's standing order: a seven. Two discard, one of them by silence."""
        self.due["seven"] = self.town.table.due
        self.told["seven"] = self.text("black")
        self.write("blue", "discard 2 lumber 1 ore 1 grain")
        self.due["one has discarded"] = self.town.table.due
        self.town.wait(days=4)
        self.told["silence"] = self.text("black")
        self.told["robber"] = self.write("blue", "tormund D yellow; end")
        self.told["robbed"] = self.text("yellow")
        self.told["not robbed"] = self.text("black")

    def let_them_come(self) -> None:
        """Turns 19 to 25: keeps call wildlings until the fifth of a clan sets off a rush over an empty wall."""
        self.write("yellow", "roll; end")
        self.write("black", "roll; end")
        self.write("red", "roll; end")
        self.write("blue", "keep 24; end")
        self.write("yellow", "roll; end")
        self.write("black", "roll; end")
        self.breaches = [self.view()["watch"]["breaches"]]
        self.told["rush"] = self.write("red", "roll; keep 16; end")
        self.breaches.append(self.view()["watch"]["breaches"])


@pytest.fixture(scope="module")
def fortnight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fortnight]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(GAME), "deal", staticmethod(Fate().deal))
        with found_town(tmp_path_factory.mktemp("town") / "post", GAME, 4, options=OPTIONS) as town:
            fortnight = Fortnight(town)
            fortnight.play()
            yield fortnight


def test_the_record_stands_before_the_referee(fortnight: Fortnight) -> None:
    assert replay_record(fortnight.record).refusal is None
    (reading,) = read_text(write_record(fortnight.record))
    assert reading.record == fortnight.record
    assert first_broken(fortnight.town.events) is None


def test_everything_has_happened_that_the_game_has_to_offer(fortnight: Fortnight) -> None:
    kinds = [type(move) for entry in fortnight.record.entries for move in entry.moves]
    assert {Offer, Accept, Decline, Discard, Steal, Swap} <= set(kinds)
    assert kinds.count(Discard) == 2
    assert fortnight.breaches == [0, 1]
    camps = fortnight.view()["watch"]["camps"]
    assert len(camps["ice-river"]) == 4  # six were called, and two have rushed


def test_an_offer_goes_to_whom_it_concerns_with_answers_and_a_deadline(fortnight: Fortnight) -> None:
    assert fortnight.due["offer"] == ("blue", "yellow")
    assert "Answer the offer by" in fortnight.told["offer"]
    assert "Reply accept blue, decline blue, or your own offer" in fortnight.told["offer"]
    assert "Answer the offer by" in fortnight.told["offer"]
    assert "Answer by" not in fortnight.told["offer made"], "whoever has asked waits on the time of others"


def test_an_offer_to_any_is_one_mail_for_everybody(fortnight: Fortnight) -> None:
    assert fortnight.due["offer to any"] == ("red", "blue", "yellow")
    assert fortnight.mails["offer to any"] == dict.fromkeys(("red", "blue", "yellow", "black"), 1)
    assert "decline red, or your own offer: offer 1 " in fortnight.told["offer to any"]


def test_the_rest_of_a_letter_waits_for_the_answers(fortnight: Fortnight) -> None:
    waiting = fortnight.told["waits for tarly"]
    assert "This waits for blue (Boris). Then we play it" in waiting
    assert "offer 1 brick for 1 grain to any, keep 17, end" in waiting
    assert "Anna: keep 17" in fortnight.told["went on"]
    assert "Anna: keep 17. +1 (keep" in fortnight.told["went on"]


def test_a_counter_offer_stops_the_rest_of_a_letter(fortnight: Fortnight) -> None:
    told = fortnight.told["counter-offer"]
    assert "The offer is open until" in fortnight.told["offer made"]
    assert "Then we play this as far as it is legal" in fortnight.told["offer made"]
    assert "Not played, because you know something new now: end" in told
    assert "accept yellow or decline yellow" in told


def test_whoever_answers_what_nobody_has_offered_is_told_so(fortnight: Fortnight) -> None:
    assert "BB-T5" in fortnight.told["no offer"]


def test_a_script_runs_through_dice_heroes_and_cards(fortnight: Fortnight) -> None:
    assert "Played: roll, marsh lumber: ore, swap qhorin, buy, end" in fortnight.told["script"]
    assert "You drew: Ranger Patrol. Only you see this." in fortnight.told["script"]


def test_points_are_told_once(fortnight: Fortnight) -> None:
    assert fortnight.told["rush"].count("+1 (") == 1


def test_standing_orders_are_followed_and_told_to_their_owner_alone(fortnight: Fortnight) -> None:
    played = [event for event in fortnight.town.events if event.kind == "played"]
    assert {encode(event.payload)["by"] for event in played} <= {"player", "clock"}, "that is nobody else's business"
    assert [event.maker for event in played].count("standing") == 5, "four rolls of blue's and one answer of black's"
    assert "Your standing order did this." in fortnight.told["declined by order"]
    assert "Dov: decline Anna" in fortnight.told["offer to any"]
    assert "standing" not in fortnight.told["offer to any"]
    assert "You rolled " in fortnight.told["auto-roll"]


def test_two_discard_at_once_and_silence_discards_what_was_foretold(fortnight: Fortnight) -> None:
    assert fortnight.due["seven"] == ("blue", "black")
    assert fortnight.due["one has discarded"] == ("black",)
    assert "we give back for you: discard 2 lumber 2 brick" in fortnight.told["seven"].replace("| ", "")
    assert "we played for you: discard 2 lumber 2 brick" in fortnight.told["silence"]


def test_only_thief_and_victim_are_told_what_was_stolen(fortnight: Fortnight) -> None:
    assert "You took 1 ore from Chloe. Only you two know." in fortnight.told["robber"]
    assert "took 1 ore from you. Only you two know." in fortnight.told["robbed"]
    assert "took a card from Chloe." in fortnight.told["not robbed"]
