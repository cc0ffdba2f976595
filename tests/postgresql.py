"""A PostgreSQL server for tests, in a folder of its own and reachable by a socket in it alone.

It flushes nothing less than a real one would. `initdb` refuses root, so root lets another user run it. Each test gets a
schema of its own: that is as good as a database of its own, and much quicker.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

USER: Final = "post"
_RUNS_AS: Final = "nobody"
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder with a random name is made in it


def find_programs() -> Path | None:
    """Where the newest server's programs are."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True)
    found = [folder for folder in folders if (folder / "initdb").exists()]
    on_path = shutil.which("initdb")
    return found[0] if found else Path(on_path).resolve().parent if on_path else None


def missing_postgresql() -> str:
    """Why no server can be started here; nothing, if it can."""
    if find_programs() is None:
        return "PostgreSQL is not installed"
    try:
        import psycopg  # noqa: F401 - only whether it is there
    except ImportError:
        return "psycopg is not installed"
    return ""


def databases() -> list[str]:
    """The databases that tests of the store run on."""
    return ["sqlite"] if missing_postgresql() else ["sqlite", "postgresql"]


@dataclass(slots=True)
class Server:
    """A server, which can be killed and started again."""

    folder: Path
    programs: Path
    options: tuple[str, ...] = ()
    process: "subprocess.Popen[bytes] | None" = None
    schemas: int = 0

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def url(self, schema: str = "") -> str:
        """The address of the database, or of one schema in it."""
        there = f"postgresql://{USER}@/postgres?host={quote(str(self.folder), safe='')}"
        return f"{there}&options=-csearch_path%3D{schema}" if schema else there

    def start(self) -> None:
        """Start it, and wait until it answers."""
        words = [
            str(self.programs / "postgres"),
            "-D",
            str(self.data),
            "-k",
            str(self.folder),
            "-c",
            "listen_addresses=",
        ]
        more = [word for option in self.options for word in ("-c", option)]
        self.folder.mkdir(exist_ok=True)
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([*words, *more], stdout=log, stderr=log, **as_other())
        end = time.monotonic() + 60
        while not self.answers():
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text("utf-8", "replace"))
            time.sleep(0.05)

    def answers(self) -> bool:
        """Whether somebody can connect."""
        import psycopg

        with suppress(psycopg.OperationalError), psycopg.connect(self.url()):
            return True
        return False

    def stop(self, how: int = 3) -> None:
        """End it: 15 lets clients end, 2 ends them, 3 is like a crash of the server."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(60)

    def new_schema(self) -> str:
        """The address of a schema that nothing is in."""
        import psycopg

        self.schemas += 1
        name = f"test_{os.getpid()}_{self.schemas}"
        with psycopg.connect(self.url(), autocommit=True) as driver:
            driver.execute(f'CREATE SCHEMA "{name}"')
        return self.url(name)

    def drop_schema(self, url: str) -> None:
        """Remove such a schema."""
        import psycopg

        name = url.rpartition("%3D")[2]
        with psycopg.connect(self.url(), autocommit=True) as driver, driver.cursor() as cursor:
            cursor.execute("SET client_min_messages = error")
            cursor.execute(f'DROP SCHEMA "{name}" CASCADE')


def as_other() -> dict[str, Any]:
    """Who runs the server: we, or somebody else if we are root."""
    return {"user": _RUNS_AS, "group": pwd.getpwnam(_RUNS_AS).pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}


@contextmanager
def run_server(*options: str) -> Iterator[Server]:
    """A server of its own, which is gone afterwards."""
    programs = find_programs()
    if programs is None:
        raise RuntimeError("PostgreSQL is not installed")
    above = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="caravan-", dir=above))
    server = Server(folder, programs, ("max_connections=60", "shared_buffers=32MB", *options))
    try:
        if os.geteuid() == 0:
            owner = pwd.getpwnam(_RUNS_AS)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        words = [
            str(programs / "initdb"),
            "-D",
            str(server.data),
            "-U",
            USER,
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-locale",
            "-N",
        ]
        subprocess.run(words, check=True, capture_output=True, cwd=folder, **as_other())
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
