"""Who was late: one line for every time that a seat was asked, and the answer to that and to nothing else."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.brotherhood.base_game import GAME as BROTHERHOOD
from engine.game import Game
from engine.through_the_desert import GAME as DESERT
from pbem.events.codec import encode
from tests.post.court.courts import Court, convene
from tests.post.post_games import TABLE

Summon = Callable[..., Court]


@pytest.fixture
def summon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Summon]:
    """Call a court together, at which nobody is moved for and everybody has three days."""
    with ExitStack() as stack:

        def call(game: Game[Any], players: int) -> Court:
            chosen: dict[str, Any] = {"time__silence": "wait", "time__per_turn": timedelta(days=3)}
            return stack.enter_context(convene(tmp_path, monkeypatch, game, players, **chosen))

        yield call


def answers(court: Court, turn: int, seat: str) -> list[str]:
    """When a seat has played in a turn."""
    played = (event for event in court.town.events if event.kind == "played")
    return [
        event.at for event in played if (encode(event.payload)["turn"], encode(event.payload)["seat"]) == (turn, seat)
    ]


def play_into_a_turn(court: Court) -> tuple[int, str]:
    """Play on until somebody who has answered in this turn is asked again; the turn, and who it is."""
    while True:
        turn, seat = court.town.table.turn, court.town.table.due[0]
        if answers(court, turn, seat):
            return turn, seat
        court.play(1)


def times(court: Court, seat: str, *words: str) -> list[tuple[str, str]]:
    """When a seat has answered, and whether that was in time."""
    return [(time["answered"], time["verdict"]) for time in court.file(*words)["times"] if time["seat"] == seat]


def test_a_second_answer_that_comes_late_is_told_as_late(summon: Summon) -> None:
    court = summon(BROTHERHOOD, 3)
    turn, seat = play_into_a_turn(court)
    (first,) = answers(court, turn, seat)
    court.town.wait(days=4)
    court.play(1)
    _, second = answers(court, turn, seat)
    shown = court.file("--turn", str(turn))
    asked, again = [time for time in shown["times"] if time["seat"] == seat][:2]
    assert (asked["answered"], asked["verdict"]) == (first, "in time")
    assert (again["answered"], again["verdict"]) == (second, "late")
    assert asked["since"] < first <= again["since"] < again["deadline"] < second
    letters = {letter["number"]: letter["promptness"] for letter in shown["letters"] if letter["seat"] == seat}
    assert list(letters.values())[-2:] == ["before the deadline", "after the deadline"]
    page = court.pbem("case", "show", TABLE, "--turn", str(turn))
    assert f"until {again['deadline']}; answered {second}, late" in page
    assert page.count("by test, after the deadline\n") == 1


def test_whoever_was_asked_again_and_is_silent_has_not_answered(summon: Summon) -> None:
    court = summon(BROTHERHOOD, 3)
    turn, seat = play_into_a_turn(court)
    (first,) = answers(court, turn, seat)
    assert court.town.write(seat, f"appeal {turn}: what now?").fate == "applied"
    assert times(court, seat) == [(first, "in time"), ("", "not answered")]


def test_a_turn_that_was_taken_back_counts_no_more(summon: Summon) -> None:
    court = summon(DESERT, 2)
    court.play(12)
    seat, turn = court.last_mover, court.town.table.turn - 1
    court.pbem("case", "open", TABLE, "--turn", str(turn), "--reason", "to be played again")
    court.pbem("case", "rule", TABLE, "1", "roll-back", "--reason", "everybody agrees")
    court.pbem("case", "close", TABLE, "1")
    court.play(1)
    assert times(court, seat, "--turn", str(turn)) == [(answers(court, turn, seat)[-1], "in time")]


def test_whoever_answers_while_time_stands_still_is_in_time(summon: Summon) -> None:
    court = summon(DESERT, 2)
    court.play(12)
    seat, turn = court.town.table.due[0], court.town.table.turn
    court.pbem("case", "open", TABLE, "--turn", str(turn - 1), "--reason", "to look at it")
    court.town.wait(days=5)
    court.play(1)
    assert times(court, seat, "--turn", str(turn)) == [(answers(court, turn, seat)[-1], "in time")]


def test_what_the_referee_played_is_nobodys_answer(summon: Summon) -> None:
    court = summon(DESERT, 2)
    court.play(12)
    seat, turn = court.last_mover, court.town.table.turn - 1
    said = court.file("--turn", str(turn))["moves"][0]["said"]
    court.pbem("case", "open", TABLE, "--turn", str(turn), "--reason", "to look at it")
    court.pbem("case", "rule", TABLE, "1", "correct", "--play", f"{seat}: {said}", "--reason", "as it was")
    assert times(court, seat, "--turn", str(turn)) == [("", f"the referee moved, at {court.town.events[-1].at}")]
