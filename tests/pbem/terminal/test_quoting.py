"""A refusal points at the user's own words where it can, else at the entry in canonical form."""

from pathlib import Path

import pytest

from engine.through_the_desert import GAME
from notation import read_games, write_record
from pbem.archive.source import Source
from pbem.cli.sample import make
from pbem.judging.record_replay import replay_record
from pbem.terminal.refusals import Quote, quote

HEAD, _, BODY = write_record(make(GAME, 2, "quoting")).replace("won", "").partition("\n\n")
TURNS = BODY.split("\n")[:10]
"""All leaders; camels follow, and none of them can be on A13, which is a mountain."""


def refused(path: Path, *lines: str) -> Quote:
    headers = "\n".join('[Result "*"]' if line.startswith("[Result") else line for line in HEAD.split("\n"))
    path.write_text("\n".join([headers, "", *TURNS, *lines]) + "\n", "utf-8")
    source = Source(str(path))
    (reading,) = read_games(source.lines())
    assert reading.record is not None, reading.faults
    refusal = replay_record(reading.record).refusal
    assert refusal is not None
    return quote(refusal, reading.record, source, reading.line)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.turns"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("11. red: lilac A13", "lilac A13"),
        ("11. Red :   L a13 {hm} [%clock 1:00]", "L a13"),
        ("red: lilac A13 ?? (11. red: mint A13)", "lilac A13"),
        ("    11... red: mint:a13", "mint:a13"),
    ],
)
def test_the_users_own_words_are_underlined(path: Path, line: str, words: str) -> None:
    found = refused(path, line)
    assert found.text == line
    assert found.text[found.start : found.start + found.length] == words
    assert found.column == found.start + 1


@pytest.mark.parametrize("line", ["11. red: {before} lilac A13", "{so}\n11. red: lilac {within} a13"])
def test_the_canonical_form_stands_in_for_words_that_are_scattered(path: Path, line: str) -> None:
    found = refused(path, line)
    assert found.column == 0
    assert found.text == "11. red: lilac A13"
    assert found.text[found.start : found.start + found.length] == "lilac A13"


def test_an_entry_in_the_wrong_place_is_underlined_as_a_whole(path: Path) -> None:
    found = refused(path, "  12. red: lilac A13")
    assert (found.column, found.length) == (3, len("12. red: lilac A13"))


def test_a_header_is_found_by_its_name(path: Path) -> None:
    path.write_text(f"{HEAD}\n", "utf-8")
    source = Source(str(path))
    (reading,) = read_games(source.lines())
    assert reading.record is not None
    refusal = replay_record(reading.record).refusal
    assert refusal is not None
    assert refusal.header == "Result"
    found = quote(refusal, reading.record, source, reading.line)
    assert found.text.startswith("[Result ")
    assert found.text == path.read_text("utf-8").split("\n")[found.line - 1]
