"""`pbem contract GAME`: the report that an author of a game reads."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run

BROKEN = """
from shy_well import NOTATION, ShyWell
from engine import Ply

class Broken(ShyWell):
    key = "broken-well-2"

    def turn(self, position):
        return 1 / len(position.nights)

EDITIONS = (Broken(),)
"""


def install(folder: Path, module: str, key: str, text: str) -> None:
    """A package as `pip install` would leave it: the module, and its entry point."""
    (folder / f"{module}.py").write_text(text, "utf-8")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[caravan_post.games]\n{key} = {module}\n")


def test_a_sound_game_keeps_the_contract(run: Run) -> None:
    told = run("pbem", "contract", "shy-well")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith("shy-well keeps the contract: ")


def test_a_broken_game_is_told_what_it_breaks_and_where(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "broken_well", "broken-well-2", BROKEN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    told = run("pbem", "contract", "broken-well-2")
    assert told.returncode == 1
    assert "broken  turns-are-counted (edition 1, 2 players)" in told.stdout
    assert "ZeroDivisionError" in told.stdout
    machine = json.loads(run("pbem", "contract", "broken-well-2", "--json").stdout)
    counted = [each for each in machine["results"] if each["check"] == "turns-are-counted"]
    assert [(each["players"], each["holds"]) for each in counted] == [(2, False), (3, False)]


def test_a_game_that_is_not_there_is_misuse(run: Run) -> None:
    told = run("pbem", "contract", "nope")
    assert told.returncode == 2
    assert "there is no game nope" in told.stderr


def test_records_of_rare_moves_can_be_given(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "night.turns"
    assert run("pbem", "sample", "shy-well", "--seats", "2", "-o", str(record)).returncode == 0
    assert run("pbem", "contract", "shy-well", "--record", str(record)).returncode == 0
    told = run("pbem", "contract", "shy-well", "--record", str(tmp_path / "nothing.turns"))
    assert (told.returncode, "no such file" in told.stderr) == (2, True)
