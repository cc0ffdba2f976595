"""A dump holds finished games and nothing else, its manifest agrees with it, and every change is noticed."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.registry import find_game
from notation import Record, write_record
from pbem.cli.sample import make

Pbem = Callable[..., Any]


def sampled(key: str, seed: str, date: str = "") -> str:
    game = find_game(key)
    assert game is not None
    record = make(game, 2, seed)
    return write_record(Record((*record.headers, ("Date", date)), record.entries) if date else record)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven games: two of 2025, two of 2026, one undated, one that goes on, one refused; and one that is none."""
    folder = tmp_path_factory.mktemp("games")
    desert = [sampled("through-the-desert", str(n), f"202{5 + n % 2}.05.01") for n in range(3)]
    nomadi = sampled("nomadi", "n", "2026")
    undated = sampled("through-the-desert", "u")
    on = "\n".join(undated.replace("normal", "*").splitlines()[:20]).replace('[Result "', '[Result "*"]\n[Was "') + "\n"
    refused = undated.replace("\n5. ", "\n6. ", 1)
    unread = undated.replace("\n5. ", "\n5. nobody knows ", 1)
    (folder / "a.turns").write_text("\n".join([*desert, nomadi, on]), "utf-8")
    (folder / "b.turns").write_text("\n".join([undated, refused, unread]), "utf-8")
    return folder


@pytest.fixture
def dumped(pbem: Pbem, games: Path, tmp_path: Path) -> Path:
    answer = pbem("dump", games, "--into", tmp_path / "dump")
    assert answer.exit_code == 1, "some games were refused"
    assert "8 games read: 5 written, 3 left out (1 running, 1 refused, 1 unread)\n" in answer.stdout
    return tmp_path / "dump"


def test_a_dump_has_a_file_for_each_game_and_year(pbem: Pbem, dumped: Path) -> None:
    manifest = json.loads((dumped / "MANIFEST.json").read_text("utf-8"))
    assert {each["name"]: each["games"] for each in manifest["files"]} == {
        "nomadi-2026.turns.gz": 1,
        "through-the-desert-2025.turns.gz": 2,
        "through-the-desert-2026.turns.gz": 1,
        "through-the-desert-undated.turns.gz": 1,
    }
    assert (manifest["games"], sum(manifest["left_out"].values())) == (5, 3)
    assert pbem("validate", dumped).stdout == "5 games, all legal\n"
    assert pbem("fmt", "--check", dumped).exit_code == 0
    answer = pbem("dump", "--check", dumped)
    assert (answer.exit_code, answer.stdout) == (0, "5 games in 4 files: all as the manifest says\n")


def test_the_same_games_give_the_same_bytes(pbem: Pbem, games: Path, dumped: Path, tmp_path: Path) -> None:
    pbem("dump", games, "--into", tmp_path / "again")
    assert {path.name: path.read_bytes() for path in dumped.iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()
    }


def repack(path: Path, change: Callable[[str], str]) -> None:
    path.write_bytes(gzip.compress(change(gzip.decompress(path.read_bytes()).decode()).encode(), mtime=0))


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda at: (at / "nomadi-2026.turns.gz").unlink(), "damaged or missing"),
        (lambda at: cut_short(at / "nomadi-2026.turns.gz"), "damaged or missing"),
        (lambda at: repack(at / "nomadi-2026.turns.gz", str.lower), "text_sha256 is"),
        (lambda at: repack(at / "nomadi-2026.turns.gz", lambda text: f"{text}\n{text}"), "games is 2, not 1"),
        (lambda at: (at / "more.turns").write_text("", "utf-8"), "more.turns: is not in the manifest"),
        (lambda at: (at / "MANIFEST.json").write_text("{}", "utf-8"), "is no manifest"),
        (lambda at: (at / "MANIFEST.json").unlink(), "is not there"),
    ],
)  # fmt: skip
def test_every_change_is_noticed(pbem: Pbem, dumped: Path, damage: Callable[[Path], object], says: str) -> None:
    damage(dumped)
    answer = pbem("dump", "--check", dumped)
    assert answer.exit_code > 0
    assert says in answer.stderr
    assert "all as the manifest says" not in answer.stdout


def test_a_manifest_leads_to_no_file_outside(pbem: Pbem, dumped: Path) -> None:
    text = (dumped / "MANIFEST.json").read_text("utf-8")
    (dumped / "MANIFEST.json").write_text(text.replace("nomadi-2026", "../nomadi-2026"), "utf-8")
    assert "is no manifest" in pbem("dump", "--check", dumped).stderr


def test_nothing_that_is_there_is_written_over(pbem: Pbem, games: Path, dumped: Path) -> None:
    before = {path.name: path.read_bytes() for path in dumped.iterdir()}
    answer = pbem("dump", games, "--into", dumped)
    assert answer.exit_code == 2
    assert {path.name: path.read_bytes() for path in dumped.iterdir()} == before
    shutil.rmtree(dumped)
    assert pbem("dump", games).exit_code == 2
