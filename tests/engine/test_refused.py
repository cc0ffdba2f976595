"""Records that break one rule each, at their last move or in their set-up.

A file is named for the rule (``TD-C1.turns``), and for what is special about it where a rule can be broken in several
ways (``TD-C1-oasis.turns``). A record without entries has its fault in the headers.
"""

from typing import Any

import pytest

from engine import nomadi, through_the_desert
from engine.game import Game, Ply
from engine.verdict import Rule
from notation import Record, write_record
from pbem.judging.record_replay import replay_record
from tests.engine.recorded import Shelf, code_of, without_the_last_move

GAMES: tuple[Game[Any], ...] = (through_the_desert.GAME, nomadi.GAME)
SHELVES = {game.key: Shelf(game, "refused") for game in GAMES}
REFUSED = {key: shelf.names for key, shelf in SHELVES.items()}
CASES = [(game, name) for game in GAMES for name in REFUSED[game.key]]


def read(game: Game[Any], name: str) -> Record:
    return SHELVES[game.key].read(name)


every_case = pytest.mark.parametrize(("game", "name"), CASES, ids=[name for _, name in CASES])
every_case_in_play = pytest.mark.parametrize(
    ("game", "name"),
    [(game, name) for game, name in CASES if read(game, name).entries],
    ids=[name for game, name in CASES if read(game, name).entries],
)


@every_case
def test_it_is_refused_by_the_rule_of_its_name_at_its_last_move(game: Game[Any], name: str) -> None:
    record = read(game, name)
    refusal = replay_record(record).refusal
    assert refusal is not None
    assert refusal.code == code_of(name)
    if record.entries:
        assert refusal.entry is record.entries[-1]
        assert refusal.move == len(refusal.entry.moves) - 1
    else:
        assert refusal.entry is None


@every_case_in_play
def test_without_its_last_move_it_stands(game: Game[Any], name: str) -> None:
    assert replay_record(without_the_last_move(read(game, name))).refusal is None


@every_case_in_play
def test_what_is_offered_instead_is_legal(game: Game[Any], name: str) -> None:
    refusal = replay_record(read(game, name)).refusal
    position = replay_record(without_the_last_move(read(game, name))).position
    assert refusal is not None
    for move in refusal.verdict.instead:
        assert game.judge(position, Ply(read(game, name).entries[-1].who, move)) is None


@every_case
def test_it_is_canonical_and_says_what_it_is(game: Game[Any], name: str) -> None:
    record = read(game, name)
    assert write_record(record) == SHELVES[game.key].text(name)
    assert record.header("Id") == name
    assert record.header("Shows")


@pytest.mark.parametrize("rule", [rule for game in GAMES for rule in game.rules if rule.breaks], ids=str)
def test_every_rule_that_can_be_broken_has_a_record_that_breaks_it(rule: Rule) -> None:
    assert any(rule.code in names for names in REFUSED.values())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_no_record_breaks_a_rule_that_cannot_be_broken(game: Game[Any]) -> None:
    assert {code_of(name) for name in REFUSED[game.key]} == {rule.code for rule in game.rules if rule.breaks}
