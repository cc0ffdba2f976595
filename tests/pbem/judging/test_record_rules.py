"""Every rule of a record has a record that it refuses, and the rules are told completely."""

from pathlib import Path

import pytest

from notation import read_text
from pbem.judging.record_replay import replay_record
from pbem.judging.record_rules import RULES

FOLDER = Path("tests/refused/record")
CODES = [rule.code for rule in RULES]


@pytest.mark.parametrize("code", CODES)
def test_a_record_that_breaks_a_rule_is_refused_with_exactly_that_code(root: Path, code: str) -> None:
    (reading,) = read_text((root / FOLDER / f"{code}.turns").read_text("utf-8"))
    assert reading.record is not None
    refusal = replay_record(reading.record).refusal
    assert refusal is not None
    assert refusal.code == code
    assert "{" not in refusal.verdict.detail


def test_no_refused_record_lies_about_for_a_rule_that_does_not_exist(root: Path) -> None:
    assert sorted(path.stem for path in (root / FOLDER).iterdir()) == sorted(CODES)


def test_codes_and_names_are_unique() -> None:
    assert len(set(CODES)) == len(RULES) == len({rule.name for rule in RULES})


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_each_rule_says_what_it_is_and_shows_both_sides(rule: object) -> None:
    told = {name: getattr(rule, name) for name in ("text", "source", "breaks", "obeys")}
    assert all(told.values()), told
