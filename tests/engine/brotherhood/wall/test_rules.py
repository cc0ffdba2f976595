"""The examples of the Watch's rules are true: each is a turn or a header of a record of that rule in the tests.

What stands before ``--`` is held against the records; ``…`` leaves something out.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.brotherhood.full_game import GAME
from engine.brotherhood.rules import WALL_RULES
from engine.brotherhood.rules.heroes import HERO_RULES
from engine.game import CHANCE
from engine.verdict import Rule
from notation import Record, read_text, write_entry

TESTS = Path(__file__).parents[3]
RULES = (*WALL_RULES, *HERO_RULES)


def records(folder: str, pattern: str) -> Iterator[Record]:
    for path in (TESTS / folder / GAME.key).glob(f"{pattern}.turns"):
        (reading,) = read_text(path.read_text("utf-8"))
        assert reading.record is not None
        yield reading.record


def shows(record: Record, example: str, turns: slice) -> bool:
    said, reason = example.split(" -- ")
    assert reason
    like = ".*".join(map(re.escape, said.split("…")))
    played = [entry for entry in record.entries if entry.who in {*record.seats, CHANCE}]
    written = [write_entry(entry._replace(remarks=()), GAME) for entry in played[turns]]
    headers = [f'[{name} "{value}"]' for name, value in record.headers]
    return any(re.fullmatch(like, shown) for shown in [*written, *headers])


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_the_example_that_obeys_is_shown_by_a_record_of_the_rule(rule: Rule) -> None:
    assert any(shows(record, rule.obeys, slice(None)) for record in records("records", f"{rule.code}-*"))


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.breaks], ids=str)
def test_the_example_that_breaks_is_the_refused_record_of_the_rule(rule: Rule) -> None:
    (record,) = records("refused", rule.code)
    assert shows(record, rule.breaks, slice(-1, None))
    assert bool(record.entries) == (not rule.breaks.startswith("["))


def test_rules_have_codes_and_names_of_their_own() -> None:
    assert all(re.fullmatch(r"BW-[A-Z][1-9][0-9]?", rule.code) for rule in RULES)
    assert len({rule.code for rule in RULES}) == len(RULES)
    assert len({rule.name for rule in GAME.rules}) == len(GAME.rules)
    assert {*RULES} <= {*GAME.rules}


def test_what_our_rulebook_leaves_open_is_marked_as_a_ruling() -> None:
    assert all(rule.ruling for rule in RULES if rule.source == "The rulebook is silent")
