"""What many tests need: the house itself, its source files, and a way to run commands like a user."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

Run = Callable[..., subprocess.CompletedProcess[str]]

# No deadline: a busy machine must not make a sound test fail. No database: a run leaves nothing behind.
settings.register_profile("house", deadline=None, database=None)
settings.load_profile("house")


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the project."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def files(root: Path) -> list[Path]:
    """Every file of the project, relative to the top: all that git keeps or would keep."""
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(asked, cwd=root, capture_output=True, text=True, check=True)
    return sorted(Path(name) for name in listed.stdout.split("\0") if name and (root / name).is_file())


@pytest.fixture(scope="session")
def run(root: Path) -> Run:
    """Run a program of the test's own environment; the tests' Python comes first on the path."""

    def call(*words: str, cwd: Path = root, given: str = "") -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        plain = {**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "110", "PYTHONUTF8": "1"}
        return subprocess.run(words, cwd=cwd, env=plain, input=given, capture_output=True, text=True, check=False)

    return call
