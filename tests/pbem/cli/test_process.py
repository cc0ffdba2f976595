"""`pbem` as a process among others: pipes, Ctrl-C, colours, standard streams, what it loads."""

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

PBEM = [sys.executable, "-m", "pbem"]
SAMPLE = ["sample", "through-the-desert", "--seats", "4", "--seed", "3"]


def on_a_terminal(*words: str, cwd: Path, **settings: str) -> str:
    """What a command writes when all its streams are a terminal."""
    ours, theirs = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = subprocess.Popen(
        [*PBEM, *words], cwd=cwd, stdout=theirs, stderr=theirs, env={**plain, "TERM": "xterm", **settings}
    )
    os.close(theirs)
    written = b""
    try:
        while chunk := os.read(ours, 4096):
            written += chunk
    except OSError:
        pass  # the terminal is gone with its last writer
    process.wait()
    os.close(ours)
    return written.decode()


def test_sample_into_validate_is_a_pipeline(root: Path) -> None:
    first = subprocess.Popen([*PBEM, *SAMPLE], cwd=root, stdout=subprocess.PIPE)
    second = subprocess.run([*PBEM, "validate", "-"], cwd=root, stdin=first.stdout, capture_output=True, check=False)
    assert (second.returncode, second.stderr) == (0, b"")
    assert first.wait() == 0


def test_a_reader_that_has_seen_enough_ends_us_without_a_word(root: Path) -> None:
    words = [*SAMPLE, "--games", "40"]
    writer = subprocess.Popen([*PBEM, *words], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert writer.stdout is not None
    assert writer.stderr is not None
    assert writer.stdout.readline() == b'[Format "1"]\n'
    writer.stdout.close()
    assert writer.wait() == -signal.SIGPIPE
    assert writer.stderr.read() == b""
    writer.stderr.close()


FULL = Path("/dev/full")
"""A disk on which there never is any room."""


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],  # a line that stays in the buffer until the very end
        ["games", "--json"],
        ["replay", "examples/sirocco.turns"],
        ["show", "examples/sirocco.turns"],
        [*SAMPLE, "--games", "3"],  # more than any buffer holds
        [*SAMPLE, "-o", str(FULL)],
        ["fmt", "-"],
    ],
    ids=" ".join,
)
def test_a_full_disk_is_told_in_one_line(root: Path, words: list[str]) -> None:
    record = (root / "examples/sirocco.turns").read_bytes()
    with FULL.open("wb") as full:
        answer = subprocess.run(
            [*PBEM, *words], cwd=root, input=record, stdout=full, stderr=subprocess.PIPE, check=False
        )
    (line,) = answer.stderr.decode().splitlines()
    assert line.endswith("; no space left on device")
    assert answer.returncode == 2


def test_output_that_nobody_wants_is_not_missed(root: Path) -> None:
    line = f"{sys.executable} -m pbem games >&-"
    answer = subprocess.run(["/bin/sh", "-c", line], cwd=root, capture_output=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, b"")


def test_ctrl_c_ends_us_without_a_traceback(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "archive.turns"
    process = subprocess.Popen(
        [*PBEM, *SAMPLE, "--games", "100000", "-o", str(target)],
        cwd=root,
        stderr=subprocess.PIPE,
        # A shell that runs the tests in the background lets them ignore Ctrl-C, and they would hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not target.exists():
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"Traceback" not in told


def test_colours_are_for_terminals_only_and_can_be_declined(root: Path, run: Run) -> None:
    refused = "tests/refused/record/RC-T1.turns"
    assert "\x1b[" in on_a_terminal("validate", refused, cwd=root)
    assert "\x1b[" not in on_a_terminal("validate", refused, cwd=root, NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal("validate", refused, cwd=root, TERM="dumb")
    assert "\x1b" not in run(*PBEM, "validate", refused).stdout


def test_output_is_utf8_whatever_the_locale_says(root: Path) -> None:
    settings = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    answer = subprocess.run([*PBEM, "rule", "TD-C3"], cwd=root, env=settings, capture_output=True, check=True)
    assert "wielbłądów" in answer.stdout.decode("utf-8")


@pytest.mark.parametrize("words", [["--game", "1"], ["--seat", "red"], ["--nonsense"], []])
def test_what_the_quick_validate_does_not_know_is_left_to_the_whole_command(run: Run, words: list[str]) -> None:
    answer = run(*PBEM, "validate", *words)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr


def test_the_version_is_told(root: Path, run: Run) -> None:
    answer = run(*PBEM, "--version")
    assert answer.returncode == 0
    assert answer.stdout.startswith("caravan-post")


@pytest.mark.parametrize(
    ("words", "unwanted"),
    [
        (["--help"], ("engine", "notation", "rich", "lark", "jinja2", "json", "importlib.metadata")),
        (["validate", "-"], ("typer", "rich", "lark", "jinja2", "resvg_py", "importlib.metadata", "pbem.render")),
        (["rule", "TD-C3"], ("notation", "rich", "lark", "jinja2", "pbem.render")),
    ],
)
def test_a_command_loads_only_what_it_needs(root: Path, run: Run, words: list[str], unwanted: tuple[str, ...]) -> None:
    script = (
        "import sys\nfrom pbem.cli import main\n"
        f"sys.argv = ['pbem', *{words!r}]\n"
        "try:\n    main()\nfinally:\n    sys.stderr.write(' '.join(sys.modules))"
    )
    record = (root / "tests/refused/record/RC-R3.turns").read_text("utf-8")
    answer = run(sys.executable, "-c", script, given=record)
    loaded = set(answer.stderr.split())
    assert "pbem.cli" in loaded
    assert loaded & set(unwanted) == set()
