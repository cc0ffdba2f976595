"""`pbem index` at the command line: what it says, what it drops, and that Ctrl-C loses nothing."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.pbem.catalogue.rows import rows, small

Pbem = Callable[..., Any]


def test_a_folder_is_followed_as_it_changes(pbem: Pbem, tmp_path: Path) -> None:
    folder, catalogue = tmp_path / "games", tmp_path / "c"
    (folder / "club").mkdir(parents=True)
    (folder / "a.turns").write_text(f"{small('0')}\n{small('1')}", "utf-8")
    (folder / "club" / "b.turns").write_text(small("2"), "utf-8")
    answer = pbem("index", folder, "--in", catalogue)
    assert answer.stdout == "3 games in 2 files: 3 legal, 0 refused, 0 unread\n3 new, 0 gone, 0 as before\n"
    (folder / "club" / "b.turns").rename(folder / "c.turns")
    (folder / "a.turns").write_text(small("1"), "utf-8")
    answer = pbem("index", folder, "--in", catalogue, "--quick")
    assert answer.stdout == "2 games in 2 files: 2 legal, 0 refused, 0 unread\n0 new, 1 gone, 2 as before\n"
    assert [row[0] for row in rows(catalogue)["files"]] == ["games/a.turns", "games/c.turns"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c", "games"], "nothing else is written"


def test_what_is_not_named_stays_as_it_is(pbem: Pbem, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.turns").write_text(small(name), "utf-8")
    pbem("index", tmp_path / "a.turns", tmp_path / "b.turns", "--in", tmp_path / "c")
    (tmp_path / "b.turns").unlink()
    assert pbem("index", tmp_path / "a.turns", "--in", tmp_path / "c").exit_code == 0
    assert len(rows(tmp_path / "c")["files"]) == 2
    pbem("index", tmp_path, "--in", tmp_path / "c")
    assert len(rows(tmp_path / "c")["files"]) == 1


def test_what_cannot_be_found_again_is_not_indexed(pbem: Pbem, tmp_path: Path) -> None:
    answer = pbem("index", "-", "--in", tmp_path / "c", given=small("0"))
    assert answer.exit_code == 1
    assert "only files can be found again" in answer.stderr
    assert pbem("index", "--in", tmp_path / "c").exit_code == 2
    assert pbem("index", tmp_path / "none.turns", "--in", tmp_path / "c").exit_code == 1


def test_ctrl_c_keeps_what_was_judged_and_the_same_command_goes_on(tmp_path: Path) -> None:
    text = small("0")
    for n in range(40):
        games = (text.replace("[Id ", f'[Event "{n} {number}"]\n[Id ', 1) for number in range(60))
        (tmp_path / f"{n:02}.turns").write_text("\n".join(games), "utf-8")
    catalogue = tmp_path / "c"
    words = [sys.executable, "-m", "pbem", "index", str(tmp_path), "--in", str(catalogue), "--jobs", "1"]
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell that runs the tests in the background lets them ignore Ctrl-C, and they would hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as started:
        deadline = time.monotonic() + 60
        while not _kept(catalogue) and time.monotonic() < deadline:
            time.sleep(0.01)
        os.killpg(started.pid, signal.SIGINT)
        _, err = started.communicate(timeout=60)
    assert started.returncode == 130, err
    assert "the same command goes on from here" in err
    kept = _kept(catalogue)
    assert 0 < kept < 2400
    out = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert out == (
        f"2,400 games in 40 files: 2,400 legal, 0 refused, 0 unread\n{2400 - kept:,} new, 0 gone, {kept:,} as before\n"
    )


def _kept(catalogue: Path) -> int:
    """How many games a catalogue holds, whoever writes to it."""
    try:
        database = sqlite3.connect(f"file:{catalogue}?mode=ro", uri=True, timeout=30)
        try:
            (number,) = database.execute("select count(*) from games").fetchone()
            return int(number)
        finally:
            database.close()
    except sqlite3.Error:
        return 0
