"""Counting ways is counting legal plies, depth by depth."""

from typing import Any

from engine.through_the_desert import GAME
from notation import Record
from pbem.judging.lookahead import perft
from pbem.judging.record_replay import replay_record


def test_one_ply_deep_are_the_legal_plies(duel: Record) -> None:
    position: Any = replay_record(duel, until=20).position
    assert perft(GAME, position, 1) == len(list(GAME.legal(position)))


def test_two_plies_deep_is_the_sum_over_the_first(duel: Record) -> None:
    position: Any = replay_record(duel, until=20).position
    ways = sum(len(list(GAME.legal(GAME.apply(position, ply)))) for ply in GAME.legal(position))
    replayed: list[int] = []
    assert perft(GAME, position, 2, tell=replayed.append) == ways
    assert replayed == sorted(replayed)
    assert replayed[-1] == ways


def test_a_finished_game_has_no_way_on(duel: Record) -> None:
    assert perft(GAME, replay_record(duel).position, 3) == 0
