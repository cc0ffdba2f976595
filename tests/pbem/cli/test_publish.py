"""`pbem publish`: a site of records, with what is wrong said and left out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbem.web.site_folder import LIST

Pbem = Callable[..., Any]
SHORT = Path("tests/records/through-the-desert/TD-O1-an-oasis.turns").resolve()
OTHER = Path("tests/records/nomadi/NO-C3-an-offer.turns").resolve()


def test_a_site_is_written_once_and_then_only_what_changed(pbem: Pbem, tmp_path: Path) -> None:
    site = tmp_path / "site"
    first = pbem("publish", SHORT, OTHER, "-o", site)
    assert first.exit_code == 0
    assert "2 games in" in first.stdout
    again = pbem("publish", SHORT, OTHER, "-o", site)
    assert "0 files written" in again.stdout
    fewer = pbem("publish", SHORT, "-o", site)
    assert "removed" in fewer.stdout
    ours = (site / LIST).read_text("utf-8").splitlines()
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert there == {*ours, LIST}


def test_a_game_that_breaks_a_rule_is_told_and_left_out(pbem: Pbem, spoiled: Path, tmp_path: Path) -> None:
    answer = pbem("publish", spoiled, SHORT, "-o", tmp_path / "site")
    assert answer.exit_code == 1
    assert "TD-" in answer.stdout
    assert "1 game in" in answer.stdout


def test_no_folder_and_a_file_in_its_place_are_misuse(pbem: Pbem, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert pbem("publish", SHORT).exit_code == 2
    assert pbem("publish", SHORT, "-o", tmp_path / "file").exit_code == 2
