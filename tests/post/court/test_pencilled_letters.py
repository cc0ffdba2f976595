"""Letters that were pencilled, before a referee: judged again as they were, and what is not played stays hidden."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from engine.chance import KeyedDealer
from engine.through_the_desert import GAME as DESERT
from pbem.tables.chance import random_moves
from tests.post.court.courts import Court, convene
from tests.post.post_games import TABLE

HERON = "Haikara lentää matalalla."


def pencil(court: Court, taste: bytes = b"pencils") -> str:
    """Let whoever is due write a move beside words that nobody knows; the move."""
    table = court.town.table
    move = random_moves(table, table.due[0], KeyedDealer(taste))
    assert court.town.write(table.due[0], f"{move}\n\n{HERON}").fate == "applied"
    return move


def letters_of(court: Court) -> list[dict[str, object]]:
    """The letters on the page of the case."""
    return list(court.file("1")["letters"])


@pytest.mark.parametrize("answer", ["", "play it now"])
def test_a_pencilled_letter_that_was_played_is_judged_again_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    with convene(tmp_path, monkeypatch, DESERT, 2, options={"First": "red"}) as court:
        court.play(16)
        turn = court.town.table.turn
        pencil(court)
        if answer:
            assert court.town.write("red", answer).fate == "applied"
        else:
            court.town.wait(hours=13)
        assert court.town.table.due == ("blue",)
        assert court.town.write("blue", f"appeal {turn}: was that allowed?").fate == "applied"
        shown = letters_of(court)
        assert not [each["doubts"] for each in shown if each["doubts"]]
        assert {each["repeats"] for each in shown if each["repeats"]} == {"read and judged again, it does the same"}
        court.pbem("case", "bundle", TABLE, "1", "-o", tmp_path / "case.zip")
        assert "believed" in court.pbem("case", "check", tmp_path / "case.zip")


def test_a_stopped_move_is_shown_to_nobody_without_a_warrant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with convene(tmp_path, monkeypatch, DESERT, 2, options={"First": "red"}) as court:
        court.play(16)
        move = pencil(court)
        assert court.town.write("red", "stop").fate == "applied"
        assert court.town.write("red", f"appeal {court.town.table.turn}: I cannot play").fate == "applied"
        shown = letters_of(court)
        assert any("pencilled and not played" in str(each["withheld"]) for each in shown)
        assert not [each["doubts"] for each in shown if each["doubts"]]
        assert move not in json.dumps(shown)
        assert move not in court.page("case")
        court.pbem("case", "bundle", TABLE, "1", "-o", tmp_path / "case.zip")
        assert "believed" in court.pbem("case", "check", tmp_path / "case.zip")
        with ZipFile(tmp_path / "case.zip") as bundle:
            assert not [name for name in bundle.namelist() if move.encode() in bundle.read(name)]
