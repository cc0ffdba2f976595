"""`--json`: one whole document on standard output, whatever goes wrong, and the problem is in it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.app import COMMANDS, make_app

Pbem = Callable[..., Any]

MISUSES = [
    ["show", "nope"],
    ["rules", "nope"],
    ["rules", "nomadi", "--edition", "9"],
    ["rule", "TD-Z9"],
    ["sample", "nope"],
    ["sample", "nomadi", "--seats", "9"],
    ["sample", "nomadi", "-o", "/no/folder/x"],
    ["demo", "--game", "nope"],
    ["demo", "--seats", "9"],
    ["diff", "-", "-"],
    ["fmt", "-"],
    ["perft", "FILE"],
    ["show", "FILE", "-o", "board.gif"],
    ["validate", "FILE", "--seat", "red"],
    ["verify", "FILE", "--key", "zz"],
    ["verify", "FILE", "--key", "FILE"],
    ["verify", "FILE", "--mbox", "nope"],
    ["verify", "FILE", "--statement", "nope"],
    ["verify", "FILE", "--statement", "FILE"],
    ["verify", "FILE", "--log", "nope"],
    ["init", "x", "--address", "nobody"],
]
"""What makes no sense, and needs no post to say so."""

AT_A_POST = [
    ["init", "post"],
    ["demo", "post"],
    ["new", "nope", "--seat", "red=Anna:anna@players.test"],
    ["new", "nomadi", "--seat", "red"],
    ["new", "nomadi", "--seat", "red=Anna:anna@players.test", "--language", "tlh"],
    ["new", "nomadi", "--seat", "red=Anna:anna@players.test", "--option", "Board"],
    ["record"],
    ["record", "zz"],
    ["record", "zz", "--import", "FILE", "--seat", "red"],
    ["observe", "zz"],
    ["observe", "zz", "--add", "nobody"],
    ["beacon", "take", "nope"],
    ["case", "show"],
    ["case", "rule", "zz"],
    ["case", "show", "zz"],
    ["case", "show", "zz", "-o", "x.gif"],
    ["case", "open", "zz", "--turn", "1"],
    ["case", "check", "nope"],
    ["person", "show"],
    ["person", "merge", "anna"],
    ["person", "address", "anna"],
    ["quarantine", "show"],
    ["backup", "post/post.toml"],
    ["backup", "no/folder/copy.db"],
]
"""What makes no sense at a post."""

NOT_UNDERSTOOD = [["nonsense"], ["--nonsense"], ["show"], ["show", "-", "--at", "x"], ["games", "extra"]]
"""What no command ever gets to see."""


def problems(answer: Any) -> list[str]:
    """The problems in the one document that a failed command printed, each of which was told to people too."""
    assert answer.exception is None or isinstance(answer.exception, SystemExit), answer.exception
    told = json.loads(answer.stdout)["problems"]
    assert told
    assert all(problem in answer.stderr for problem in told)
    assert isinstance(told, list)
    return told


@pytest.mark.parametrize("words", MISUSES, ids=" ".join)
def test_a_misuse_is_told_in_the_document(pbem: Pbem, file: Path, words: list[str]) -> None:
    answer = pbem(*(file if word == "FILE" else word for word in words), "--json")
    assert answer.exit_code == 2
    assert len(problems(answer)) == 1


@pytest.mark.parametrize("words", AT_A_POST, ids=" ".join)
def test_a_misuse_at_a_post_is_told_in_the_document(
    pbem: Pbem, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_CONFIG", "post/post.toml")
    assert pbem("init", "post").exit_code == 0
    answer = pbem(*(file if word == "FILE" else word for word in words), "--json")
    assert answer.exit_code == 2
    assert len(problems(answer)) == 1


@pytest.mark.parametrize("words", NOT_UNDERSTOOD, ids=" ".join)
def test_a_command_line_that_is_not_understood_is_told_in_the_document(pbem: Pbem, words: list[str]) -> None:
    answer = pbem(*words, "--json")
    assert answer.exit_code == 2
    assert len(problems(answer)) == 1
    assert "--help" in answer.stderr
    assert pbem(*words).stdout == ""


def asking_for_a_post() -> list[str]:
    """The commands that want settings and can print JSON."""
    found = []
    for name in COMMANDS:
        app = make_app(name)
        groups = [group.typer_instance for group in app.registered_groups if group.typer_instance is not None]
        # A group without a sub-command runs its first one, `list`.
        (command, *_) = [*app.registered_commands, *(each for group in groups for each in group.registered_commands)]
        assert command.callback is not None
        if {"config", "json"} <= command.callback.__annotations__.keys():
            found.append(name)
    return found


@pytest.mark.parametrize("command", asking_for_a_post())
def test_settings_and_databases_that_are_gone_are_told_in_the_document(
    pbem: Pbem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    named = {
        "new": ["nomadi", "--seat", "blue=Anna:anna@players.test", "--seat", "yellow=Boris:boris@players.test"],
        "record": ["zz"],
        "observe": ["zz"],
        "invite": ["zz", "red=Dov:dov@players.test"],
        "backup": ["copy.db"],
        "restore": ["--accept", "zz"],
        "move": ["--to", "sqlite:///moved.db"],
    }
    words = [command, *named.get(command, []), "--json"]
    missing = pbem(*words)
    assert missing.exit_code == 2
    assert "pbem init" in problems(missing)[0]
    assert pbem("init", ".").exit_code == 0
    Path("post.db").unlink()
    answer = pbem(*words)
    if command in ("doctor", "key", "fetch"):
        assert json.loads(answer.stdout)  # they find it out for themselves, or need no database
    else:
        assert answer.exit_code == 1
        assert "is not there" in problems(answer)[0]


def test_what_was_told_before_a_problem_stays_in_the_document(pbem: Pbem, file: Path) -> None:
    answer = pbem("verify", file, "--log", "nope", "--json")
    told = json.loads(answer.stdout)
    assert [each["file"] for each in told["results"]] == [str(file)]
    assert "no such file" in told["problems"][0]


def test_a_file_that_was_not_written_is_not_claimed(
    pbem: Pbem, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert pbem("init", ".").exit_code == 0
    assert pbem("record", "bora-3", "--import", file).exit_code == 0
    answer = pbem("record", "bora-3", "-o", "no/folder/x", "--json")
    assert answer.exit_code == 2
    assert json.loads(answer.stdout)["results"] == []
    assert "cannot be written" in problems(answer)[0]
