"""Standing orders, and letters whose rest waits for answers, at a table of the Brotherhood's base game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.brotherhood.base_game import GAME
from engine.brotherhood.moves import RESOURCES, Dice
from engine.brotherhood.position import Position
from engine.chance import Dealer
from engine.game import CHANCE, Ply
from notation import write_moves
from pbem.events.codec import encode
from tests.post.towns import Town, found_town

TWELVE, SEVEN = Dice(6, 6), Dice(3, 4)


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Town]:
    """Red has the first turn, and every roll is a twelve."""
    monkeypatch.setattr(type(GAME), "deal", staticmethod(lambda _position, _dealer: Ply(CHANCE, TWELVE)))
    with found_town(tmp_path / "post", GAME, 3, options={"First": "red"}) as town:
        yield town


def roll_seven(position: Position, _dealer: Dealer) -> Ply:
    """A seven, and of a hand the first card."""
    first = next(GAME.legal(position))
    return Ply(CHANCE, SEVEN) if isinstance(first.move, Dice) else first


def hand(town: Town, seat: str) -> dict[str, int]:
    held: dict[str, Any] = town.table.game.view(town.table.position, seat)["hands"][seat]
    return {name: held["cards"].get(name, 0) for name in RESOURCES}


def swap_of(town: Town, giver: str, taker: str) -> tuple[str, str]:
    """A resource that one has, and another that the other has."""
    one, other = hand(town, giver), hand(town, taker)
    given = next(name for name in RESOURCES if one[name])
    return given, next(name for name in RESOURCES if other[name] and name != given)


def words(town: Town, seat: str) -> str:
    return " ".join(town.last_text(seat).replace("\n| ", "\n").split())


def test_an_offer_that_a_standing_order_accepts_lets_the_letter_go_on_at_once(town: Town) -> None:
    given, taken = swap_of(town, "red", "blue")
    before = hand(town, "blue")
    town.write("blue", f"standing accept 1 {given} for 1 {taken}")
    town.write("red", f"roll; offer 1 {given} for 1 {taken} to any; end")
    assert town.table.turn == 2
    assert hand(town, "blue")[given] == before[given] + 1
    told = words(town, "red")
    assert "Played: roll, offer" in told
    assert "Boris: accept Anna" in told
    assert "standing" not in told
    assert "This waits for" not in told
    assert "Boris: accept Anna. Your standing order did this." in words(town, "blue")


def test_who_has_ordered_no_trades_is_not_asked(town: Town) -> None:
    given, taken = swap_of(town, "red", "blue")
    assert town.write("blue", "No trades!").fate == "applied"
    town.write("yellow", "geen ruil deze beurt")
    town.write("red", f"roll; offer 1 {given} for 1 {taken} to any")
    assert town.table.due == ("red",)


def test_an_order_for_this_turn_ends_with_it(town: Town) -> None:
    town.write("yellow", "standing no trades this turn\nstanding discard ore wool")
    assert words(town, "yellow").count("no trades (in turn 1 only)") == 1, "the list is told once"
    town.write("red", "roll; end")
    town.write("yellow", "standing")
    assert "no trades" not in words(town, "yellow")
    assert "discard ore wool" in words(town, "yellow")
    town.write("yellow", "standing discard brick")
    assert "discard ore wool" not in words(town, "yellow")
    town.write("yellow", "standing none")
    assert "You have no standing orders." in words(town, "yellow")


def test_the_rest_of_a_letter_goes_on_when_time_has_declined_for_others(town: Town) -> None:
    given, taken = swap_of(town, "red", "blue")
    town.write("red", f"roll; offer 1 {given} for 1 {taken} to any; end")
    assert town.table.due == ("red", "blue", "yellow")
    told = len(town.friends["red"].mails)
    town.wait(days=4)
    assert town.table.turn == 2
    assert [encode(event.payload)["by"] for event in town.events if event.kind == "played"][-3:] == [
        "clock",
        "clock",
        "player",
    ]
    subjects = [str(mail["Subject"]) for mail in town.friends["red"].mails[told:]]
    assert not any("reminder" in subject.lower() or "run out" in subject for subject in subjects), subjects
    assert "Anna: end" in words(town, "red")


def test_a_new_letter_takes_the_place_of_one_that_waits(town: Town) -> None:
    given, taken = swap_of(town, "red", "blue")
    town.write("red", f"roll; offer 1 {given} for 1 {taken} to blue; end")
    town.write("red", "withdraw")
    assert (town.table.turn, town.table.due) == (1, ("red",))


def test_the_rest_of_a_letter_is_for_the_turn_it_was_written_in_and_for_no_other(town: Town) -> None:
    """The table goes back while a letter waits: what was to follow the offer is not tried where no offer was made."""
    given, taken = swap_of(town, "red", "blue")
    town.write("red", f"roll; offer 1 {given} for 1 {taken} to any; end")
    town.write("red", "undo")
    assert (town.table.turn, town.table.epoch, town.table.due) == (1, 1, ("red",))
    told = words(town, "red")
    assert "has taken back the last moves of turn 1" in told
    assert "Not played" not in told
    assert town.write("red", "end").fate == "applied", "the dice lie there, and the turn did not end by itself"
    assert town.table.turn == 2


def test_another_offer_is_another_question(town: Town) -> None:
    given, taken = swap_of(town, "red", "blue")
    town.write("blue", "notify turn")
    town.write("yellow", "notify turn")
    town.write("red", f"roll; offer 1 {given} for 1 {taken} to blue")
    asked = len(town.friends["blue"].mails)
    other = next(name for name in RESOURCES if hand(town, "red")[name] and name not in (given, taken))
    town.write("red", f"offer 1 {other} for 1 {taken} to blue")
    assert len(town.friends["blue"].mails) == asked + 1
    assert f"Now: Anna gives 1 {other} for 1 {taken}" in words(town, "blue")
    assert "Reply accept red, decline red, or your own offer" in words(town, "blue")
    before = {seat: len(friend.mails) for seat, friend in town.friends.items()}
    town.write("blue", f"offer 1 {taken} for 2 {given} to red")
    assert len(town.friends["yellow"].mails) == before["yellow"], "nobody has asked yellow anything"
    assert len(town.friends["red"].mails) > before["red"]


def test_an_answer_to_an_older_offer_does_not_accept_a_newer_one(town: Town) -> None:
    given, taken = swap_of(town, "red", "blue")
    town.write("red", f"roll; offer 1 {given} for 1 {taken} to blue")
    on_its_way = town.friends["blue"].answer("accept red", town.hours.now())
    before = hand(town, "blue")
    town.write("red", f"offer 1 {given} for 2 {taken} to any")
    assert town.deliver(on_its_way).reason == "PO-T6"
    assert hand(town, "blue") == before
    assert "blue" in town.table.due
    assert town.write("blue", "decline red").fate == "applied"


def test_a_letter_stops_where_a_rule_is_against_what_the_answers_left(town: Town) -> None:
    given, taken = swap_of(town, "red", "blue")
    town.write("red", f"roll; offer 1 {given} for 1 {taken} to blue; keep 11; end")
    town.write("blue", "decline red")
    told = words(town, "red")
    assert town.table.due == ("red",)
    assert "Not played: keep 11, end" in told
    assert "Rule BB-" in told


def test_what_the_dice_have_answered_stands_though_the_plan_cannot_go_on(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    town.write("blue", "plan roll; end")
    monkeypatch.setattr(type(GAME), "deal", staticmethod(roll_seven))
    town.write("red", "roll")
    arrival = next(ply.move for ply in town.table.game.legal(town.table.position))
    town.write("red", f"{write_moves(GAME, (arrival,))}; end")
    assert town.table.turn == 2
    assert [(encode(event.payload)["seat"], encode(event.payload)["phrase"]) for event in town.events[-2:]] == [
        ("blue", "roll"),
        (CHANCE, "dice 3 4"),
    ]
    assert "Not played: end" in words(town, "blue")


def test_a_plan_survives_a_question_in_between(town: Town) -> None:
    given, taken = swap_of(town, "red", "blue")
    town.write("blue", "plan roll; end")
    town.write("red", f"roll; offer 1 {given} for 1 {taken} to blue")
    assert town.table.due == ("red", "blue")
    town.write("blue", "decline")
    town.write("red", "end")
    assert town.table.turn == 3


def test_a_game_without_standing_orders_says_so_and_nonsense_is_a_question(town: Town) -> None:
    assert town.write("blue", "standing jump over the moon").reason == "PO-L3"
    assert town.write("blue", "accept 1 grain for 1 brick").reason == "PO-L6"


def test_a_word_for_agreeing_takes_the_offer_or_the_draw_whichever_is_open(town: Town) -> None:
    given, taken = swap_of(town, "red", "blue")
    assert town.write("blue", "akkoord").reason == "PO-L6"
    assert "or the order write: agree; for the move write: accept" in words(town, "blue")
    town.write("red", "draw")
    assert town.write("blue", "akkoord").reason == "PO-V3", "the draw is meant, and it must be named"
    assert town.write("blue", "akkoord remise").fate == "applied"
    assert "blue" in town.table.votes["draw"].agreed
    town.write("red", f"roll; offer 1 {given} for 1 {taken} to blue")
    before = hand(town, "blue")
    assert town.write("blue", "согласен").fate == "applied"
    assert hand(town, "blue")[given] == before[given] + 1
