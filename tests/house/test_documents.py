"""What the documents say is so: folders, commands, links, examples."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import KeyedDealer, Setup, Verdict
from pbem.cli.app import COMMANDS, MODULES
from tests.known_games import known_game

Run = Callable[..., subprocess.CompletedProcess[str]]

PACKAGES = ("engine", "notation", "pbem")
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]+)(?:#[^)]*)?\)")


@pytest.fixture(scope="module")
def pages(root: Path, files: list[Path]) -> dict[Path, str]:
    return {path: (root / path).read_text("utf-8") for path in files if path.suffix == ".md"}


def test_every_folder_is_on_the_page_about_the_code(root: Path, files: list[Path]) -> None:
    page = (root / "docs/architecture.md").read_text("utf-8")
    parents = {path.parent.parts for path in files if len(path.parts) > 1}
    folders = {parts[:1] for parts in parents} | {parts[:2] for parts in parents if parts[0] in PACKAGES}
    folders |= {parts[:3] for parts in parents if parts[:2] == ("pbem", "mail")}
    assert {("engine", "through_the_desert"), ("pbem", "mail", "reading"), (".ci",)} <= folders
    assert sorted(name for parts in folders if f"`{(name := '/'.join(parts))}/`" not in page) == []


def test_the_page_about_the_code_names_no_folder_that_is_gone(root: Path) -> None:
    page = (root / "docs/architecture.md").read_text("utf-8")
    named = re.findall(r"^\| `([^`]+/)` \|", page, re.MULTILINE)
    assert named
    assert [folder for folder in named if not (root / folder).is_dir()] == []


def test_every_link_between_documents_leads_somewhere(root: Path, pages: dict[Path, str]) -> None:
    broken = [
        f"{path}: {target}"
        for path, text in pages.items()
        for target in LINK.findall(text)
        if not (root / path.parent / target).exists()
    ]
    assert not broken


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_stands_in_the_readme(root: Path, run: Run, command: str) -> None:
    told = run("pbem", command, "--help")
    assert told.returncode == 0, told.stderr
    assert f"Usage: pbem {command}" in told.stdout
    assert COMMANDS[command].rstrip(".") in " ".join(told.stdout.split())
    options = re.findall(r"^  (?:-\w, )?(--[\w-]+).*$", told.stdout, re.MULTILINE)
    assert "--help" in options
    readme = (root / "README.md").read_text("utf-8")
    assert re.search(rf"^\| `pbem {command}\b[^|]*\|[^|]+\|$", readme, re.MULTILINE), "not in the README's table"


def test_every_file_of_the_command_line_is_a_command_or_part_of_one(root: Path) -> None:
    named = {MODULES.get(command, command) for command in COMMANDS}
    files = {path.stem for path in (root / "pbem/cli").glob("[a-z]*.py")}
    assert named <= files
    assert [name for name in files - {"app"} if not named & {name, *name.split("_")}] == []


def test_the_guide_quotes_the_guest_game_as_it_is(root: Path, pages: dict[Path, str]) -> None:
    guest = root / "examples/shy-well"
    sources = {
        "python": [guest / "shy_well/__init__.py", guest / "test_contract.py"],
        "lark": [guest / "shy_well/moves.lark"],
        "toml": [guest / "pyproject.toml", guest / "shy_well/templates/terms.toml"],
    }
    quoted = re.findall(
        r"^```(python|lark|toml)\n(.*?)^```$", pages[Path("docs/new-game.md")], re.MULTILINE | re.DOTALL
    )
    assert len(quoted) > len(sources)
    for kind, text in quoted:
        assert any(text in source.read_text("utf-8") for source in sources[kind]), text


def test_every_new_game_in_the_documents_can_start(pages: dict[Path, str]) -> None:
    shown = [
        (game, re.findall(r"--seat (\w+)=", words), f"{path}: {words}")
        for path, text in pages.items()
        for game, words in re.findall(r"^pbem new ([a-z-]+) ((?:.*\\\n)*.*)$", text, re.MULTILINE)
    ]
    assert any("--dice beacon" in words for _, _, words in shown)
    for key, seats, words in shown:
        game = known_game(key)
        position = game.start(game.lay_out(Setup(tuple(seats)), KeyedDealer(b"documents")))
        assert not isinstance(position, Verdict), f"{words}\n{position}"
