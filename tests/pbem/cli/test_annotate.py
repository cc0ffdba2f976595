"""`pbem annotate`: what people write is kept apart from what is sealed, and nothing that anybody wrote is lost."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.service.post_folder import CreatedPost, create_post

Pbem = Callable[..., Any]


def test_comments_signs_variations_and_marks_are_added_and_taken_away(pbem: Pbem, file: Path) -> None:
    before = file.read_bytes()
    words = ["--comment", "so", "--glyph", "!", "--diagram", "--variation", "9. red: pass {or not}"]
    answer = pbem("annotate", file, "--at", "9", *words)
    assert answer.exit_code == 0
    assert "cannot be played" in answer.stderr
    line = next(line for line in file.read_text("utf-8").split("\n") if line.startswith("9. "))
    assert line.endswith("! {so} (9. red: pass {or not}) [%diagram]")
    assert pbem("validate", file).exit_code == 0
    told = json.loads(pbem("annotate", file, "--list", "--json").stdout)["results"][0]
    assert [(each["number"], each["kind"]) for each in told["remarks"]] == [
        (1, "glyph"),
        (2, "comment"),
        (3, "variation"),
        (4, "annotation"),
    ]
    answer = pbem("annotate", file, *(f"--remove={number}" for number in (1, 2, 3, 4)))
    assert answer.exit_code == 0
    assert file.read_bytes() == before


def test_a_comment_comes_from_standard_input_with_its_lines(pbem: Pbem, file: Path) -> None:
    assert pbem("annotate", file, "--at", "2", "--comment", "-", given="one\n} two\n").exit_code == 0
    assert "{one\n\\} two}" in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--at", "777", "--comment", "x"], 1, "there is no entry 777"),
        (["--at", "9", "--glyph", "bravo"], 1, "bravo"),
        (["--remove", "3"], 1, "there is no remark 3"),
        (["--list", "--comment", "x"], 2, "--list changes nothing"),
        (["--json"], 2, "say what to add"),
    ],
)
def test_what_cannot_be_written_changes_nothing(pbem: Pbem, file: Path, words: list[str], code: int, said: str) -> None:
    before = file.read_bytes()
    answer = pbem("annotate", file, *words)
    assert (answer.exit_code, said in answer.stderr) == (code, True), answer.stderr
    assert file.read_bytes() == before


def test_all_of_one_command_is_written_or_nothing(pbem: Pbem, file: Path) -> None:
    before = file.read_bytes()
    assert pbem("annotate", file, "--comment", "good", "--glyph", "bad").exit_code == 1
    assert file.read_bytes() == before


def test_other_games_of_the_file_stay_to_the_byte(pbem: Pbem, archive: Path, file: Path) -> None:
    text = (
        "{before}\n" + archive.read_text("utf-8").replace("1. red:", "1... RED  :") + "\n\n\n" + file.read_text("utf-8")
    )
    archive.write_text(text, "utf-8")
    assert pbem("annotate", archive, "--game", "2", "--at", "3", "--comment", "mine").exit_code == 0
    games = text.split('[Format "1"]')
    now = archive.read_text("utf-8").split('[Format "1"]')
    assert now[:2] == games[:2]
    assert now[3:] == games[3:]
    assert "{mine}" in now[2]


def test_a_sealed_record_stays_believed_and_so_does_its_copy(
    pbem: Pbem, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = create_post(tmp_path / "post", {"post.address": "caravan@post.test"})
    assert isinstance(made, CreatedPost)
    monkeypatch.setenv("PBEM_CONFIG", str(made.file))
    sealed, copy = tmp_path / "bora-3.turns", tmp_path / "bora-3.annotated.turns"
    assert pbem("record", "bora-3", "--import", file).exit_code == 0
    assert pbem("record", "bora-3", "-o", sealed).exit_code == 0
    before = sealed.read_bytes()
    for number, words in enumerate((["--glyph=!", "--comment=so"], ["--diagram"], ["--variation=9. red: pass"]), 1):
        assert pbem("annotate", sealed, "--at", f"{8 + number}", *words).exit_code == 0
    told = json.loads(pbem("annotate", sealed, "--list", "--json").stdout)["results"][0]
    assert told["file"] == str(copy)
    assert len(told["remarks"]) == 4
    assert sealed.read_bytes() == before
    assert pbem("verify", sealed).exit_code == 0
    assert pbem("verify", copy).exit_code == 1
    assert pbem("verify", "--remarks", copy).exit_code == 0
    assert pbem("annotate", copy, "--at", "2", "--comment", "in the copy itself").exit_code == 0
    for number in range(5, 0, -1):
        assert pbem("annotate", sealed, "--remove", str(number)).exit_code == 0
    assert copy.read_bytes() == before, "only what people wrote was ever different"
    copy.write_bytes(file.read_bytes())
    assert "is not a copy of" in pbem("annotate", sealed, "--list").stderr


def test_people_who_write_at_the_same_time_lose_no_word(file: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-m", "pbem", "annotate", str(file), "--at", "9", "--comment", f"word {number}"],
            stdout=subprocess.DEVNULL,
        )
        for number in range(6)
    ]
    assert [each.wait(60) for each in writers] == [0] * 6
    text = file.read_text("utf-8")
    assert all(f"{{word {number}}}" in text for number in range(6))


def test_the_terminal_walks_through_the_game_and_saves_each_remark(pbem: Pbem, file: Path) -> None:
    typed = (
        "\n\n-\nc it begins\n7\nb\ng !?\nd\nd no\nv 7. red: pass\ng so\nx 99\nhm\nl\nend\nc a fine game\n?\nx 1\nq\n"
    )
    answer = pbem("annotate", file, given=typed)
    assert answer.exit_code == 0, answer.output
    text = file.read_text("utf-8")
    assert "it begins" not in text
    assert text.endswith("{a fine game}\n")
    line = next(line for line in text.split("\n") if line.startswith("7. "))
    assert line.endswith("!? [%diagram no] (7. red: pass)")
    for said in ("'hm' names no place", "there is no remark 99", "A  B  C", "{it begins}"):
        assert said in answer.stdout
    assert pbem("annotate", file, given="").exit_code == 0, "the end of what is typed is an end like any other"
