"""`pbem fmt`: canonical form, and never a record lost."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from notation import Record, write_record

Pbem = Callable[..., Any]

UNTIDY = """[game "through-the-desert"]
[Rules "1"]
[Seat.red "Anna"][Mood "sunny"]
[Seat.blue "Boris"]

1. RED : Leader l e4 ! {far off} (1. red: leader mint E4)
blue: leader M  k9 [%clock 1:00]
"""
TIDY = """[Game "through-the-desert"]
[Rules "1"]
[Seat.red "Anna"]
[Seat.blue "Boris"]
[Mood "sunny"]

1. red: leader lilac E4! {far off} (1. red: leader mint E4)
blue: leader mint K9 [%clock 1:00]
"""


def test_standard_input_is_rewritten_to_standard_output(pbem: Pbem) -> None:
    answer = pbem("fmt", "-", given=UNTIDY)
    assert (answer.exit_code, answer.stdout, answer.stderr) == (0, TIDY, "")


def test_a_file_is_rewritten_in_place_with_its_permissions(pbem: Pbem, tmp_path: Path) -> None:
    path = tmp_path / "untidy.turns"
    path.write_text(UNTIDY, "utf-8")
    path.chmod(0o640)
    answer = pbem("fmt", path)
    assert (answer.exit_code, answer.stdout) == (0, f"rewritten: {path}\n")
    assert path.read_text("utf-8") == TIDY
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_canonical_is_not_touched(pbem: Pbem, file: Path) -> None:
    os.utime(file, (1, 1))
    answer = pbem("fmt", file)
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert file.stat().st_mtime == 1


def test_sample_then_fmt_then_fmt_is_stable_to_the_byte(pbem: Pbem, archive: Path) -> None:
    once = pbem("fmt", "-", given=archive.read_bytes()).stdout
    assert once == archive.read_text("utf-8")
    assert pbem("fmt", "-", given=once).stdout == once


def test_check_changes_nothing_and_tells_by_its_exit_code(pbem: Pbem, tmp_path: Path, file: Path) -> None:
    path = tmp_path / "untidy.turns"
    path.write_text(UNTIDY, "utf-8")
    answer = pbem("fmt", "--check", path, file)
    assert (answer.exit_code, answer.stdout) == (1, f"would rewrite: {path}\n")
    assert path.read_text("utf-8") == UNTIDY
    assert pbem("fmt", "--check", file).exit_code == 0
    assert pbem("fmt", "--check", "-", given=UNTIDY).exit_code == 1
    assert pbem("fmt", "--check", "-", given=TIDY).exit_code == 0


def test_a_file_that_cannot_be_read_is_left_alone_and_the_next_is_done(pbem: Pbem, tmp_path: Path) -> None:
    broken, untidy = tmp_path / "broken.turns", tmp_path / "untidy.turns"
    broken.write_text(UNTIDY + "2. blue lilac\n", "utf-8")
    untidy.write_text(UNTIDY, "utf-8")
    answer = pbem("fmt", broken, untidy)
    assert answer.exit_code == 1
    assert f"{broken}:8:" in answer.stdout
    assert broken.read_text("utf-8") == UNTIDY + "2. blue lilac\n"
    assert untidy.read_text("utf-8") == TIDY
    assert len(list(tmp_path.iterdir())) == 2


def test_standard_output_gets_nothing_of_what_cannot_be_read_to_its_end(pbem: Pbem) -> None:
    answer = pbem("fmt", "-", given=UNTIDY + "\n" + UNTIDY.replace("leader", "ladder"))
    assert answer.exit_code == 1
    assert "Mood" not in answer.stdout


def test_a_link_stays_a_link_and_its_file_is_rewritten(pbem: Pbem, tmp_path: Path) -> None:
    path, link = tmp_path / "untidy.turns", tmp_path / "link.turns"
    path.write_text(UNTIDY, "utf-8")
    link.symlink_to(path)
    assert pbem("fmt", link).exit_code == 0
    assert link.is_symlink()
    assert path.read_text("utf-8") == TIDY


def test_windows_line_ends_a_byte_order_mark_and_missing_numbers_go(pbem: Pbem, game: Record) -> None:
    canonical = write_record(game)
    bare = Record(game.headers, tuple(entry._replace(number=None) for entry in game.entries))
    foreign = "\ufeff" + write_record(bare).replace("\n", "\r\n")
    assert pbem("fmt", "-", given=foreign.encode()).stdout == canonical


def test_a_variation_over_many_lines_becomes_one_line_that_can_be_read(pbem: Pbem) -> None:
    long = TIDY + "3. red: leader mint G5 (" + f"3. red: leader mint G6 {{{'so ' * 1_000}}}\n" * 40 + "4. blue: pass)\n"
    once = pbem("fmt", "-", given=long).stdout
    assert max(map(len, once.split("\n"))) > 100_000
    assert pbem("fmt", "-", given=once).stdout == once


def test_a_turn_that_is_too_long_when_written_out_is_left_as_it_is(pbem: Pbem, tmp_path: Path) -> None:
    path = tmp_path / "short.turns"
    short = TIDY + "3. red: leader mint G5 (" + "3. red: l f4\n" * 20_000 + "4. blue: pass)\n"
    path.write_text(short, "utf-8")
    for call in (("fmt", path), ("fmt", "--check", path)):
        answer = pbem(*call)
        assert answer.exit_code == 1
        assert "NT-F3 line-too-long" in answer.stderr
        assert path.read_text("utf-8") == short
    assert list(tmp_path.iterdir()) == [path]


SET_UP = """[Game "through-the-desert"]
[Rules "1"]
[Seat.red "Anna  Maria"]
[Seat.blue "Boris"]
[Oases "Q3  D3 H11 M7 B8"]
[Result "RED   63  won,blauw 51"]
[Mood "sunny,  mostly"]
"""


def test_headers_that_the_game_understands_have_one_form_and_others_stay(pbem: Pbem) -> None:
    tidy = SET_UP.replace("Q3  D3 H11 M7 B8", "B8 D3 H11 M7 Q3").replace(
        "RED   63  won,blauw 51", "red 63 won, blue 51"
    )
    assert pbem("fmt", "-", given=SET_UP).stdout == tidy
    assert pbem("fmt", "--check", "-", given=SET_UP).exit_code == 1
    assert pbem("fmt", "--check", "-", given=tidy).exit_code == 0


def test_headers_that_nobody_understands_or_that_are_proved_stay(pbem: Pbem) -> None:
    odd = SET_UP.replace("Q3  D3", "q3 D3").replace("RED   63  won,", "63  for red, ")
    proved = f'{SET_UP}[Proof "1"]\n'
    strange = SET_UP.replace("through-the-desert", "senet")
    for text in (odd, proved):
        assert pbem("fmt", "-", given=text).stdout == text
    assert "Q3  D3 H11 M7 B8" in pbem("fmt", "-", given=strange).stdout


def test_json_says_which_files_changed(pbem: Pbem, tmp_path: Path, file: Path) -> None:
    path = tmp_path / "untidy.turns"
    path.write_text(UNTIDY, "utf-8")
    told = json.loads(pbem("fmt", "--json", path, file).stdout)
    assert told == {
        "results": [{"file": str(path), "changed": True}, {"file": str(file), "changed": False}],
        "problems": [],
    }
    assert pbem("fmt", "--json", "-", given=UNTIDY).exit_code == 2
