"""`pbem diff`: the same game, or where two part."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from notation import Record, write_record

Pbem = Callable[..., Any]


def test_the_same_game_told_differently_is_the_same(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.turns"
    other.write_text(file.read_text("utf-8").replace("\n20. ", "\n{now}\n20. ").replace('"Red"', '"Anna"'), "utf-8")
    answer = pbem("diff", file, other)
    assert (answer.exit_code, answer.stdout) == (0, "the same: 1 game\n")


def test_the_first_other_move_is_told_from_both_sides(pbem: Pbem, file: Path, spoiled: Path, game: Record) -> None:
    answer = pbem("diff", file, spoiled)
    assert answer.exit_code == 1
    head, left, right = answer.stdout.rstrip("\n").split("\n")
    assert head == "game 1 parts at turn 18 (ply 18): another move"
    ours, theirs = game.entries[17].moves[0], game.entries[16].moves[0]
    line = file.read_text("utf-8").split("\n").index("") + 1 + 18
    assert left == f"  {file}:{line}: green: {ours.colour} {ours.space}"
    assert right == f"  {spoiled}:{line}: green: {theirs.colour} {theirs.space}"
    (told,) = json.loads(pbem("diff", "--json", file, spoiled).stdout)["results"]
    assert (told["kind"], told["turn"], told["ply"], told["lines"]) == ("move", 18, 18, [line, line])


def test_a_shorter_record_has_nothing_more(pbem: Pbem, file: Path, game: Record) -> None:
    short = write_record(Record(game.headers, game.entries[:10]))
    answer = pbem("diff", file, "-", given=short)
    assert answer.exit_code == 1
    assert answer.stdout.startswith("game 1 parts at turn 11 (ply 11): one of them goes on\n")
    assert answer.stdout.endswith("  standard input: nothing more\n")


def test_another_set_up_is_told_by_its_header(pbem: Pbem, file: Path) -> None:
    other = file.read_text("utf-8").replace('[Rules "1"]', '[Rules "2"]')
    answer = pbem("diff", file, "-", given=other)
    assert answer.stdout.startswith("game 1 parts at the set-up: another Rules\n")


def test_archives_are_compared_game_by_game(pbem: Pbem, archive: Path, file: Path, tmp_path: Path) -> None:
    assert pbem("diff", archive, archive).stdout == "the same: 3 games\n"
    longer = tmp_path / "longer.turns"
    longer.write_text(archive.read_text("utf-8") + "\n" + file.read_text("utf-8"), "utf-8")
    answer = pbem("diff", archive, longer)
    assert (answer.exit_code, answer.stdout) == (1, f"game 4: only {longer} has it\n")


def test_what_cannot_be_read_is_told_and_not_compared(pbem: Pbem, file: Path) -> None:
    answer = pbem("diff", file, "-", given=file.read_text("utf-8").replace("leader", "ladder"))
    assert answer.exit_code == 1
    assert "NT-M1" in answer.stdout
    assert "parts" not in answer.stdout


def test_of_a_file_that_is_not_there_nothing_else_is_told(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    nope, empty = tmp_path / "nope.turns", tmp_path / "empty.turns"
    empty.write_text("\n", "utf-8")
    for words in ([file, nope], [nope, file], [file, empty]):
        answer = pbem("diff", *words)
        assert (answer.exit_code, answer.stdout) == (1 if empty in words else 2, "")
        assert answer.stderr.count("\n") == 1
        told = json.loads(pbem("diff", "--json", *words).stdout)
        assert (told["results"], told["games"], len(told["problems"])) == ([], 0, 1)


def test_standard_input_can_be_read_only_once(pbem: Pbem) -> None:
    assert pbem("diff", "-", "-").exit_code == 2


def test_other_winners_are_another_game_where_the_table_ended_it(pbem: Pbem, game: Record, tmp_path: Path) -> None:
    paths = tmp_path / "one.turns", tmp_path / "other.turns"
    for path, result in zip(paths, ("red won, blue, green", "red, blue won, green"), strict=True):
        headers = tuple((name, result if name == "Result" else value) for name, value in game.headers)
        text = write_record(Record(headers, game.entries[:16])) + '17. end: adjudicated "late"\n'
        path.write_text(text, "utf-8")
    answer = pbem("diff", *paths)
    assert answer.exit_code == 1
    assert "another Result" in answer.stdout
