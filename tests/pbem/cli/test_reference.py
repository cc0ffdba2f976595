"""The reference of commands says what the commands say.

After a change of some help text, `REWRITE=1 python -m pytest tests/pbem/cli/test_reference.py` brings the page
up to date.
"""

import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import COMMANDS, make_app

PAGE = Path("docs/commands.md")


def sub_commands(command: str) -> list[str]:
    """The names of the sub-commands of a command; none if it has none."""
    return [
        each.name or each.callback.__name__
        for group in make_app(command).registered_groups
        if group.typer_instance is not None
        for each in group.typer_instance.registered_commands
        if each.callback is not None
    ]


NAMES = [name for command in COMMANDS for name in (command, *(f"{command} {each}" for each in sub_commands(command)))]
"""Everything that has help of its own: ``case``, ``case list``, ``case show`` …"""


def told(name: str) -> str:
    """What `pbem NAME --help` prints."""
    words = name.split()
    answer = CliRunner().invoke(make_app(words[0]), [*words, "--help"], prog_name="pbem", env={"COLUMNS": "80"})
    assert answer.exit_code == 0
    return answer.stdout


def section(page: str, name: str) -> re.Match[str]:
    """The block with the help of a command."""
    level = "#" * (1 + len(name.split()))
    found = re.search(rf"^{level} pbem {name}\n\n```text\n(.*?)```$", page, re.MULTILINE | re.DOTALL)
    assert found, f"{name} has no section"
    return found


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    text = (root / PAGE).read_text("utf-8")
    if os.environ.get("REWRITE"):
        for name in NAMES:
            begin, end = section(text, name).span(1)
            text = text[:begin] + told(name) + text[end:]
        (root / PAGE).write_text(text, "utf-8")
    return text


@pytest.mark.parametrize("name", NAMES)
def test_the_page_quotes_the_help_of_every_command(page: str, name: str) -> None:
    assert section(page, name)[1] == told(name)


def test_the_page_has_the_commands_in_their_order_and_no_others(page: str) -> None:
    assert re.findall(r"^##+ pbem ([\w -]+)$", page, re.MULTILINE) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_argument_and_option_is_explained(name: str) -> None:
    _, *lists = re.split(r"^(?:Arguments|Options):$", told(name), flags=re.MULTILINE)
    lines = re.findall(r"^  (?:\[?[A-Z]+\]?(?:\.\.\.)?|-{1,2}\w.*?)(?:  +(.*))?$", "".join(lists), re.MULTILINE)
    assert lines
    bare = [line for line in lines if not re.sub(r"\[.*?\]", "", line).strip()]
    assert not bare, told(name)


@pytest.mark.parametrize(("command", "summary"), COMMANDS.items())
def test_the_table_of_contents_has_each_first_line(command: str, summary: str) -> None:
    assert told(command).split("\n\n")[1].replace("\n", " ").strip() == summary


@pytest.mark.parametrize("command", ["case", "quarantine", "beacon"])
def test_options_of_one_sub_command_are_not_in_the_help_of_another(command: str) -> None:
    shown = {name: set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", told(name), re.MULTILINE)) for name in NAMES}
    assert shown[command] == {"--help"}
    assert "--play" in shown["case rule"]
    assert all("--play" not in options for name, options in shown.items() if name != "case rule")
