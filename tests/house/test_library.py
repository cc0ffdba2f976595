"""The page about the library: every example runs and prints what stands under it, and the public names are there."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run

PAGE = "docs/library.md"
EXAMPLE = re.compile(
    r"^## (?P<title>.+?)\n(?:(?!^## ).)*?^```python\n(?P<code>.*?)^```\n\n```text\n(?P<printed>.*?)^```$", re.M | re.S
)
PUBLIC = ("engine", "notation", "pbem.contract", "pbem.judging", "pbem.render")
TITLES = ("Replay a record", "Judge a move", "List legal moves", "Draw a board", "Play a game with a bot")


def examples() -> dict[str, re.Match[str]]:
    page = (Path(__file__).parents[2] / PAGE).read_text("utf-8")
    return {found["title"]: found for found in EXAMPLE.finditer(page)}


@pytest.mark.parametrize("title", TITLES)
def test_an_example_prints_what_stands_under_it(root: Path, run: Run, tmp_path: Path, title: str) -> None:
    (tmp_path / "examples").symlink_to(root / "examples")
    told = run(sys.executable, "-c", examples()[title]["code"], cwd=tmp_path)
    assert told.stderr == ""
    assert told.stdout == examples()[title]["printed"]


def test_every_example_has_its_test_and_ten_lines_are_enough() -> None:
    found = examples()
    assert tuple(found) == TITLES
    for title, example in found.items():
        lines = [line for line in example["code"].splitlines() if line and not line.startswith(("from ", "import "))]
        assert len(lines) <= 10, title


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_can_be_imported_and_says_what_it_is(root: Path, name: str) -> None:
    package = importlib.import_module(name)
    assert f"`{name}`" in (root / PAGE).read_text("utf-8")
    assert sorted(package.__all__) == sorted(set(package.__all__))
    for each in package.__all__:
        assert getattr(package, each) is not None
    with pytest.raises(AttributeError):
        _ = package.no_such_name


def test_a_package_with_lazy_names_loads_none_of_them_before_they_are_used() -> None:
    question = "import sys, pbem.judging; print(*[name for name in sys.modules if name.startswith('pbem.judging.')])"
    told = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == ""
