"""Offers by mail: a short time, no mail to who cannot pay, and silence that means no for everybody alike."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.brotherhood.base_game import GAME
from engine.brotherhood.moves import RESOURCES, Dice
from engine.game import CHANCE, PUBLIC, Ply
from pbem.clock.clock import Due
from pbem.events.chain import Event
from pbem.events.codec import encode
from pbem.verify.check_record import verify_text
from pbem.workflow.record_proof import record_text
from pbem.workflow.session import GameSession
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town
from tests.second_verifier.second_verifier import verify

REMINDED: dict[str, object] = {"time.reminders": (timedelta(hours=6),)}
"""Without it an offer is over before a reminder would come."""


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Town]:
    """Red has the first turn, and has rolled a twelve; everybody wants mails only when wanted."""
    monkeypatch.setattr(type(GAME), "deal", staticmethod(lambda _position, _dealer: Ply(CHANCE, Dice(6, 6))))
    with found_town(tmp_path / "post", GAME, 3, options={"First": "red"}, chosen=REMINDED) as town:
        for seat in town.table.seats:
            town.write(seat, "notify turn")
        town.write("red", "roll")
        yield town


def hand(town: Town, seat: str) -> dict[str, int]:
    held: dict[str, Any] = town.table.game.view(town.table.position, seat)["hands"][seat]
    return {name: held["cards"].get(name, 0) for name in RESOURCES}


def find_swap(town: Town) -> tuple[str, str]:
    """A resource that red has, and one that blue has and yellow has not."""
    red, blue, yellow = (hand(town, seat) for seat in ("red", "blue", "yellow"))
    for given in RESOURCES:
        for wanted in RESOURCES:
            if red[given] and blue[wanted] and not yellow[wanted] and wanted != given:
                return given, wanted
    raise AssertionError("everybody can pay for everything")


def due(town: Town) -> dict[str, Due]:
    with town.context.store.reading() as at_desk:
        row = at_desk.find_game(TABLE)
        assert row is not None
        return dict(GameSession(town.context, at_desk, row).clock.due)


def mails(town: Town) -> dict[str, int]:
    return {seat: len(friend.mails) for seat, friend in town.friends.items()}


def answers(events: list[Event]) -> list[tuple[str, str, str]]:
    """Who declined, by what, and until when there was time."""
    made = [encode(event.payload) for event in events if event.kind == "played"]
    return [(each["seat"], each["by"], each["due"]) for each in made if each["phrase"].startswith("decline")]


def words(town: Town, seat: str) -> str:
    return " ".join(town.last_text(seat).replace("\n| ", "\n").split())


def test_an_offer_is_open_for_a_third_of_a_turn_and_then_lapses_for_all_alike(town: Town) -> None:
    given, wanted = find_swap(town)
    town.write("red", f"offer 1 {given} for 1 {wanted} to any")
    made = town.events[-1]
    ends = {seat: each.deadline for seat, each in due(town).items()}
    assert ends.keys() == {"blue", "yellow"}
    assert {*ends.values()} == {datetime.fromisoformat(made.at) + timedelta(days=1)}
    town.wait(hours=23)
    assert not answers(town.events)
    town.wait(hours=2)
    said = answers(town.events)
    assert [(seat, by) for seat, by, _ in said] == [("blue", "clock"), ("yellow", "clock")]
    assert len({until for *_, until in said}) == 1
    assert [encode(event.payload).get("asked") for event in town.events[-2:]] == [made.seq, made.seq]


def test_who_cannot_pay_gets_no_mail_and_no_reminder_and_can_answer_all_the_same(town: Town) -> None:
    given, wanted = find_swap(town)
    before = mails(town)
    town.write("red", f"offer 1 {given} for 1 {wanted} to any")
    after = mails(town)
    assert (after["blue"] - before["blue"], after["yellow"] - before["yellow"]) == (1, 0)
    town.wait(hours=20)
    reminded = mails(town)
    assert (reminded["blue"] - after["blue"], reminded["yellow"] - after["yellow"]) == (1, 0)
    assert "yellow" in town.table.due, "all can see that yellow is still asked"
    assert town.write("yellow", "decline red").fate == "applied"
    assert "yellow" not in town.table.due


def test_nobody_is_told_of_a_move_when_an_offer_lapses_but_its_maker(town: Town) -> None:
    given, wanted = find_swap(town)
    town.write("red", f"offer 1 {given} for 1 {wanted} to any until 3h")
    before = mails(town)
    town.wait(hours=4)
    after = mails(town)
    assert {seat: after[seat] - before[seat] for seat in after} == {"red": 1, "blue": 0, "yellow": 0}
    told = words(town, "red")
    assert "Nobody took your offer. Your turn goes on, Anna" in told
    assert "your offer has lapsed" in told
    assert "Boris: decline" not in told, "who was asked, and did not answer, is nobody's affair"


def test_the_maker_reads_until_when_and_not_whom_it_waits_for(town: Town) -> None:
    given, wanted = find_swap(town)
    town.write("red", f"offer 1 {given} for 1 {wanted} to any until 5h; end")
    told = words(town, "red")
    ends = due(town)["blue"].deadline
    assert f"The offer is open until {ends:%a} {ends.day} {ends:%b}, {ends:%H:%M} UTC." in told
    assert "Waiting for" not in told
    town.write("red", "status")
    assert "The offer is open until" in words(town, "red")
    assert "Boris): until" not in words(town, "red").replace("⁨", "")


def test_a_time_of_its_own_stands_behind_the_offer_and_is_no_move(town: Town) -> None:
    given, wanted = find_swap(town)
    town.write("red", "zone Europe/Warsaw")
    town.write("red", f"offer 1 {given} for 1 {wanted} to blue until 6h")
    played, named = town.events[-2:]
    assert encode(played.payload)["phrase"] == f"offer 1 {given} for 1 {wanted} to blue"
    assert (named.kind, encode(named.payload)["seat"]) == ("note.offered", "red")
    until = datetime.fromisoformat(encode(named.payload)["until"])
    assert until == datetime.fromisoformat(played.at) + timedelta(hours=6)
    assert due(town)["blue"].deadline == until
    town.wait(hours=7)
    assert answers(town.events) == [("blue", "clock", encode(named.payload)["until"])]


def test_no_time_is_longer_than_the_tables(town: Town) -> None:
    given, wanted = find_swap(town)
    town.write("red", f"offer 1 {given} for 1 {wanted} to any until 9 days")
    made = next(event for event in reversed(town.events) if event.kind == "played")
    assert due(town)["blue"].deadline == datetime.fromisoformat(made.at) + timedelta(days=1)


def test_a_time_that_is_past_or_not_ones_own_to_name_is_refused(town: Town) -> None:
    given, wanted = find_swap(town)
    refused = town.write("red", f"offer 1 {given} for 1 {wanted} to any until 2026-01-01")
    assert refused.fate == "refused"
    assert "PO-T8" in town.last_text("red")
    town.write("red", f"offer 1 {given} for 1 {wanted} to any")
    other = next(name for name in RESOURCES if hand(town, "blue")[name] and name != given)
    assert town.write("blue", f"offer 1 {other} for 1 {given} to red until 6h").fate == "refused"
    assert "nly the player on turn can name a time" in words(town, "blue")


def test_a_changed_offer_says_so_and_its_time_begins_anew(town: Town) -> None:
    given, wanted = find_swap(town)
    town.write("red", f"offer 1 {given} for 1 {wanted} to any")
    first = due(town)["blue"].deadline
    town.wait(hours=5)
    before = mails(town)["blue"]
    other = next(name for name in RESOURCES if hand(town, "red")[name] and name not in (given, wanted))
    town.write("red", f"offer 1 {other} for 1 {wanted} to blue")
    assert mails(town)["blue"] == before + 1
    assert f"Now: Anna gives 1 {other} for 1 {wanted}" in words(town, "blue")
    assert due(town)["blue"].deadline > first + timedelta(hours=5)


def test_an_unanswered_offer_is_mailed_once(town: Town) -> None:
    given, wanted = find_swap(town)
    town.write("red", f"offer 1 {given} for 1 {wanted} to any")
    before = mails(town)
    town.write("yellow", "decline red")
    town.wait(hours=5)
    assert mails(town)["blue"] == before["blue"]


def test_a_player_who_is_away_does_not_keep_an_offer_open(town: Town) -> None:
    given, wanted = find_swap(town)
    first = town.hours.moment.date()
    town.write("blue", f"vacation {first} to {first + timedelta(days=5)}")
    town.write("red", f"offer 1 {given} for 1 {wanted} to any")
    town.wait(hours=25)
    assert [seat for seat, *_ in answers(town.events)] == ["blue", "yellow"]


@pytest.mark.parametrize("silence", ["wait", "play", "substitute", "forfeit"])
def test_no_policy_for_silence_touches_who_has_not_answered(
    silence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAME), "deal", staticmethod(lambda _position, _dealer: Ply(CHANCE, Dice(6, 6))))
    chosen: dict[str, object] = {"time.silence": silence}
    with found_town(tmp_path / "strict", GAME, 3, options={"First": "red"}, chosen=chosen) as town:
        town.write("red", "roll")
        given, wanted = find_swap(town)
        town.write("red", f"offer 1 {given} for 1 {wanted} to any")
        done = town.wait(hours=26)
        assert [seat for seat, *_ in answers(town.events)] == ["blue", "yellow"]
        assert not town.table.resigned
        assert not town.table.pauses
        assert {each.what for each in done} <= {"late", "remind", "digest"}


def test_with_a_bank_of_time_an_offer_costs_nobody_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME), "deal", staticmethod(lambda _position, _dealer: Ply(CHANCE, Dice(6, 6))))
    chosen: dict[str, object] = {"time.mode": "bank"}
    with found_town(tmp_path / "bank", GAME, 3, options={"First": "red"}, chosen=chosen) as town:
        town.write("red", "roll")
        given, wanted = find_swap(town)
        town.write("red", f"offer 1 {given} for 1 {wanted} to any")
        asked = due(town)["blue"]
        assert asked.offered
        assert asked.left == timedelta(hours=8)


def test_a_table_without_the_term_gives_as_much_time_as_for_a_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAME), "deal", staticmethod(lambda _position, _dealer: Ply(CHANCE, Dice(6, 6))))
    chosen: dict[str, object] = {"time.offers": "off"}
    with found_town(tmp_path / "old", GAME, 3, options={"First": "red"}, chosen=chosen) as town:
        assert "offers" not in town.table.terms
        town.write("red", "roll")
        given, wanted = find_swap(town)
        before = mails(town)
        assert town.write("red", f"offer 1 {given} for 1 {wanted} to any until 6h").fate == "refused"
        town.write("red", f"offer 1 {given} for 1 {wanted} to any")
        assert mails(town)["yellow"] == before["yellow"] + 1, "everybody who is asked gets a mail"
        assert due(town)["blue"].left == timedelta(days=3)
        assert not due(town)["blue"].offered


def test_both_verifiers_believe_a_record_with_the_time_of_an_offer(town: Town) -> None:
    given, wanted = find_swap(town)
    town.write("red", f"offer 1 {given} for 1 {wanted} to any until 3h")
    town.wait(hours=4)
    with town.context.store.reading() as at_desk:
        row = at_desk.find_game(TABLE)
    assert row is not None
    text = record_text(town.context, row, tuple(town.events), PUBLIC)
    (found,) = verify_text(text)
    assert found.is_good, found
    assert verify(text) is None
    assert "note.offered" in text
