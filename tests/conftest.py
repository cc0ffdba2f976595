"""What many tests need: the project, its source files, a way to run commands like a user, and which tests are slow."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.browser.chromium import PROGRAM
from tests.post.power.recorded_disk import NoWayInError, library
from tests.postgresql import Server, missing_postgresql, run_server

Run = Callable[..., subprocess.CompletedProcess[str]]

# No deadline: a busy machine must not make a sound test fail. No database: a run leaves nothing behind.
settings.register_profile("project", deadline=None, database=None)
settings.load_profile("project")

HERE = Path(__file__).parent
MAIL_HOSTS = HERE / "mailhosts"
BROWSER = HERE / "pbem" / "mail" / "writing" / "test_browser.py"
VIEWER = HERE / "pbem" / "web" / "test_viewer.py"
POWER = HERE / "post" / "power"
SERVERS = HERE / "servers"
SLOW = [line for line in (HERE / "slow.txt").read_text("utf-8").splitlines() if line and not line.startswith("#")]
"""Folders, files and single tests that the fast lane leaves out."""


def missing_mail_hosts() -> str:
    """Why the tests between real mail hosts cannot run here; nothing, if they can."""
    places = "/usr/sbin:/usr/local/sbin:/sbin:/usr/bin:/bin"
    missing = [name for name in ("postfix", "dovecot") if shutil.which(name, path=places) is None]
    if missing:
        return f"{' and '.join(missing)} not installed"
    return "" if os.geteuid() == 0 else "only root may start them"


def missing_browser() -> str:
    """Why no mail can be looked at in a browser; nothing, if it can."""
    return "Chromium is not installed" if PROGRAM is None else ""


def missing_disk() -> str:
    """Why it cannot be recorded what a database asks of its disk; nothing, if it can."""
    try:
        library()
    except NoWayInError:
        return "the SQLite of this Python cannot be reached"
    return ""


def pytest_report_header() -> list[str]:
    """Say at the top what does not run, so that its absence is not mistaken for success."""
    return [
        _report("mail hosts", MAIL_HOSTS, missing_mail_hosts(), "CARAVAN_MAILHOSTS", "Postfix and Dovecot take part"),
        _report("browser", BROWSER, missing_browser(), "CARAVAN_BROWSER", "Chromium looks at mails and pages"),
        _report("disk", POWER, missing_disk(), "CARAVAN_POWER", "power cuts are tried"),
        _report("server", SERVERS, missing_postgresql(), "CARAVAN_POSTGRES", "PostgreSQL keeps posts too"),
    ]


def _report(what: str, tests: Path, why: str, required: str, here: str) -> str:
    where = tests.relative_to(HERE.parent)
    if why and os.environ.get(required) == "required":
        raise pytest.UsageError(f"{where} must run, but {why}")
    return f"{what}: {where} is left out, {why}" if why else f"{what}: {here}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what slow.txt lists, so that `pytest -m "not slow"` is a fast lane."""
    for item in items:
        name = item.nodeid.partition("[")[0]
        if any(name == entry or name.startswith((f"{entry}/", f"{entry}::")) for entry in SLOW):
            item.add_marker(pytest.mark.slow)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what cannot run here; and in the fast lane do not even import what is slow."""
    if config.option.markexpr == "not slow" and collection_path.relative_to(config.rootpath).as_posix() in SLOW:
        return True
    missing = {
        MAIL_HOSTS: missing_mail_hosts,
        BROWSER: missing_browser,
        VIEWER: missing_browser,
        POWER: missing_disk,
        SERVERS: missing_postgresql,
    }.get(collection_path)
    return True if missing is not None and missing() else None


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


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server for the tests of this process. It is started when the first of them wants it."""
    with run_server() as started:
        yield started


@pytest.fixture
def server_url(server: Server) -> Iterator[str]:
    """The address of an empty database on it, as good as one."""
    url = server.new_schema()
    yield url
    server.drop_schema(url)
