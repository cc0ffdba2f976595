"""Records that break one rule of the Watch each, at their last move or in their set-up.

A file is named for the rule (``BW-G1.turns``), and for what is special about it where a rule can be broken in several
ways (``BW-G1-no-section.turns``). A record without entries has its fault in the headers.
"""

from typing import Any

import pytest

from engine.brotherhood.full_game import GAME
from engine.brotherhood.moves import Choose, Discard, Flip, Pass, Swap, Take, Tarly, Tormund
from engine.brotherhood.rules import WALL_RULES
from engine.brotherhood.rules.heroes import HERO_RULES
from engine.game import Ply
from engine.verdict import Rule
from notation import write_record
from pbem.judging.record_replay import replay_record
from tests.engine.recorded import Shelf, code_of, without_the_last_move

SHELF = Shelf(GAME, "refused")
REFUSED, read = [name for name in SHELF.names if name.startswith("BW-")], SHELF.read
RULES = (*WALL_RULES, *HERO_RULES)


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_by_the_rule_of_its_name_at_its_last_move(name: str) -> None:
    record = read(name)
    refusal = replay_record(record).refusal
    assert refusal is not None
    assert refusal.code == code_of(name)
    if record.entries:
        assert refusal.entry is record.entries[-1]
        assert refusal.move == len(refusal.entry.moves) - 1
    else:
        assert refusal.entry is None


@pytest.mark.parametrize("name", [name for name in REFUSED if read(name).entries])
def test_without_its_last_move_it_stands(name: str) -> None:
    assert replay_record(without_the_last_move(read(name))).refusal is None


@pytest.mark.parametrize("name", [name for name in REFUSED if read(name).entries])
def test_what_is_offered_instead_is_legal(name: str) -> None:
    refusal = replay_record(read(name)).refusal
    position: Any = replay_record(without_the_last_move(read(name))).position
    assert refusal is not None
    for move in refusal.verdict.instead:
        assert GAME.judge(position, Ply(read(name).entries[-1].who, move)) is None


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_canonical_and_says_what_it_is(name: str) -> None:
    record = read(name)
    assert write_record(record) == SHELF.text(name)
    assert record.header("Id") == name
    assert record.header("Shows")


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.breaks], ids=str)
def test_every_rule_that_can_be_broken_has_a_record_that_breaks_it(rule: Rule) -> None:
    assert rule.code in REFUSED


def test_no_record_breaks_a_rule_that_cannot_be_broken() -> None:
    assert {code_of(name) for name in REFUSED} == {rule.code for rule in RULES if rule.breaks}


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Tormund("H"), "BB-S6"),
        (Discard((0, 0, 1, 0, 0)), "BB-S1"),
        (Pass(), "BW-J3"),
        (Tarly("ore"), "BW-J3"),
        (Flip(), "BW-H4"),
        (Swap("mance"), "BW-H4"),
        (Choose("winter"), "BW-J6"),
        (Take("ore"), "BW-J7"),
    ],
)
@pytest.mark.parametrize("name", ["BW-C6-tested-again", "BW-G1-the-lowest-free-space"])
def test_what_has_its_own_moment_is_refused_after_the_roll_by_the_rule_that_names_it(
    move: object, code: str, name: str
) -> None:
    position = Shelf(GAME).last(name)
    assert position.stage in ("trade", "build")
    verdict = GAME.judge(position, Ply(position.ground.seats[position.who], move))
    assert verdict is not None
    assert verdict.rule.code == code
