"""`pbem show`: the board in every form."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.locale.languages import LANGUAGE_CODES

Pbem = Callable[..., Any]

BEGINS = {".svg": b"<svg", ".png": b"\x89PNG", ".html": b"<!DOCTYPE html>", ".json": b"{", ".txt": b"sample"}


@pytest.mark.parametrize("form", BEGINS)
def test_the_name_of_the_output_decides_its_form(pbem: Pbem, file: Path, tmp_path: Path, form: str) -> None:
    board = tmp_path / f"board{form.upper()}"
    answer = pbem("show", file, "--at", "30", "-o", board)
    assert (answer.exit_code, answer.stdout) == (0, f"wrote {board}\n")
    assert board.read_bytes().lower().startswith(BEGINS[form].lower())


def test_what_a_seat_sees_is_written_for_the_owner_of_the_file_alone(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    board = tmp_path / "board.svg"
    board.touch(0o644)
    assert pbem("show", file, "--as", "red", "-o", board).exit_code == 0
    assert board.stat().st_mode & 0o077 == 0


def test_without_an_output_the_board_is_text(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    pbem("show", file, "-o", board)
    answer = pbem("show", file)
    assert answer.exit_code == 0
    assert answer.stdout == board.read_text("utf-8")


def test_legal_spaces_are_marked_on_request(pbem: Pbem, file: Path) -> None:
    assert pbem("show", file, "--at", "20", "--legal").stdout != pbem("show", file, "--at", "20").stdout


def test_json_is_the_table_as_data(pbem: Pbem, file: Path) -> None:
    (told,) = json.loads(pbem("show", file, "--at", "20", "--json").stdout)["results"]
    assert told["view"]["turn"] == 21
    assert told["turns"] == 20
    assert told["file"] is None


def test_a_turn_that_was_not_played_cannot_be_shown(pbem: Pbem, file: Path) -> None:
    answer = pbem("show", file, "--at", "4000")
    assert answer.exit_code == 2
    assert "turn 4000 was not played" in answer.stderr


def test_the_board_of_mails_can_be_drawn_alone(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    shown = [tmp_path / "wide.svg", tmp_path / "narrow.svg", tmp_path / "own.svg"]
    for path, words in zip(shown, ((), ("--narrow",), ("--narrow", "--as", "red", "--legal")), strict=True):
        assert pbem("show", file, "--at", "30", *words, "-o", path).exit_code == 0
    wide, narrow, own = (path.read_text("utf-8") for path in shown)
    assert 'width="362"' in narrow
    assert 'width="362"' not in wide
    assert own != narrow


def test_another_ending_of_the_name_is_misuse(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    answer = pbem("show", file, "-o", tmp_path / "board.gif")
    assert answer.exit_code == 2
    assert ".svg .png .txt .html .json" in answer.stderr


def test_a_picture_that_cannot_be_written_is_one_line(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    answer = pbem("show", file, "-o", tmp_path / "nowhere" / "board.svg")
    assert answer.exit_code == 2
    assert answer.stderr.count("\n") == 1


def test_one_game_of_several_is_chosen_by_number(pbem: Pbem, archive: Path) -> None:
    boards = [pbem("show", archive, "--game", str(number)).stdout for number in (1, 2, 3)]
    assert len(set(boards)) == 3
    answer = pbem("show", archive, "--game", "4")
    assert answer.exit_code == 2
    assert "it holds 3" in answer.stderr


def test_a_stranger_sees_nothing(pbem: Pbem, file: Path) -> None:
    assert pbem("show", file, "--as", "red").exit_code == 0
    assert pbem("show", file, "--as", "cerise").exit_code == 2


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "a leader"), ("nl", "een leider"), ("pl", "przewodnik"), ("ru", "лидер"), ("he", "מוביל")],
)
def test_the_board_is_explained_in_any_of_our_languages(pbem: Pbem, file: Path, language: str, words: str) -> None:
    answer = pbem("show", file, "--at", "30", "--language", language)
    assert answer.exit_code == 0
    assert words in answer.stdout


def test_a_page_runs_as_its_language_does(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    page = tmp_path / "board.html"
    pbem("show", file, "--language", "he", "-o", page)
    assert '<html lang="he" dir="rtl">' in page.read_text("utf-8")


def test_a_language_that_is_not_there_is_misuse(pbem: Pbem, file: Path) -> None:
    answer = pbem("show", file, "--language", "fr")
    assert answer.exit_code == 2
    assert f"there is {', '.join(sorted(LANGUAGE_CODES))}" in answer.stderr
