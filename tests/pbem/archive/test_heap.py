"""Folders and lists become the names of record files."""

from pathlib import Path

import pytest

from pbem.archive.heap import list_record_files, read_file_list
from pbem.archive.source import UnreadableFile


def test_a_folder_means_the_record_files_below_it_by_name(tmp_path: Path) -> None:
    for name in (
        "b.turns",
        "a/z.turns.gz",
        "a/Y.TURNS.zst",
        "notes.txt",
        ".hidden.turns",
        ".git/x.turns",
        "c.turns.bak",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = list(list_record_files(["-", str(tmp_path), "odd.txt"]))
    assert found == ["-", *(str(tmp_path / name) for name in ("b.turns", "a/Y.TURNS.zst", "a/z.turns.gz")), "odd.txt"]


def test_a_folder_without_records_is_told(tmp_path: Path) -> None:
    (problem,) = list_record_files([str(tmp_path)])
    assert isinstance(problem, UnreadableFile)
    assert "is a folder without record files" in str(problem)
    assert problem.misuse


@pytest.mark.parametrize("text", ["a.turns\nb c.turns\n\n", "a.turns\r\nb c.turns\r\n", "a.turns\0b c.turns\0"])
def test_a_list_has_a_name_a_line_or_null_bytes_between(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list"
    path.write_bytes(text.encode())
    assert read_file_list(str(path)) == ["a.turns", "b c.turns"]


def test_a_list_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        read_file_list(str(tmp_path / "list"))
    with pytest.raises(UnreadableFile, match="name a file with one name a line"):
        read_file_list(str(tmp_path))
