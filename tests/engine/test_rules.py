"""The examples of the rules are true: each is the last move, a header or an expected score of a record in the tests.

What stands before ``--`` is held against the records; ``…`` leaves something out.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import nomadi, through_the_desert
from engine.game import CHANCE, Game
from engine.verdict import Rule
from notation import Record, read_text, write_entry

TESTS = Path(__file__).parents[1]
GAMES: tuple[Game[Any], ...] = (through_the_desert.GAME, nomadi.GAME)
RULES = [(game, rule) for game in GAMES for rule in game.rules]


def records(game: Game[Any], folder: str, pattern: str) -> Iterator[Record]:
    for path in (TESTS / folder / game.key).glob(f"{pattern}.turns"):
        (reading,) = read_text(path.read_text("utf-8"))
        assert reading.record is not None
        yield reading.record


def last_entry(record: Record) -> str:
    """The last turn in canonical form, without remarks; an ending is none."""
    turns = [entry for entry in record.entries if entry.who in (*record.seats, CHANCE)]
    return write_entry(turns[-1]._replace(remarks=()), record.game) if turns else ""


def shows(record: Record, example: str, rule: Rule) -> bool:
    if not example.startswith("[") and not example[0].isdigit():
        return expects(record, example, rule)
    like = ".*".join(map(re.escape, example.split("…")))
    headers = [f'[{name} "{value}"]' for name, value in record.headers]
    return any(re.fullmatch(like, shown) for shown in [last_entry(record), *headers])


def expects(record: Record, example: str, rule: Rule) -> bool:
    """Whether ``red: water 3, oases 10`` is among the points that a record expects under a rule."""
    seat, points = example.split(": ")
    expected = (record.header(f"Expect.{seat}") or "").split(", ")
    return all(f"{item} {rule.code}" in expected for item in points.split(", "))


def case(example: str) -> str:
    """What an example says before it gives its reason."""
    said, reason = example.split(" -- ")
    assert reason
    return said


@pytest.mark.parametrize(("game", "rule"), RULES, ids=[rule.code for _, rule in RULES])
def test_the_example_that_obeys_is_shown_by_a_record_of_the_rule(game: Game[Any], rule: Rule) -> None:
    assert any(shows(record, case(rule.obeys), rule) for record in records(game, "records", f"{rule.code}-*"))


@pytest.mark.parametrize(
    ("game", "rule"),
    [(game, rule) for game, rule in RULES if rule.breaks],
    ids=[rule.code for _, rule in RULES if rule.breaks],
)
def test_the_example_that_breaks_is_the_refused_record_of_the_rule(game: Game[Any], rule: Rule) -> None:
    (record,) = records(game, "refused", rule.code)
    assert shows(record, case(rule.breaks), rule)
    assert bool(record.entries) == (not rule.breaks.startswith("["))


@pytest.mark.parametrize(("game", "mark"), [*zip(GAMES, ("TD", "NO"), strict=True)], ids=[game.key for game in GAMES])
def test_rules_have_codes_and_names_of_their_own(game: Game[Any], mark: str) -> None:
    assert all(re.fullmatch(rf"{mark}-[A-Z][1-9]", rule.code) for rule in game.rules)
    assert len({rule.code for rule in game.rules}) == len({rule.name for rule in game.rules}) == len(game.rules)
    assert all(rule.text and rule.source for rule in game.rules)
