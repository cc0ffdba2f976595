"""`pbem resume`: a line of a record, and a record of a line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Pbem = Callable[..., Any]


def test_there_and_back_and_on(pbem: Pbem, root: Path, tmp_path: Path) -> None:
    source, out = root / "examples/sirocco.turns", tmp_path / "on.turns"
    line = pbem("resume", source).stdout.strip()
    assert json.loads(pbem("resume", source, "--json").stdout)["results"] == [{"line": line, "record": None}]
    assert pbem("resume", line, "-o", out).exit_code == 0
    one, other = (json.loads(pbem("show", path, "--json").stdout)["results"][0]["view"] for path in (source, out))
    assert one == other
    assert pbem("resume", line).stdout == out.read_text("utf-8")
    assert "legal" in pbem("validate", out, "--seat", "red", "--move", "lilac A3, mint D7").stdout
    assert pbem("resume", out).stdout.strip() == line


def test_what_cannot_be_is_said_in_one_line(pbem: Pbem, file: Path, root: Path, tmp_path: Path) -> None:
    answer = pbem("resume", file)
    assert (answer.exit_code, "the game is over" in answer.stderr) == (1, True)
    answer = pbem("resume", "CP1.nomadi.1.AAAA", "-o", tmp_path / "x.turns")
    assert (answer.exit_code, "copy all of it" in answer.stderr) == (1, True)
    assert not (tmp_path / "x.turns").exists()
    assert pbem("resume", root / "examples/sirocco.turns", "-o", tmp_path / "x").exit_code == 2
    assert pbem("resume", "CP1.nomadi.1.AAAA", "--json").exit_code == 2
