"""A guest may have digits in its key, and then it works everywhere; what is not a key is refused in the same words."""

import json
from pathlib import Path
from shutil import copytree

import pytest
import shy_well

from pbem.contract.checks_of_facts import KEY_RULE
from tests.conftest import Run

KEY = "game-2048"


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The Shy Well once more, installed under a key with digits and under two names that cannot be keys."""
    (source,) = shy_well.__path__
    package = copytree(source, tmp_path / "site" / "game_2048")
    text = (package / "__init__.py").read_text("utf-8")
    (package / "__init__.py").write_text(text.replace('"shy-well"', f'"{KEY}"').replace('"SW-', '"TZ-'), "utf-8")
    info = tmp_path / "site" / "game_2048-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: game-2048\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[caravan_post.games]\n{KEY} = game_2048\nGame_2048 = game_2048\n2048 = game_2048\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    return tmp_path


def test_a_key_with_digits_works_in_every_command(run: Run, guest: Path) -> None:
    for words in (
        ["sample", KEY, "--seats", "2", "--seed", "1", "-o", "night.turns"],
        ["validate", "night.turns"],
        ["fmt", "--check", "night.turns"],
        ["legal", "night.turns", "--at", "2"],
        ["rules", KEY],
        ["rule", "TZ-2"],
        ["show", "night.turns", "-o", "board.svg"],
        ["contract", KEY],
    ):
        told = run("pbem", *words, cwd=guest)
        assert told.returncode == 0, told.stdout + told.stderr
    assert f'[Game "{KEY}"]' in (guest / "night.turns").read_text("utf-8")
    assert "night 4: 6 · fennec" in (guest / "board.svg").read_text("utf-8"), "its own template"


def test_a_game_under_a_key_with_digits_is_played_by_mail_to_its_end(run: Run, guest: Path) -> None:
    told = run("pbem", "demo", "post", "--game", KEY, "--seats", "2", cwd=guest)
    assert told.returncode == 0, told.stdout + told.stderr
    assert f'[Game "{KEY}"]' in (guest / "post" / "game.turns").read_text("utf-8")
    told = run("pbem", "verify", "post/game.turns", cwd=guest)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.parametrize("name", ["Game_2048", "2048"])
def test_what_is_not_a_key_is_no_game_anywhere(run: Run, guest: Path, name: str) -> None:
    listed = run("pbem", "games", "--json", cwd=guest)
    assert listed.returncode == 1
    assert [game["key"] for game in json.loads(listed.stdout)["results"]][-2:] == [KEY, "shy-well"]
    assert f"a package offers a game under the name '{name}', which is not a key; {KEY_RULE}" in listed.stderr
    for words in (["contract", name], ["sample", name], ["rules", name]):
        told = run("pbem", *words, cwd=guest)
        assert told.returncode == 2
        assert f"there is no game {name}" in told.stderr
