"""Compiled grammars are kept for the next start, privately, and their loss harms nobody."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from notation.lalr import grammar
from notation.lalr import grammar as saved
from notation.lalr.grammar import make_parser

GRAMMAR = 'start: "a" WORD\nWORD: /[b-z]+/\n%ignore " "\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    make_parser.cache_clear()
    return saved.cache_folder()


def reads() -> bool:
    make_parser.cache_clear()
    return make_parser(GRAMMAR, "start").parse("a b", "start", lambda rule, parts, _end: parts[0].text) == "b"


def test_what_was_kept_is_found_again(folder: Path) -> None:
    assert saved.load_tables("key") is None
    saved.save_tables("key", {"a": [1, "é"]})
    assert saved.load_tables("key") == {"a": [1, "é"]}
    assert saved.load_tables("other key") is None


def test_what_was_kept_under_another_key_is_not_taken(folder: Path) -> None:
    saved.save_tables("key", {"a": 1})
    [file] = folder.iterdir()
    saved.save_tables("other key", {"b": 2})
    [other] = set(folder.iterdir()) - {file}
    other.write_bytes(file.read_bytes())
    assert saved.load_tables("other key") is None


def test_nobody_else_can_open_the_folder(folder: Path) -> None:
    saved.save_tables("key", {})
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_others_could_write_to_is_not_trusted(folder: Path) -> None:
    saved.save_tables("key", {})
    folder.chmod(0o777)
    assert saved.load_tables("key") is None
    saved.save_tables("second key", {})
    folder.chmod(0o700)
    assert saved.load_tables("second key") is None


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\xff\xfe", b'{"actions": []}'])
def test_a_damaged_file_is_made_anew(folder: Path, damage: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reads()
    [file] = folder.iterdir()
    file.write_bytes(damage)
    assert reads()
    monkeypatch.setattr(grammar, "compile_tables", None)
    assert reads(), "what was made anew was not kept"


def test_a_file_changed_behind_our_back_is_made_anew(folder: Path) -> None:
    assert reads()
    [file] = folder.iterdir()
    file.write_text(file.read_text().replace("WORD", "WARD"))
    assert reads()


def test_a_place_that_cannot_be_written_harms_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(in_the_way))
    assert reads()


def test_a_user_without_a_home_harms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert reads()


READ = """
import sys
from notation import read_text, write_record
import notation
assert "lark" not in sys.modules, "importing the notation loads Lark"
[reading] = read_text(sys.stdin.read())
print(write_record(reading.record), end="")
print("lark" in sys.modules, file=sys.stderr)
"""


def test_lark_is_loaded_only_while_nothing_is_kept(tmp_path: Path) -> None:
    text = '[Game "through-the-desert"]\n\n1. red: leader lilac E4 {far}\n2. end: normal\n'
    told = []
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", READ],
            input=text,
            env={"XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout == text
        told.append(run.stderr.strip())
    assert told == ["True", "False"]
