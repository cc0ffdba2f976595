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


def told(command: str) -> str:
    """What `pbem COMMAND --help` prints."""
    answer = CliRunner().invoke(make_app(command), [command, "--help"], prog_name="pbem", env={"COLUMNS": "80"})
    assert answer.exit_code == 0
    return answer.stdout


def section(page: str, command: str) -> re.Match[str]:
    """The block with the help of a command."""
    found = re.search(rf"^## pbem {command}\n\n```text\n(.*?)```$", page, re.MULTILINE | re.DOTALL)
    assert found, f"{command} has no section"
    return found


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    text = (root / PAGE).read_text("utf-8")
    if os.environ.get("REWRITE"):
        for command in COMMANDS:
            begin, end = section(text, command).span(1)
            text = text[:begin] + told(command) + text[end:]
        (root / PAGE).write_text(text, "utf-8")
    return text


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_quotes_the_help_of_every_command(page: str, command: str) -> None:
    assert section(page, command)[1] == told(command)


def test_the_page_has_the_commands_in_their_order_and_no_others(page: str) -> None:
    assert re.findall(r"^## pbem (\w+)$", page, re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_and_option_is_explained(command: str) -> None:
    lines = re.findall(r"^  (?:\[?[A-Z]+\]?(?:\.\.\.)?|-{1,2}\w.*?)(?:  +(.*))?$", told(command), re.MULTILINE)
    assert lines
    bare = [line for line in lines if not re.sub(r"\[.*?\]", "", line).strip()]
    assert not bare, told(command)


@pytest.mark.parametrize(("command", "summary"), COMMANDS.items())
def test_the_table_of_contents_has_each_first_line(command: str, summary: str) -> None:
    assert told(command).split("\n\n")[1].replace("\n", " ").strip() == summary
