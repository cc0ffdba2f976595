"""Kept posts of yesterday, each unpacked for a test and run in this process."""

import gc
import io
import json
import logging
import signal
import sys
import tarfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pbem.cli import main
from tests.yesterday.correspondence import Post

HERE = Path(__file__).parent
KEPT = sorted(path.parent for path in HERE.glob("*/post.tar.xz"))


def run_here(*words: str, given: bytes = b"") -> tuple[str, int]:
    """`pbem` in this process, which is left as it was."""
    printed, code = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), 0
    handlers, level, piped = [*logging.root.handlers], logging.root.level, signal.getsignal(signal.SIGPIPE)
    typed, given_here = ["pbem", *words], io.TextIOWrapper(io.BytesIO(given))
    logging.root.handlers.clear()  # others may have left one whose stream is closed
    with patch.multiple(sys, argv=typed, stdin=given_here, stdout=printed, stderr=printed):
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        finally:
            logging.root.handlers[:] = handlers
            logging.root.setLevel(level)
            signal.signal(signal.SIGPIPE, piped)
            gc.unfreeze()
    printed.flush()
    return printed.buffer.getvalue().decode("utf-8"), code


class Kept(Post):
    """A post of yesterday, unpacked."""

    def file(self, name: str) -> str:
        """The path of a kept file, as an argument of a command."""
        return str(self.folder / name)

    def json(self, name: str) -> Any:
        """What a kept file holds."""
        return json.loads((self.folder / name).read_text("utf-8"))

    def old_record(self, table: str) -> str:
        """The record of a table as it was printed when the post was kept."""
        return (self.folder / "records" / f"{table}.turns").read_text("utf-8")

    def check(self, *words: str) -> dict[str, Any]:
        """Run a command that needs no post, and must find everything right."""
        printed, code = self.run(*words, "--json")
        assert code == 0, printed
        told: dict[str, Any] = json.loads(printed)
        return told

    def verify(self, folder: Path, log: Path) -> dict[str, Any]:
        """Check all records of a folder against all mailboxes, the published key and the log."""
        boxes = [word for box in sorted((self.folder / "mailboxes").iterdir()) for word in ("--mbox", str(box))]
        records = [str(path) for path in sorted(folder.glob("*.turns"))]
        told = self.check("verify", *records, *boxes, "--key", self.file("post.pub"), "--log", str(log))
        assert told["believed"] == told["records"] == len(records)
        assert all(result["mails_about"] for result in told["results"])
        return {result["game"]: result for result in told["results"]}


@pytest.fixture(params=KEPT, ids=lambda folder: folder.name)
def post(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    with tarfile.open(request.param / "post.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    kept = Kept(tmp_path, run_here)
    kept.look()
    return kept
