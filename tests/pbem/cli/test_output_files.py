"""What `-o` may not overwrite: the files that a post lives on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.post.post_games import make_friends

Pbem = Callable[..., Any]

SEATS = [
    word for friend in make_friends(2).values() for word in ("--seat", f"{friend.seat}={friend.name}:{friend.address}")
]
FILES = ["post.db", "post.db-wal", "post.db-shm", "post.db.lock", "post.toml", "ticket.key", "signing.key"]
RECORD = ["record", "sirocco-1"]
SAMPLE = ["sample", "through-the-desert"]


@pytest.fixture
def config(pbem: Pbem, tmp_path: Path) -> Path:
    """A post with a table."""
    assert pbem("init", tmp_path / "post", "--address", "caravan@post.test").exit_code == 0
    path = tmp_path / "post" / "post.toml"
    assert pbem("new", "through-the-desert", *SEATS, "--config", path).exit_code == 0
    return path


def contents(config: Path) -> dict[str, bytes]:
    """What is in the folder of a post, but for what SQLite makes and removes by itself."""
    files = (path for path in config.parent.iterdir() if path.is_file() and not path.name.endswith(("-wal", "-shm")))
    return {path.name: path.read_bytes() for path in files}


@pytest.mark.parametrize("name", FILES)
def test_no_file_of_the_post_is_overwritten(pbem: Pbem, config: Path, name: str) -> None:
    before = contents(config)
    answer = pbem(*RECORD, "-o", config.parent / name, "--config", config)
    assert answer.exit_code == 2
    assert answer.stderr == (
        f"pbem: {config.parent / name} is a file that the post lives on, and nothing was written; name another file\n"
    )
    assert contents(config) == before
    assert pbem("status", "--config", config).exit_code == 0


def test_nor_through_a_link_or_another_spelling(
    pbem: Pbem, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link.txt").symlink_to(config.parent / "post.db")
    (tmp_path / "hard.txt").hardlink_to(config.parent / "ticket.key")
    monkeypatch.chdir(tmp_path)
    before = contents(config)
    for name in ("link.txt", "hard.txt", "post/../post/post.db"):
        assert pbem(*RECORD, "-o", name, "--config", config).exit_code == 2
    assert contents(config) == before


def test_nor_by_a_command_that_needs_no_post(
    pbem: Pbem, config: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(config)
    assert pbem(*SAMPLE, "-o", config.parent / "post.db").exit_code == 2, "a post in the folder of the file"
    monkeypatch.setenv("PBEM_CONFIG", str(config))
    (file.parent / "board.txt").symlink_to(config.parent / "post.db")
    assert pbem("show", file, "-o", file.parent / "board.txt").exit_code == 2, "the post of the environment"
    assert contents(config) == before


def test_nor_by_a_backup(pbem: Pbem, config: Path) -> None:
    assert pbem("backup", config.parent / "post.db-journal", "--config", config).exit_code == 2
    assert pbem("backup", config.parent / "copy.db", "--config", config).exit_code == 0


def test_any_other_file_of_its_folder_is_written(pbem: Pbem, config: Path) -> None:
    for _ in range(2):
        assert pbem(*RECORD, "-o", config.parent / "record.turns", "--config", config).exit_code == 0
        assert pbem(*SAMPLE, "-o", config.parent / "sample.turns").exit_code == 0
