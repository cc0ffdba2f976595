"""`pbem sample`: games out of nothing but a seed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from notation import read_text

Pbem = Callable[..., Any]


@pytest.mark.parametrize("seats", ["2", "3", "4", "5"])
def test_what_is_sampled_is_valid_and_canonical(pbem: Pbem, seats: str) -> None:
    answer = pbem("sample", "through-the-desert", "--seats", seats, "--seed", "11")
    assert answer.exit_code == 0
    assert pbem("validate", "-", given=answer.stdout).exit_code == 0
    assert pbem("fmt", "--check", "-", given=answer.stdout).exit_code == 0


def test_a_seed_decides_everything(pbem: Pbem) -> None:
    first, again, other = (pbem("sample", "through-the-desert", "--seed", seed).stdout for seed in ("1", "1", "2"))
    assert first == again
    assert first != other


def test_several_games_make_an_archive(pbem: Pbem, tmp_path: Path) -> None:
    path = tmp_path / "archive.turns"
    answer = pbem("sample", "through-the-desert", "--games", "3", "-o", path)
    assert (answer.exit_code, answer.stdout) == (0, "")
    readings = read_text(path.read_text("utf-8"))
    assert len({reading.record and reading.record.header("Id") for reading in readings}) == 3
    assert pbem("fmt", "--check", path).exit_code == 0


def test_digests_are_written_on_request_and_hold(pbem: Pbem) -> None:
    text = pbem("sample", "through-the-desert", "--digests", "10").stdout
    (reading,) = read_text(text)
    assert reading.record is not None
    assert text.count("[%state ") == (len(reading.record.entries) - 1) // 10
    assert pbem("validate", "-", given=text).exit_code == 0


def test_json_holds_the_text_or_says_where_it_is(pbem: Pbem, tmp_path: Path) -> None:
    (told,) = json.loads(pbem("sample", "through-the-desert", "--json").stdout)["results"]
    assert told["text"] == pbem("sample", "through-the-desert").stdout
    path = tmp_path / "game.turns"
    (told,) = json.loads(pbem("sample", "through-the-desert", "--json", "-o", path).stdout)["results"]
    assert (told["file"], told["text"]) == (str(path), None)
    assert path.read_text("utf-8") == pbem("sample", "through-the-desert").stdout


@pytest.mark.parametrize(
    "words", [["chess"], ["through-the-desert", "--seats", "6"], ["through-the-desert", "-o", "no/such/folder/f"]]
)
def test_what_cannot_be_sampled_is_said_in_one_line(pbem: Pbem, words: list[str]) -> None:
    answer = pbem("sample", *words)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.startswith("pbem: ")
    assert answer.stderr.count("\n") == 1
