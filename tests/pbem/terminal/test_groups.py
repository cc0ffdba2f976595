"""Groups of sub-commands: `list` is the default, and options may stand before the name of a sub-command."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from pbem.terminal.groups import JsonErrorGroup, list_group


@pytest.fixture
def app() -> typer.Typer:
    """`try fruit`, with `list` and `eat NAME`."""
    fruit = list_group("Fruit.")

    @fruit.command("list")
    def show_all(*, json: bool = False) -> None:
        typer.echo(f"all {json}")

    @fruit.command()
    def eat(name: str, *, why: str = "", output: Path = typer.Option(Path(), "-o")) -> None:  # noqa: B008 - typer's
        typer.echo(f"{name} {why} {output}")

    whole = typer.Typer(cls=JsonErrorGroup, add_completion=False, rich_markup_mode=None)
    whole.callback()(lambda: None)
    whole.add_typer(fruit, name="fruit")
    return whole


def call(app: typer.Typer, line: str) -> Any:
    return CliRunner().invoke(app, line.split())


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("fruit", "all False"),
        ("fruit --json", "all True"),
        ("fruit list --json", "all True"),
        ("fruit --json list", "all True"),
        ("fruit eat fig", "fig  ."),
        ("fruit --why list eat fig", "fig list ."),
        ("fruit --why=list eat fig", "fig list ."),
        ("fruit -o list eat fig", "fig  list"),
        ("fruit -olist eat fig", "fig  list"),
        ("fruit eat eat", "eat  ."),
        ("fruit eat list --why eat", "list eat ."),
    ],
)
def test_the_sub_command_is_found_wherever_it_stands(app: typer.Typer, line: str, says: str) -> None:
    answer = call(app, line)
    assert (answer.exit_code, answer.stdout) == (0, f"{says}\n")


def test_help_is_that_of_the_group_or_of_the_sub_command(app: typer.Typer) -> None:
    assert "Fruit." in call(app, "fruit --help").stdout
    for line in ("fruit eat --help", "fruit --help eat"):
        assert "NAME" in call(app, line).stdout


@pytest.mark.parametrize("line", ["fruit peel", "fruit eat", "fruit --why", "fruit --nonsense", "fruit list --why x"])
def test_what_is_not_understood_is_misuse_in_json_too(app: typer.Typer, line: str) -> None:
    answer = call(app, line)
    assert (answer.exit_code, answer.stdout) == (2, "")
    answer = call(app, f"{line} --json")
    assert answer.exit_code == 2
    assert len(json.loads(answer.stdout)["problems"]) == 1
