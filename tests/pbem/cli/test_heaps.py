"""Commands over any heap of files: folders, packed files, lists of names."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from zstandard import ZstdCompressor

Pbem = Callable[..., Any]


@pytest.fixture
def heap(archive: Path, file: Path, tmp_path: Path) -> Path:
    """A folder with four games, two of its three files packed."""
    folder = tmp_path / "games"
    folder.mkdir()
    text = archive.read_bytes()
    (folder / "a.turns.gz").write_bytes(gzip.compress(text))
    (folder / "b.turns").write_bytes(file.read_bytes())
    (folder / "c.turns.zst").write_bytes(ZstdCompressor().compress(text))
    return folder


def test_a_folder_is_all_its_records(pbem: Pbem, heap: Path) -> None:
    assert "7 games, all legal\n" in pbem("validate", heap).stdout
    assert pbem("replay", heap).stdout.count("normal: ") == 7
    assert pbem("upgrade", heap).stdout.endswith("7 records, 0 of which a newer edition would change\n")
    assert pbem("verify", heap).stdout.endswith("7 records, 0 believed\n")


def test_a_packed_file_may_have_any_name_and_come_by_a_pipe(pbem: Pbem, heap: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.write_bytes((heap / "a.turns.gz").read_bytes())
    assert pbem("validate", odd).stdout == "3 games, all legal\n"
    assert pbem("validate", "-", given=(heap / "c.turns.zst").read_bytes()).stdout == "3 games, all legal\n"


def test_a_packed_file_that_was_cut_off_is_refused(pbem: Pbem, heap: Path) -> None:
    path = heap / "a.turns.gz"
    path.write_bytes(path.read_bytes()[:-9])
    answer = pbem("validate", path)
    assert answer.exit_code == 1
    assert answer.stderr == f"pbem: {path}: is packed, and its end is missing\n"


def test_files_can_be_named_in_a_list(pbem: Pbem, heap: Path, file: Path, tmp_path: Path) -> None:
    listed = tmp_path / "list"
    listed.write_text(f"{heap}\n{file}\n", "utf-8")
    assert "8 games, all legal\n" in pbem("validate", "--files-from", listed).stdout
    assert "8 games, all legal\n" in pbem("validate", "--files-from", "-", given=listed.read_bytes()).stdout
    assert "no such file" in pbem("validate", "--files-from", tmp_path / "none").stderr


def test_something_must_be_named(pbem: Pbem) -> None:
    for command in ("validate", "replay", "upgrade", "verify", "fmt"):
        answer = pbem(command)
        assert answer.exit_code == 2
        assert "name record files or folders" in answer.stderr


def test_fmt_checks_packed_files_but_rewrites_none(pbem: Pbem, heap: Path) -> None:
    path = heap / "a.turns.gz"
    before = path.read_bytes()
    assert pbem("fmt", "--check", heap).exit_code == 0
    answer = pbem("fmt", path)
    assert answer.exit_code == 2
    assert "is packed; fmt rewrites only files that are not" in answer.stderr
    assert path.read_bytes() == before
