"""The linter, the formatter and the type checker have nothing to say."""

import subprocess
import sys
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["ruff", "check", "."], id="ruff check"),
        pytest.param(["ruff", "format", "--check", "."], id="ruff format"),
        pytest.param(["mypy"], id="mypy"),  # pyproject.toml says how strictly, and that tests and guest are checked too
    ],
)
def test_has_nothing_to_say(run: Run, words: list[str]) -> None:
    answer = run(sys.executable, "-m", *words)
    assert answer.returncode == 0, answer.stdout + answer.stderr
