"""The specification is true: every example in docs/notation.md is read."""

import hashlib
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from engine.digest import canonical, digest
from engine.game import PUBLIC, Ply, Setup
from engine.nomadi import GAME as NOMADI
from engine.verdict import Verdict
from notation import ANNOTATION, RULES, WORDS, Record, chunks, read_text, write_games

DOCUMENT = (Path(__file__).parents[2] / "docs/notation.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
CANONICAL = [text for kind, form, text in BLOCKS if (kind, form) == ("turns", "canonical")]
GIVEN = [(text, after) for (kind, form, text), (_, _, after) in pairwise(BLOCKS) if (kind, form) == ("turns", "given")]


def records(text: str) -> list[Record]:
    readings = read_text(text)
    assert [fault.render() for reading in readings for fault in reading.faults] == []
    return [reading.record for reading in readings if reading.record is not None]


@pytest.mark.parametrize("text", CANONICAL)
def test_an_example_marked_canonical_is(text: str) -> None:
    assert "".join(write_games(records(text))) == text


@pytest.mark.parametrize(("given", "written"), GIVEN)
def test_an_example_marked_given_is_written_as_the_one_after_it(given: str, written: str) -> None:
    assert "".join(write_games(records(given))) == written


def test_every_example_is_marked_as_what_it_is() -> None:
    assert {(kind, form) for kind, form, _ in BLOCKS} == {
        ("turns", "canonical"),
        ("turns", "given"),
        ("json", "state"),
        ("text", ""),
        ("pose", ""),
    }
    assert len(GIVEN) > 1


def test_the_digests_in_the_first_example_are_those_of_its_states() -> None:
    [record] = records(CANONICAL[0])
    game = record.game
    assert game is not None
    position = game.start(record.setup)
    checked = 0
    for entry in record.entries:
        for move in entry.moves:
            assert not isinstance(position, Verdict)
            assert game.judge(position, Ply(entry.who, move)) is None
            position = game.apply(position, Ply(entry.who, move))
        for remark in entry.remarks:
            if remark.kind == ANNOTATION:
                assert remark.value == f"state {digest(game, position)}"
                checked += 1
        if entry.number == 1:
            [text] = [text.replace("\n", "") for kind, _, text in BLOCKS if kind == "json"]
            assert canonical([game.key, game.edition, game.view(position, PUBLIC)]).decode() == text
            assert f"`{hashlib.sha256(text.encode()).hexdigest()[:32]}`" in DOCUMENT
            members = json.loads(text)[2]
    assert checked
    assert all(f"| `{member}` |" in DOCUMENT for member in members)


def test_the_fault_shown_is_the_one_that_is_told() -> None:
    [shown] = [text for kind, _, text in BLOCKS if kind == "text"]
    _, line, *_ = shown.split("\n")
    [reading] = read_text(f'[Format "1"]\n[Game "through-the-desert"]\n{line.strip()}')
    assert [fault.render() + "\n" for fault in reading.faults] == [shown]


def test_every_code_stands_in_the_table_of_faults_and_no_other() -> None:
    told = re.findall(r"^\| (NT-\w+) \| (\S+) \|$", DOCUMENT, re.MULTILINE)
    assert told == [(rule.code, rule.name) for rule in RULES]


@pytest.mark.parametrize("limit", [chunks.LINE, chunks.TURN, chunks.DEPTH, chunks.GAME, chunks.FAULTS])
def test_every_limit_stands_in_the_document(limit: int) -> None:
    assert re.search(rf"^\| [^|]+ \| {limit:,}(?: characters)? \|$", DOCUMENT, re.MULTILINE)


def test_the_words_of_other_languages_are_understood() -> None:
    rows = re.findall(r"^\| (lilac|mint|lemon|green|salmon|leader|remove|pass) \|(.*)\|$", DOCUMENT, re.MULTILINE)
    assert len(rows) == 8
    patterns = {"leader": "{} lilac E4", "remove": "{} lilac", "pass": "{}"}
    for word, cells in rows:
        pattern = patterns.get(word, "{} E4")
        for other in re.split(r"[,|]", cells):
            text = '[Game "through-the-desert"]\n1. red: '
            assert records(text + pattern.format(other.strip())) == records(text + pattern.format(word)), other


def test_the_words_of_other_languages_for_nomadi_are_understood() -> None:
    rows = re.findall(r"^\| (place|offer|take|leave|end|give|dice|card) \|(.*)\|$", DOCUMENT, re.MULTILINE)
    assert len(rows) == 8
    patterns = {"place": "{} P19", "give": "{} red 3", "dice": "{} 6 3 3 1 5 2", "card": "{} I15 +2"}
    for word, cells in rows:
        for other in re.split(r"[,|]", cells):
            text = '[Game "nomadi"]\n17. blue: ' + patterns.get(word, "{}")
            assert records(text.format(other.strip())) == records(text.format(word)), other


def test_every_member_of_a_view_of_nomadi_stands_in_the_document() -> None:
    start = NOMADI.start(Setup(NOMADI.seats[:2], (("Cards", "B9 E4 F6 G17 J12 N3"),)))
    assert not isinstance(start, Verdict)
    told = re.findall(r"`(\w+)`", DOCUMENT[DOCUMENT.index("public view of Nomadi") : DOCUMENT.index("## Faults")])
    assert set(NOMADI.view(start, PUBLIC)) <= set(told)


def test_every_word_of_the_table_stands_in_the_document_with_its_example() -> None:
    assert [word for word, example in WORDS.items() if f"{word}: {example}`" not in DOCUMENT] == []
