"""Whatever arrives instead of a record: one clear answer, no traceback, bounded time and memory."""

import re
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

Pbem = Callable[..., Any]

ON_RECORDS: list[list[str]] = [
    ["validate", "FILE"],
    ["replay", "FILE"],
    ["fmt", "FILE"],
    ["show", "FILE"],
    ["legal", "FILE"],
    ["perft", "FILE", "--depth", "1"],
    ["diff", "FILE", "FILE"],
]
"""Every command that reads records."""

SCRAPS = [
    b"(",
    b"{",
    b"[%state 0]",
    b'"',
    b"\n",
    b"\nundo: turn 3\n",
    b'\npause: "x"\n',
    b"\nend: agreed\n",
    b"\n\n[A ",
]
"""What does the most damage."""


@pytest.fixture(params=ON_RECORDS, ids=lambda words: words[0])
def ask(request: pytest.FixtureRequest, pbem: Pbem) -> Callable[[Path], Any]:
    """Run one of the commands on a file."""

    def call(path: Path) -> Any:
        answer = pbem(*(path if word == "FILE" else word for word in request.param))
        assert answer.exception is None or isinstance(answer.exception, SystemExit), answer.exception
        assert "Traceback" not in answer.output
        return answer

    return call


def only_line(answer: Any) -> str:
    """What was said, which must be one line (`diff` reads two files and may say it twice)."""
    assert answer.stdout == ""
    (line,) = set(answer.stderr.rstrip("\n").split("\n"))
    assert isinstance(line, str)
    return line


def test_a_missing_file(ask: Callable[[Path], Any], tmp_path: Path) -> None:
    answer = ask(tmp_path / "missing.turns")
    assert answer.exit_code == 2
    assert "no such file; check the name" in only_line(answer)


def test_a_folder(ask: Callable[[Path], Any], tmp_path: Path) -> None:
    answer = ask(tmp_path)
    assert answer.exit_code == 2
    assert re.search("is a folder(; name the record files in it| without record files)", only_line(answer))
    assert not list(tmp_path.iterdir())


def test_a_binary_file(ask: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 300)
    answer = ask(path)
    assert answer.exit_code == 1
    assert "not a text file" in only_line(answer)


def test_an_empty_file(ask: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "empty.turns"
    path.write_text("\n\n")
    answer = ask(path)
    assert answer.exit_code == 1
    assert "holds no game" in only_line(answer)


def test_bytes_that_are_not_utf8(ask: Callable[[Path], Any], file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b'"Red"', b'"Andr\xe9"'))
    answer = ask(file)
    assert answer.exit_code == 1
    assert "NT-F1" in answer.stdout
    assert "byte e9" in answer.stdout


def test_a_line_of_fifty_megabytes(ask: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "long.turns"
    path.write_bytes(b"[Id " + b"x" * 50_000_000)
    tracemalloc.start()
    begun = time.monotonic()
    answer = ask(path)
    taken, (_, peak) = time.monotonic() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert answer.exit_code == 1
    assert "NT-F3" in answer.stdout
    assert peak < 10_000_000
    assert taken < 20


@pytest.mark.parametrize("text", ["(" * 100_000, "13. red: lilac F4 " + "(13. red: lilac F5 " * 30_000, "{" * 100_000])
def test_a_hundred_thousand_brackets(ask: Callable[[Path], Any], tmp_path: Path, text: str) -> None:
    path = tmp_path / "nested.turns"
    path.write_text('[Game "through-the-desert"]\n\n' + "\n".join([text[:60_000], text[60_000:]]) + "\n")
    begun = time.monotonic()
    answer = ask(path)
    assert time.monotonic() - begun < 20
    assert answer.exit_code == 1
    assert "NT-" in answer.stdout


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [("through-the-desert", "through-the-dessert", "RC-G1"), ('[Rules "1"]', '[Rules "99"]', "RC-G2")],
)
def test_an_unknown_game_or_edition(pbem: Pbem, file: Path, old: str, new: str, code: str) -> None:
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    for command in ("validate", "replay", "show", "legal"):
        answer = pbem(command, file)
        assert answer.exit_code == 1
        assert f": {code} " in answer.stdout
    before = sorted(file.read_text("utf-8").split("\n"))
    assert pbem("fmt", file).exit_code == 0
    assert sorted(file.read_text("utf-8").split("\n")) == before


def test_records_damaged_at_random_never_raise(pbem: Pbem, file: Path) -> None:
    chance, whole = Random(5), file.read_bytes()
    for _ in range(120):
        data = bytearray(whole)
        for _ in range(chance.choice([1, 2, 5, 30])):
            at, size = chance.randrange(len(data)), chance.randrange(1, 40)
            pieces = [b"", bytes([chance.randrange(1, 256)]), bytes(data[at - size : at]), chance.choice(SCRAPS)]
            data[at : at + chance.choice([0, 1, size])] = chance.choice(pieces)
        words = chance.choice(
            [["validate", "-"], ["replay", "-"], ["fmt", "-"], ["legal", "-"], ["diff", "-", str(file)]]
        )
        answer = pbem(*words, given=bytes(data))
        assert answer.exception is None or isinstance(answer.exception, SystemExit), bytes(data)
        assert answer.exit_code in (0, 1)


def test_nothing_in_a_record_can_steer_the_terminal(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    named, evil = tmp_path / "named.turns", tmp_path / "evil.turns"
    named.write_text(file.read_text("utf-8").replace('"Red"', r'"\u001b[2J"'), "utf-8")
    evil.write_text(named.read_text("utf-8").replace('"through-the-desert"', r'"\u001b]0;mine\u0007"'), "utf-8")
    for words in (["validate"], ["replay"], ["show"], ["legal"], ["replay", "--json"], ["diff", file]):
        assert pbem(*words, named).exit_code == 0
        assert pbem(*words, evil).exit_code == 1
        assert "\x1b" not in pbem(*words, named).output + pbem(*words, evil).output


def test_a_bad_file_does_not_keep_the_next_from_being_judged(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    answer = pbem("validate", tmp_path / "missing.turns", tmp_path / "empty", file)
    assert answer.exit_code == 2
    assert answer.stderr.count("\n") == 2
    assert answer.stdout.startswith("legal: ")


@pytest.mark.parametrize("words", [["validate"], ["nonsense"], ["show", "-", "--at", "x"], ["perft", "-"]])
def test_misuse_says_how_to_get_help(pbem: Pbem, words: list[str]) -> None:
    answer = pbem(*words)
    assert answer.exit_code == 2
    assert "--help" in answer.stderr
