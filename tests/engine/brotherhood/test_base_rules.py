"""The examples of the base game's rules are true: each is the last turn or a header of a record in the tests.

What stands before ``--`` is held against the records; ``…`` leaves something out.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.brotherhood.base_game import GAME
from engine.brotherhood.rules import RULES
from engine.game import CHANCE
from engine.verdict import Rule
from notation import Record, read_text, write_entry

TESTS = Path(__file__).parents[2]


def records(folder: str, pattern: str) -> Iterator[Record]:
    for path in (TESTS / folder / GAME.key).glob(f"{pattern}.turns"):
        (reading,) = read_text(path.read_text("utf-8"))
        assert reading.record is not None
        yield reading.record


def shows(record: Record, example: str) -> bool:
    said, reason = example.split(" -- ")
    assert reason
    like = ".*".join(map(re.escape, said.split("…")))
    turns = [entry for entry in record.entries if entry.who in {*record.seats, CHANCE}]
    last = write_entry(turns[-1]._replace(remarks=()), GAME) if turns else ""
    headers = [f'[{name} "{value}"]' for name, value in record.headers]
    return any(re.fullmatch(like, shown) for shown in [last, *headers])


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_the_example_that_obeys_is_shown_by_a_record_of_the_rule(rule: Rule) -> None:
    assert any(shows(record, rule.obeys) for record in records("records", f"{rule.code}-*"))


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.breaks], ids=str)
def test_the_example_that_breaks_is_the_refused_record_of_the_rule(rule: Rule) -> None:
    (record,) = records("refused", rule.code)
    assert shows(record, rule.breaks)
    assert bool(record.entries) == (not rule.breaks.startswith("["))


def test_rules_have_codes_and_names_of_their_own_in_the_order_of_their_groups() -> None:
    assert all(re.fullmatch(r"BB-[A-Z][1-9][0-9]?", rule.code) for rule in RULES)
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)


def test_what_the_rulebook_leaves_open_is_marked_as_our_ruling() -> None:
    rulings = {rule.code for rule in RULES if rule.ruling}
    silent = {rule.code for rule in RULES if "silent" in rule.source}
    assert silent <= rulings
