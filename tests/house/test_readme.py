"""The README works as written: its two commands, and every example that a reader may type after it."""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

FENCE = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str, kind: str) -> list[str]:
    return [found["text"] for found in FENCE.finditer(page) if found["kind"] == kind]


def examples(page: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a page's console blocks, each with the lines printed under it."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *printed = part.rstrip("\n").split("\n")
            yield command, printed


def pattern(printed: list[str]) -> str:
    """What is printed, as an expression: ``…`` stands for anything, alone on a line for any lines."""
    lines = [r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in printed]
    return "".join(lines)


def test_the_readme_opens_with_two_commands_the_second_of_which_ci_runs_to_the_letter(root: Path) -> None:
    page = (root / "README.md").read_text("utf-8")
    first, second = (block.strip() for block in blocks(page, "sh")[:2])
    assert page.index(second) < 2000, "the commands stand at the top"
    assert "\n" not in first + second, "one line each"
    assert first.endswith("pbem demo")
    *_, last = (root / ".ci/run").read_text("utf-8").rstrip("\n").split("\n")
    assert last == second
    assert os.access(root / ".ci/run", os.X_OK)


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "docs/books.md",
        "docs/commands.md",
        "docs/exchange.md",
        "docs/new-game.md",
        "docs/refereeing.md",
        "docs/running-a-post.md",
    ],
)
def test_every_example_does_what_the_page_shows(root: Path, run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "examples").symlink_to(root / "examples")
    told = list(examples((root / name).read_text("utf-8")))
    assert told
    for command, printed in told:
        answer = run("bash", "-c", f"{{ {command}\n}} 2>&1", cwd=tmp_path)
        assert answer.returncode == 0, f"{command}\n{answer.stdout}"
        if printed:
            assert re.fullmatch(pattern(printed), answer.stdout), f"$ {command}\n{answer.stdout}"
