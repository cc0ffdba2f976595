"""A player who declines frees a seat: everybody is told, somebody else can be asked, and the game takes place."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.through_the_desert import GAME as DESERT
from pbem.service.game_status import game_statuses
from pbem.tables.table import CALLED_OFF, INVITING, PLAYING
from pbem.verify.check_record import verify_text
from pbem.workflow import referee_acts
from pbem.workflow.open_game import Guest
from pbem.workflow.record_proof import record_text
from tests.post.post_games import TABLE, Friend
from tests.post.towns import Town, found_town

DOV = Guest("blue", "Dov", "dov@players.test")


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    """Three people were invited; one has accepted, and one declined."""
    with found_town(tmp_path / "post", DESERT, 3, accepting=False) as town:
        assert town.write("red", "accept").fate == "applied"
        assert town.write("blue", "decline").fate == "applied"
        yield town


def counts(town: Town) -> dict[str, int]:
    return {seat: len(friend.mails) for seat, friend in town.friends.items()}


def log_kinds(town: Town) -> list[str]:
    with town.context.store.reading() as at_desk:
        return [json.loads(line)["kind"] for line in at_desk.log_lines()]


def test_the_table_lives_on_and_everybody_is_told(town: Town) -> None:
    assert (town.table.stage, list(town.table.free)) == (INVITING, ["blue"])
    for seat in ("red", "green"):
        assert "Boris declined; the seat is free" in " ".join(town.last_text(seat).split()).replace(
            "blue (Boris)", "Boris"
        )
    assert log_kinds(town) == ["opened"], "a declined seat opens no secrets"
    with town.context.store.reading() as at_desk:
        (status,) = game_statuses(town.context, at_desk, all_of_them=False)
    assert (status.free, list(status.waits_for)) == (("blue",), ["green"])


def test_whoever_declined_can_no_longer_act_on_the_seat_and_gets_no_more_news(town: Town) -> None:
    for words in ("accept", "decline", "press to all: I am back", "vacation 2026-12-20 to 2026-12-24"):
        known = len(town.events)
        assert (town.write("blue", words).fate, len(town.events)) == ("refused", known)
        assert "free for somebody else" in " ".join(town.last_text("blue").split())
    before = counts(town)
    town.write("green", "press to all: is anybody there?")
    assert counts(town)["blue"] == before["blue"]
    assert counts(town)["red"] == before["red"] + 1


def test_somebody_else_is_asked_and_the_game_takes_place(town: Town) -> None:
    before = counts(town)
    decision = referee_acts.invite(town.context, TABLE, DOV)
    assert decision is not None
    assert decision.refused is None
    old, town.friends["blue"] = town.friends["blue"], Friend("blue", DOV.name, DOV.address)
    town.carry()
    assert counts(town) == {"red": before["red"] + 1, "blue": 1, "green": before["green"] + 1}
    assert len(old.mails) == before["blue"], "whoever declined hears no more of it"
    assert "Dov is invited to play blue" in " ".join(town.last_text("red").split())
    assert "accept" in town.last_text("blue")
    assert town.deliver(old.answer("accept", town.hours.now())).fate == "refused", "the seat is somebody else's"
    for seat in ("blue", "green"):
        assert town.write(seat, "accept").fate == "applied"
    assert town.table.stage == PLAYING
    with town.context.store.reading() as at_desk:
        row = at_desk.find_game(TABLE)
    assert row is not None
    text = record_text(town.context, row, tuple(town.events))
    assert '[Seat.blue "Dov"]' in text
    (verified,) = verify_text(text)
    assert verified.is_good


def test_only_a_free_seat_is_offered_and_only_before_the_start(town: Town) -> None:
    for seat in ("red", "green", "purple"):
        decision = referee_acts.invite(town.context, TABLE, Guest(seat, "Dov", "dov@players.test"))
        assert decision is not None
        assert decision.refused is not None
        assert decision.refused.rule.code == "PO-I1"
    assert referee_acts.invite(town.context, "nowhere", DOV) is None


def test_a_game_that_is_called_off_opens_its_secrets_and_nothing_follows(town: Town) -> None:
    referee_acts.call_off(town.context, TABLE, "too few of us")
    town.carry()
    assert (town.table.stage, town.events[-1].kind) == (CALLED_OFF, "called-off")
    assert log_kinds(town) == ["opened", "called off"]
    assert "too few of us" in town.last_text("red")
    known = len(town.events)
    assert town.write("red", "press to all: a pity").fate == "refused"
    assert len(town.events) == known, "called-off is the last event"
