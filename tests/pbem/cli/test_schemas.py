"""Every `--json` output has a JSON Schema, and real outputs keep it.

After a change of some output, `REWRITE=1 python -m pytest tests/pbem/cli/test_schemas.py` brings docs/schemas up to
date. The `pbem` fixture holds every output of every test here against its schema, too.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from jsonschema import Draft202012Validator

from notation import Record
from pbem.cli.app import COMMANDS, make_app
from pbem.cli.schema import DOCUMENTS, FORMS, schema_of
from pbem.exchange.record_json import record_to_json
from tests.pbem.cli.json_checks import check_output

FOLDER = Path("docs/schemas")
RUNNING = Path(__file__).parents[3] / "examples/sirocco.turns"
Pbem = Callable[..., Any]

OVER_RECORDS = [
    ["games"],
    ["rules", "nomadi"],
    ["rule", "TD-C3"],
    ["sample", "nomadi"],
    ["sample", "nomadi", "-o", "nomadi.turns"],
    ["replay", "FILE"],
    ["replay", "SPOILED"],
    ["validate", "FILE"],
    ["validate", "SPOILED"],
    ["validate", "FILE", "--seat", "red", "--move", "end"],
    ["verify", "FILE"],
    ["upgrade", "FILE", "SPOILED"],
    ["fmt", "--check", "FILE"],
    ["annotate", "FILE", "--at", "3", "--comment", "so"],
    ["edition", "FILE", "-o", "book.html"],
    ["index", "FILE", "SPOILED", "--in", "games.catalogue"],
    ["find", "seats>=2", "FILE", "SPOILED"],
    ["twins", "FILE", "FILE", "ARCHIVE"],
    ["merge", "FILE", "FILE", "-o", "both.turns"],
    ["tree", "FILE", "ARCHIVE", "SPOILED"],
    ["stats", "FILE", "ARCHIVE", "SPOILED"],
    ["export", "FILE", "-o", "game.json"],
    ["export", "FILE", "--to", "csv", "-o", "tables"],
    ["export", "SPOILED", "-o", "game.json"],
    ["publish", "FILE", "SPOILED", "-o", "site"],
    ["dump", "FILE", "SPOILED", "--into", "dumped"],
    ["import", "JSON", "-o", "in.turns", "--report", "left.txt"],
    ["resume", "RUNNING"],
    ["show", "FILE"],
    ["show", "FILE", "-o", "board.txt"],
    ["legal", "FILE", "--at", "3"],
    ["legal", "FILE", "--count"],
    ["suggest", "FILE", "--at", "3", "--best", "2"],
    ["perft", "FILE", "--at", "3", "--depth", "1"],
    ["perft", "FILE", "--at", "3", "--ends"],
    ["diff", "FILE", "SPOILED"],
    ["diff", "FILE", "ARCHIVE"],
    ["contract", "nomadi"],
    ["demo", "shown", "--game", "nomadi", "--seats", "2"],
]
AT_A_POST = [
    ["new", "nomadi", "--seat", "blue=Anna:anna@players.test", "--seat", "yellow=Boris:boris@players.test"],
    ["record", "bora-3"],
    ["record", "bora-4", "--import", "FILE"],
    ["log"],
    ["key"],
    ["observe", "bora-3", "--add", "Dov:dov@players.test"],
    ["observe", "bora-3"],
    ["invite", "bora-5", "red=Dov:dov@players.test"],
    ["beacon"],
    ["beacon", "take", "ROUNDS"],
    ["case", "open", "bora-5", "--turn", "2", "--reason", "why so?"],
    ["case"],
    ["case", "list", "bora-5"],
    ["case", "show", "bora-5", "1"],
    ["case", "warrant", "bora-5", "1", "--as", "red", "--reason", "to see"],
    ["case", "rule", "bora-5", "1", "dismiss", "--reason", "it was legal"],
    ["case", "bundle", "bora-5", "1", "-o", "case.zip"],
    ["case", "check", "case.zip"],
    ["case", "close", "bora-5", "1"],
    ["case", "pause", "bora-5", "--reason", "a fair"],
    ["case", "resume", "bora-5", "--reason", "a fair"],
    ["case", "excuse", "bora-5", "red", "--reason", "a storm"],
    ["case", "extend", "bora-5", "--by", "2d", "--reason", "a storm"],
    ["case", "referee", "bora-5", "--add", "Rita:rita@players.test"],
    ["case", "terms", "bora-5", "--pace", "2d", "--reason", "a fair"],
    ["case", "call-off", "sirocco-1", "--reason", "too late"],
    ["tick"],
    ["person"],
    ["person", "show", "anna@players.test"],
    ["person", "export", "anna@players.test", "-o", "anna.zip"],
    ["person", "merge", "anna@players.test", "boris@players.test"],
    ["person", "address", "anna@players.test", "anna@new.test"],
    ["person", "forget", "anna@players.test"],
    ["quarantine"],
    ["quarantine", "show", "1"],
    ["quarantine", "redrive", "1"],
    ["fetch"],
    ["send"],
    ["status", "--all"],
    ["doctor"],
    ["backup", "copy.db"],
    ["restore", "copy.db", "--rehearse"],
    ["compact"],
    ["move", "--to", "sqlite:///moved.db"],
]


def file_of(name: str) -> Path:
    """The file with a schema in docs/schemas."""
    return FOLDER / f"{name.replace(' ', '-')}.schema.json"


def json_commands() -> list[str]:
    """Every command and sub-command that has --json."""
    found = []
    for name in COMMANDS:
        app = make_app(name)
        registered = [(name, command) for command in app.registered_commands]
        for group in app.registered_groups:
            assert isinstance(group.typer_instance, typer.Typer)
            for command in group.typer_instance.registered_commands:
                assert command.callback is not None
                registered.append((f"{name} {command.name or command.callback.__name__}", command))
        found += [full for full, command in registered if "json" in getattr(command.callback, "__annotations__", {})]
    return found


def test_every_command_with_json_has_a_schema_and_no_other() -> None:
    assert sorted(json_commands()) == sorted(DOCUMENTS)


@pytest.mark.parametrize("name", [*DOCUMENTS, *FORMS])
def test_the_page_of_a_schema_is_what_the_types_say(root: Path, name: str) -> None:
    page = root / file_of(name)
    text = json.dumps(schema_of(name), indent=2) + "\n"
    Draft202012Validator.check_schema(json.loads(text))
    if os.environ.get("REWRITE"):
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, "utf-8")
    assert page.read_text("utf-8") == text


def test_there_are_no_other_pages(root: Path) -> None:
    assert sorted(path.name for path in (root / FOLDER).iterdir()) == sorted(
        file_of(name).name for name in [*DOCUMENTS, *FORMS]
    )


def test_the_schema_is_printed(pbem: Pbem) -> None:
    assert json.loads(pbem("schema", "case", "show").stdout) == schema_of("case show")
    refused = pbem("schema", "serve")
    assert refused.exit_code == 2
    assert "has no JSON output" in refused.stderr


def test_a_schema_refuses_what_no_command_prints() -> None:
    wrong_ones: list[object] = [{"results": [{"nonsense": 1}], "problems": []}, {"results": []}, []]
    for wrong in wrong_ones:
        with pytest.raises(AssertionError):
            check_output(["legal"], json.dumps(wrong))


@pytest.mark.parametrize("words", OVER_RECORDS, ids=" ".join)
def test_outputs_over_records_keep_their_schema(
    pbem: Pbem,
    game: Record,
    file: Path,
    spoiled: Path,
    archive: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    told = tmp_path / "told.json"
    told.write_text(json.dumps(record_to_json(game) | {"elo": 7}) + "\n{}\n", "utf-8")
    given = {"FILE": file, "SPOILED": spoiled, "ARCHIVE": archive, "JSON": told, "RUNNING": RUNNING}
    answer = pbem(*(given.get(word, word) for word in words), "--json")
    said = json.loads(answer.stdout)
    assert "results" not in said or said["results"] or words[0] == "validate"


def test_outputs_at_a_post_keep_their_schema(
    pbem: Pbem, game: Any, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rounds").write_text('{"round": 1, "signature": "00"}', "utf-8")
    half = tmp_path / "half.turns"
    lines = file.read_text("utf-8").split("\n")
    middle = next(number for number, line in enumerate(lines) if line.startswith("9. "))
    half.write_text("\n".join(line if "[Result" not in line else '[Result "*"]' for line in lines[:middle]), "utf-8")
    answers = {"init": pbem("init", ".", "--address", "caravan@players.test", "--json")}
    seats = [f"--seat={seat}={seat}:{seat}@players.test" for seat in game.seats]
    assert pbem("record", "bora-3", "--import", file).exit_code == 0
    assert pbem("record", "bora-5", "--import", half, *seats).exit_code == 0
    assert pbem("deliver", given=b"\0" * 40).exit_code == 0
    given = {"FILE": file, "ROUNDS": tmp_path / "rounds"}
    for words in AT_A_POST:
        answers[" ".join(words)] = pbem(*(given.get(word, word) for word in words), "--json")
    codes = {words: answer.stderr for words, answer in answers.items() if answer.exit_code}
    # There is no such invitation, no free seat, no mailbox to fetch from, and two at one table are not one person.
    refused = {
        "case excuse bora-5 red --reason a storm",
        "case call-off sirocco-1 --reason too late",
        "invite bora-5 red=Dov:dov@players.test",
        "fetch",
    }
    refused |= {"person merge anna@players.test boris@players.test"}
    assert set(codes) == refused, codes


def test_all_schemas_are_tried() -> None:
    tried = {"init"}
    for words in [*OVER_RECORDS, *AT_A_POST]:
        plain = [word for word in words if not word.startswith("-")]
        tried |= {plain[0], " ".join(plain[:2]), f"{plain[0]} list" if len(plain) == 1 else plain[0]}
    assert set(DOCUMENTS) <= tried
