"""Commands on several cores: the same findings in the same order, sums, refused games, and Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.through_the_desert import GAME
from notation import write_record
from pbem.archive import seams, workers
from pbem.cli.sample import make

Pbem = Callable[..., Any]


@pytest.fixture(scope="module")
def heap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two files of 60 games, some refused, some unreadable, some quoted in a comment."""
    folder = tmp_path_factory.mktemp("heap")
    games = [write_record(make(GAME, 2 + n % 3, str(n))) for n in range(12)]
    games[3] = games[3].replace("\n5. ", "\n6. ", 1)
    games[7] = games[7].replace("\n9. ", "\n9. nobody knows ", 1)
    games[8] += f"{{\n\n{games[0]}\n}}\n"
    (folder / "a.turns").write_text("\n".join(games * 5), "utf-8")
    (folder / "b.turns").write_text("\n".join(reversed(games * 5)), "utf-8")
    (folder / "c.turns").write_text("\n", "utf-8")
    return folder


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut finely, so that a small heap is enough for several processes."""
    monkeypatch.setattr(seams.cut, "__defaults__", (9000,))
    monkeypatch.setattr(seams.gather, "__defaults__", (9000,))


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    "words", [("validate",), ("validate", "--json"), ("validate", "--json-lines"), ("validate", "--summary"),
              ("replay", "--to", "3"), ("replay", "--to", "2", "--json"), ("verify",), ("fmt", "--check")]
)  # fmt: skip
def test_two_cores_say_what_one_says(pbem: Pbem, heap: Path, words: tuple[str, ...]) -> None:
    one = pbem(*words, heap, "--jobs", "1")
    two = pbem(*words, heap, "--jobs", "2")
    assert one.exit_code == 1
    assert "c.turns" in one.stderr
    assert (two.stdout, two.stderr, two.exit_code) == (one.stdout, one.stderr, one.exit_code)


@pytest.mark.usefixtures("small_pieces")
def test_several_processes_really_take_part(pbem: Pbem, heap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    start = workers._Pool.start

    def watch(pool: Any, function: Any, each: Any) -> Any:
        begun.append(each)
        return start(pool, function, each)

    monkeypatch.setattr(workers._Pool, "start", watch)
    pbem("validate", heap, "--jobs", "2")
    assert len(begun) > 10


@pytest.mark.usefixtures("small_pieces")
def test_a_process_that_dies_changes_nothing(pbem: Pbem, heap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = pbem("validate", heap, "--jobs", "1")
    here = os.getpid()
    find = seams._work_on_piece

    def die(work: Any, keep: bool, piece: Any) -> Any:
        if os.getpid() != here and piece.begin > 20_000:
            os.kill(os.getpid(), signal.SIGKILL)
        return find(work, keep, piece)

    monkeypatch.setattr(seams, "_work_on_piece", die)
    answer = pbem("validate", heap, "--jobs", "2")
    assert (answer.stdout, answer.exit_code) == (expected.stdout, expected.exit_code)


def test_a_summary_counts_refusals_by_rule_with_the_first_place(pbem: Pbem, heap: Path) -> None:
    *sums, games, warnings = pbem("validate", heap, "--summary").stdout.splitlines()
    told = pbem("validate", heap).stdout
    assert len(sums) == 2
    for line in sums:
        number, code, name, _, first = line.split()
        assert number == "10"
        assert f"{first}: {code} {name}\n" in told
        assert told.index(f" {code} {name}\n") == told.index(f"{first}: ") + len(first) + 1, "it is the first one"
    assert games == "120 games, 20 refused"
    assert warnings == "99 warnings"


def test_refused_games_can_be_mended_and_judged_again(pbem: Pbem, heap: Path, tmp_path: Path) -> None:
    refused = tmp_path / "refused.turns"
    answer = pbem("validate", heap, "--refused-to", refused, "--json")
    codes = [each["code"] for each in json.loads(answer.stdout)["results"]]
    assert len(codes) == 20
    again = pbem("validate", refused, "--json")
    assert [each["code"] for each in json.loads(again.stdout)["results"]] == codes
    text = refused.read_text("utf-8")
    assert text.startswith(f"{{{heap}/a.turns:")
    mended = text.replace("\n6. ", "\n5. ", 1).replace("nobody knows ", "")
    refused.write_text(mended, "utf-8")
    assert "20 games, 9 refused\n" in pbem("validate", refused).stdout


def test_lines_of_json_end_with_the_totals(pbem: Pbem, heap: Path) -> None:
    *results, totals = map(json.loads, pbem("validate", heap, "--json-lines").stdout.splitlines())
    assert len(results) == 20
    assert (totals["games"], totals["refused"]) == (120, 20)


def test_ctrl_c_tells_what_was_done_and_keeps_the_refused_games(heap: Path, tmp_path: Path) -> None:
    long = tmp_path / "long.turns"
    long.write_text((heap / "a.turns").read_text("utf-8") * 40, "utf-8")
    refused = tmp_path / "refused.turns"
    options = ["--refused-to", str(refused), "--jobs", "2", "--summary"]
    words = [sys.executable, "-m", "pbem", "validate", str(long), *options]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as started:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".refused*")) and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(started.pid, signal.SIGINT)
        out, err = started.communicate(timeout=60)
    assert started.returncode == 130, err
    assert err.startswith("pbem: stopped after ")
    assert err.count("\n") == 1
    counted = next(int(line.split(", ")[1].split()[0]) for line in out.splitlines() if " games, " in line)
    assert 0 < counted < 400
    assert f"{counted} refused games written to {refused}\n" in out
    assert refused.read_text("utf-8").count(f"{{{long}:") == counted
