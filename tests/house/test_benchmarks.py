"""The benchmarks run from end to end and print their table; how fast things are is not a test's business."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

TINY = ("--quick", "--rounds", "1")
PARTS = (
    "reading",
    "judging",
    "listing",
    "nomadi",
    "turns",
    "throws",
    "brotherhood",
    "boards",
    "start",
    "memory",
    "tables",
)


@pytest.fixture(scope="module")
def rows(run: Run) -> list[dict[str, Any]]:
    parts = [word for part in PARTS for word in ("--only", part)]
    answer = run(sys.executable, "benchmarks/run", *TINY, *parts, "--json")
    assert answer.returncode == 0, answer.stderr
    found: list[dict[str, Any]] = json.loads(answer.stdout)["rows"]
    return found


def test_every_target_is_measured(rows: list[dict[str, Any]]) -> None:
    targets = {(row["what"].partition(",")[0], row["target"]) for row in rows if row["target"]}
    assert targets == {
        ("read + judge + apply records", ">= 3x"),
        ("judge + apply prepared plies", ">= 3x, aim 5x"),
        ("random playouts", ">= 3x"),
        ("legal", ">= 1.2x"),
        ("pbem --help", "<= 1.2x"),
        *((f"pbem {command}", "<= 3x") for command in ("status", "send", "tick")),
        ("pbem validate", "<= 1.5x"),
        ("peak memory of validate", "<= 100 MB"),
        ("idle look at the clocks", "<= 2x"),
        ("summary of `pbem status`", "<= 2x"),
    }
    assert all((row["met"] is None) == (row["target"] is None) for row in rows)


def test_figures_are_positive_and_ratios_lie_within_their_rounds(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert row["ours"] > 0, row
        assert row["theirs"] is None or row["theirs"] > 0, row
        if row["ratio"] is not None:
            # One round was run, so the best ratio is the only one there is.
            assert row["ratio"]["low"] == row["ratio"]["high"] == pytest.approx(row["ratio"]["best"]), row


def test_the_table_for_readers_has_a_line_for_each_row_asked_for(run: Run) -> None:
    answer = run(sys.executable, "benchmarks/run", *TINY, "--only", "judging")
    assert answer.returncode == 0, answer.stderr
    about, blank, headers, ruler, *lines = answer.stdout.splitlines()
    assert "chess" in about
    assert [cell.strip() for cell in headers.strip("|").split("|")] == [
        *("what", "ours", "peer", "ratio", "single rounds", "target", "met?")
    ]
    assert not blank
    assert set(ruler) == set("| -")
    assert [line.split("|")[1].strip() for line in lines] == ["judge + apply prepared plies"]


def test_the_post_is_measured_beside_the_disk_and_beside_postfix_where_there_is_one(run: Run) -> None:
    answer = run(sys.executable, "benchmarks/run", *TINY, "--only", "post", "--json")
    assert answer.returncode == 0, answer.stderr
    found = json.loads(answer.stdout)["rows"]
    assert all(row["ours"] > 0 and row["theirs"] > 0 for row in found)
    peers = {row["peer"]: row["target"] for row in found}
    if "no Postfix" in answer.stderr:
        assert peers == {"bare commits": None}
    else:
        targets = [row["target"] for row in found if row["peer"] == "Postfix accepts, on one core"]
        assert targets == [">= 1x", ">= 3x", None]
        assert [row["what"] for row in found if row["unit"] == "pictures/s"] == ["bare pictures, packed and committed"]
        assert peers["Postfix accepts, on all cores"] is None
        carried = [row["what"] for row in found if row["peer"] == "Postfix accepts such mails, on one core"]
        assert carried == ["mails written, every seat told", "mails written, only the next player told"]
    assert len({row["what"] for row in found if row["unit"] == "letters/s"}) == 2
