"""A file that cannot be had is told by whose it is, and by what would help."""

import os
from pathlib import Path

import pytest

from pbem.settings import access
from pbem.settings.access import explain_os_error, mode_if_shared


@pytest.mark.parametrize(
    ("number", "wrong", "write"),
    [
        (2, "is not there", "restore it from your backup"),
        (21, "is a folder", "name a file"),
        (28, "there is no room on the disk", "free some space"),
        (30, "is on a disk that can only be read", "mount it for writing"),
        (5, "input/output error", "look at the disk"),
    ],
)
def test_each_trouble_has_its_words(tmp_path: Path, number: int, wrong: str, write: str) -> None:
    why = explain_os_error(OSError(number, os.strerror(number)), tmp_path / "post.db")
    assert wrong in why.mistake
    assert str(tmp_path / "post.db") in why.mistake
    assert write in why.advice


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes").touch()
    why = explain_os_error(NotADirectoryError(), tmp_path / "notes" / "post" / "post.db")
    assert why.mistake == f"{tmp_path / 'notes'} is a file, not a folder"


def test_a_file_of_somebody_else_is_told_with_his_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "post.db.lock"
    file.touch()
    owner = access._name(os.geteuid())
    monkeypatch.setattr(os, "geteuid", lambda: 54_321)
    why = explain_os_error(PermissionError(), file)
    assert why.mistake == f"{file} belongs to {owner}, and we are user 54321"
    assert why.advice == (f"give it back: chown 54321 '{file}'" if owner == "root" else f"run this as {owner}")
    why = explain_os_error(PermissionError(), tmp_path / "gone" / "post.log")
    assert why.mistake.startswith(f"{tmp_path}, where post.log is, belongs to {owner}")


def test_a_file_of_our_own_is_told_with_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "ticket.key"
    file.touch(0o200)
    why = explain_os_error(PermissionError(), file)
    assert "but has mode 0200" in why.mistake
    assert why.advice.startswith("let its owner in: chmod u+rwX")


def test_who_else_can_read_a_file_is_told_by_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "ticket.key"
    assert mode_if_shared(file) is None
    file.touch()
    for mode, told in [(0o600, None), (0o640, "0640"), (0o604, "0604")]:
        file.chmod(mode)
        assert mode_if_shared(file) == told
