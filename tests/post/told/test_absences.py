"""Days away at a whole post: what their player and the others read of them, and until when there is time."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.through_the_desert import GAME
from tests.post.towns import Town, found_town


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    """A town on Monday, 16 November 2026, in which red has three days for the first turn."""
    with found_town(tmp_path / "post", GAME, 3, options={"First": "red"}, chosen={"time.silence": "forfeit"}) as found:
        yield found


def said(town: Town, seat: str, words: str) -> str:
    """What is answered to somebody's words, as one line."""
    town.write(seat, words)
    return " ".join(town.last_text(seat).split())


def test_whoever_announces_days_away_is_told_which_stand_and_how_many_are_left(town: Town) -> None:
    answer = said(town, "red", "vacation 2026-11-17 to 2026-11-30\nvacation 2027-01-25")
    assert answer.count("Your days off") == 1
    assert (
        "Your days off: Tue 17 Nov to Mon 30 Nov; Mon 25 Jan 2027. "
        "6 of 21 days are left. Reply vacation none to give back those that have not begun."
    ) in answer
    assert "Place a leader by Thu 3 Dec" in answer


def test_the_others_can_see_why_they_wait(town: Town) -> None:
    town.write("red", "vacation 2026-11-17 to 2026-11-30")
    status = said(town, "blue", "status")
    assert "Thu 3 Dec" in status
    assert "red (Anna) is away from Tue 17 Nov to Mon 30 Nov" in status
    town.wait(days=15)
    assert "is away" not in said(town, "blue", "status"), "what is over is not told"


def test_a_mistyped_year_is_taken_back_and_costs_nothing(town: Town) -> None:
    assert "1 of 21 days is left" in said(town, "red", "vacation 2027-11-17 to 2027-12-06")
    refused = said(town, "red", "vacation 2026-11-17 to 2026-12-06")
    assert "write vacation none first" in refused
    answer = said(town, "red", "vacation none\nvacation 2026-11-17 to 2026-12-06")
    assert "Red (you) is back from 17 November 2026 on" in answer
    assert "Tue 17 Nov to Sun 6 Dec. 1 of 21 days" in answer
    assert "2027" not in answer


def test_whoever_is_back_early_has_time_from_the_next_day_on(town: Town) -> None:
    town.write("red", "vacation 2026-11-17 to 2026-11-30")
    town.wait(days=2)
    answer = said(town, "red", "vacation none")
    assert "Red (you) is back from 19 November 2026 on" in answer
    assert "Your days off: Tue 17 Nov to Wed 18 Nov." in answer
    assert "Reply vacation none" not in answer, "there is nothing left to free"
    assert "Place a leader by Sat 21 Nov" in answer
    assert "red (Anna) is back from 19 November 2026 on" in town.last_text("blue")
    assert "You have no days off." in said(town, "blue", "vacation none")
    assert [one.what for one in town.wait(days=5)] == ["remind", "late"]
