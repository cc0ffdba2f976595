"""Every rule tells what the rulebook says from what we decided, and docs/rulings.md lists all our rulings with reasons.

After a change of a ruling, `REWRITE=1 python -m pytest tests/engine/test_rulings.py` brings the page up to date.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.registry import IN_HOUSE
from engine.verdict import Rule
from tests.known_games import known_game

PAGE = "docs/rulings.md"
SILENT = "The rulebook is silent"
GAMES = [known_game(key) for key in IN_HOUSE]
RULINGS = {rule.code: rule for game in GAMES for rule in game.rules if rule.ruling}

HEAD = """\
# Our rulings

The games are played by their rulebooks: a Hebrew, a Russian and a Polish one for Through the Desert, a Dutch one for
Nomadi, a Hebrew one for the Brotherhood of the Watch. Where they leave room, or show in a picture what we do not have,
we had to decide. Here is every such rule: how it is played, what the book says, and our reason. `pbem rules GAME
--rulings` prints the same, `pbem rule CODE` one of them with examples, and by mail you ask with `rule CODE`.

A code is never reused. If another ruling could change the outcome of a recorded game, it is a new edition of the rules.
"""


def page() -> Iterator[str]:
    told: set[str] = set()
    yield HEAD
    for game in GAMES:
        yield f"## {game.title}\n"
        ours = [rule for rule in game.rules if rule.ruling]
        if again := [rule.code for rule in ours if rule.code in told]:
            yield f"As told above: {', '.join(again)}.\n"
        for rule in ours:
            if rule.code not in told:
                yield f"### {rule.code} {rule.name}\n"
                yield f"{rule.text}\n"
                yield from lines(rule)
        told |= {rule.code for rule in ours}


def lines(rule: Rule) -> Iterator[str]:
    assert rule.ruling is not None
    yield f"- {rule.source}{': ' + rule.ruling.book if rule.ruling.book else '.'}"
    yield f"- Our reason: {rule.ruling.why}\n"


def test_the_page_of_rulings_is_what_the_rules_say(root: Path) -> None:
    expected = "\n".join(page()).rstrip("\n") + "\n"
    if os.environ.get("REWRITE"):
        (root / PAGE).write_text(expected, "utf-8")
    assert (root / PAGE).read_text("utf-8") == expected


@pytest.mark.parametrize("rule", RULINGS.values(), ids=str)
def test_a_ruling_gives_a_reason_and_the_words_of_the_book_unless_that_is_silent(rule: Rule) -> None:
    assert rule.ruling is not None
    assert rule.ruling.why.endswith(".")
    assert bool(rule.ruling.book) == (rule.source != SILENT)
    assert "ruling" not in f"{rule.text} {rule.source} {rule.ruling.book} {rule.ruling.why}".lower()


@pytest.mark.parametrize(
    "code",
    [
        *("NO-P3", "NO-M9", "NO-G3", "NO-R3", "NO-C3", "NO-V1", "NO-V3"),
        *("TD-P3", "TD-P6", "TD-E1", "TD-S1", "TD-S2"),
        *("BW-A1", "BW-L1", "BW-S1", "BW-P1", "BW-P2", "BW-P5", "BW-T2", "BW-G1", "BB-C5"),
    ],
)
def test_what_is_partly_the_books_and_partly_ours_says_both(code: str) -> None:
    rule = RULINGS[code]
    assert rule.source != SILENT
    assert rule.ruling is not None
    assert rule.ruling.book


@pytest.mark.parametrize("code", ["BW-E8", "BW-T9", "BW-H5"])
def test_what_the_hebrew_book_says_is_not_called_ours(code: str) -> None:
    (rule,) = [rule for rule in known_game("brotherhood").rules if rule.code == code]
    assert rule.ruling is None
    assert rule.source.startswith("Hebrew rulebook")


def test_no_rule_of_the_base_game_that_is_false_in_the_full_one_is_listed_there() -> None:
    codes = {rule.code: rule.text for rule in known_game("brotherhood").rules}
    assert not {"BB-P3", "BB-P8"} & codes.keys()
    assert {"BW-P5", "BW-P6"} <= codes.keys()
    assert all(hero in codes["BB-O1"] for hero in ("Benjen", "Ygritte", "Qhorin"))


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("TD-P6", "our own design"),
        ("TD-E1", "white line"),
        ("NO-R3", "paid first"),
        ("NO-V1", '[Oasis "I6"]'),
        ("BW-L1", "ends at U"),
    ],
)
def test_a_text_says_what_is_played(code: str, says: str) -> None:
    assert says in RULINGS[code].text
