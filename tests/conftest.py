"""What many tests need: the house itself, its source files, and a way to run commands like a user."""

import os
import shutil
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

MAIL_HOSTS = Path(__file__).parent / "mailhosts"


def missing_mail_hosts() -> str:
    """Why the tests between real mail hosts cannot run here; nothing, if they can."""
    places = "/usr/sbin:/usr/local/sbin:/sbin:/usr/bin:/bin"
    missing = [name for name in ("postfix", "dovecot") if shutil.which(name, path=places) is None]
    if missing:
        return f"{' and '.join(missing)} not installed"
    return "" if os.geteuid() == 0 else "only root may start them"


def pytest_report_header() -> str:
    """Say at the top whether tests/mailhosts runs, so that nobody mistakes its absence for success."""
    why = missing_mail_hosts()
    if why and os.environ.get("CARAVAN_MAILHOSTS") == "required":
        raise pytest.UsageError(f"tests/mailhosts must run, but {why}")
    return f"mail hosts: tests/mailhosts is left out, {why}" if why else "mail hosts: Postfix and Dovecot take part"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave tests/mailhosts out where it cannot run."""
    return True if collection_path == MAIL_HOSTS and missing_mail_hosts() else None


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
