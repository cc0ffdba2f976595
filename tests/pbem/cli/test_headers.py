"""Headers that an operator gives a new table: in its record, in JSON, vouched for, and refused if they say nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.pbem.cli.test_post import SEATS, data

Pbem = Callable[..., Any]


@pytest.fixture(autouse=True)
def post(pbem: Pbem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A post that was founded, whose settings the commands find by themselves."""
    assert pbem("init", tmp_path / "post", "--address", "caravan@post.test").exit_code == 0
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "post" / "post.toml"))


def test_headers_stand_in_the_record_and_are_vouched_for(pbem: Pbem, tmp_path: Path) -> None:
    said = ["--header", "Event=Spring  cup", "--header", "round=2", "--per-turn", "2d"]
    answer = data(pbem("new", "through-the-desert", *SEATS, *said, "--json"))
    (told,) = answer["results"]
    assert told["headers"].items() >= {"Event": "Spring cup", "Round": "2", "TimeControl": "2d/turn"}.items()
    assert {"Date", "Site"} <= told["headers"].keys()
    file = tmp_path / "cup.turns"
    assert pbem("record", told["table"], "-o", file).exit_code == 0
    text = file.read_text("utf-8")
    assert '[Event "Spring cup"]' in text
    assert '[Round "2"]' in text
    assert pbem("fmt", "--check", file).exit_code == 0
    assert pbem("verify", file).exit_code == 0
    file.write_text(text.replace("Spring cup", "Autumn cup"), "utf-8")
    assert pbem("verify", file).exit_code == 1


@pytest.mark.parametrize(
    "said", ["Event", "Winner=Anna", "Date=tomorrow", "Event=", "Event=\x1b[2J", "Event=" + "x" * 61]
)
def test_a_header_that_says_nothing(pbem: Pbem, said: str) -> None:
    answer = pbem("new", "through-the-desert", *SEATS, "--header", said)
    assert answer.exit_code == 2
    assert "Traceback" not in answer.stderr
    assert pbem("new", "through-the-desert", *SEATS, "--header", "Event=a", "--header", "Event=b").exit_code == 2
