"""Commands run in this process, and records to run them on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from engine.through_the_desert import GAME
from notation import Record, write_record
from pbem.cli.app import choose, make_app
from pbem.cli.sample import make
from tests.pbem.cli.json_checks import check_output

Pbem = Callable[..., Any]


@pytest.fixture(scope="session")
def pbem() -> Pbem:
    """Run `pbem` with the given words; `given` is what arrives on standard input.

    What is printed with --json must keep the schema of the command.
    """

    def call(*words: str | Path, given: str | bytes = "") -> Any:
        line = [str(word) for word in words]
        answer = CliRunner().invoke(make_app(choose(line)), line, input=given, prog_name="pbem")
        if "--json" in line and isinstance(answer.exception, SystemExit | None):
            check_output(line, answer.stdout)
        return answer

    return call


@pytest.fixture(scope="session")
def game() -> Record:
    """A complete game of three."""
    return make(GAME, 3, "commands")


@pytest.fixture
def file(game: Record, tmp_path: Path) -> Path:
    """The game in a file."""
    path = tmp_path / "game.turns"
    path.write_text(write_record(game), "utf-8")
    return path


@pytest.fixture
def spoiled(game: Record, tmp_path: Path) -> Path:
    """The same game, with a camel in turn 18 placed where the one of turn 17 stands."""
    entries = list(game.entries)
    entries[17] = entries[17]._replace(moves=(entries[16].moves[0], *entries[17].moves[1:]))
    path = tmp_path / "spoiled.turns"
    path.write_text(write_record(Record(game.headers, tuple(entries))), "utf-8")
    return path


@pytest.fixture
def archive(game: Record, tmp_path: Path) -> Path:
    """Three games in one file."""
    path = tmp_path / "archive.turns"
    path.write_text("\n".join(write_record(make(GAME, 2, str(seed))) for seed in range(3)), "utf-8")
    return path
