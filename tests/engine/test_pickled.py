"""Positions can be pickled: a pool of processes can share the work of looking ahead."""

import pickle
import subprocess
import sys

import pytest

from engine import KeyedDealer
from engine.digest import digest
from engine.registry import game_keys
from pbem.judging.lookahead import sample_game
from pbem.judging.record_replay import replay_record
from tests.known_games import known_game

ELSEWHERE = """
import pickle, sys
from engine.digest import digest
from engine.registry import find_game

game = find_game(sys.argv[1])
for position in pickle.load(sys.stdin.buffer):
    print(digest(game, position), len(list(game.legal(position))))
"""


def positions(key: str, players: int) -> list[object]:
    """All positions of a lively game."""
    game, found = known_game(key), list[object]()
    dealer = KeyedDealer(b"pickled")
    record = sample_game(game, seats=game.seats[:players], dealer=dealer, name="one", lively=True)
    replay_record(record, watch=lambda entry, turn, position: found.append(position))
    return found


@pytest.mark.parametrize("key", game_keys())
@pytest.mark.parametrize("most", [False, True])
def test_every_position_of_a_game_comes_back_equal(key: str, most: bool) -> None:
    game = known_game(key)
    played = positions(key, max(game.players) if most else min(game.players))
    assert len(played) > 5
    for position in played:
        again = pickle.loads(pickle.dumps(position))  # noqa: S301 - our own bytes
        assert again == position
        assert hash(again) == hash(position)
        assert digest(game, again) == digest(game, position)
        assert list(game.legal(again)) == list(game.legal(position))


@pytest.mark.parametrize("key", game_keys())
def test_another_process_goes_on_from_them(key: str) -> None:
    game = known_game(key)
    some = positions(key, min(game.players))[::20]
    words = [sys.executable, "-c", ELSEWHERE, key]
    answer = subprocess.run(words, input=pickle.dumps(some), capture_output=True, check=True)
    told = [f"{digest(game, position)} {len(list(game.legal(position)))}" for position in some]
    assert answer.stdout.decode().split("\n")[:-1] == told
