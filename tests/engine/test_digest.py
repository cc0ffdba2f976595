"""The digest of a state: the same everywhere, and different as soon as anything that all may see differs."""

import hashlib
import json
import os
import subprocess
import sys

import pytest

from engine import CHANCE, PUBLIC, Game, KeyedDealer, Setup, registry
from engine.digest import LENGTH, canonical, digest

PLAY = """
import sys
from engine import CHANCE, KeyedDealer, Setup, registry
from engine.digest import digest

game = registry.find_game(sys.argv[1])
dealer = KeyedDealer(b"digest")
position = game.start(game.lay_out(Setup(game.seats[:3]), dealer))
for _ in range(20):
    plies = list(game.legal(position))
    chance = CHANCE in game.to_act(position)
    ply = game.deal(position, dealer) if chance else plies[dealer.pick(len(plies), "choice")]
    position = game.apply(position, ply)
    print(digest(game, position))
"""


def test_plain_data_has_one_form() -> None:
    data = {"b": [1, 2], "a": {"ü": None, "d": True}}
    assert canonical(data) == '{"a":{"d":true,"ü":null},"b":[1,2]}'.encode()


def test_a_number_that_is_none_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))


def first(game: Game[object]) -> object:
    return game.start(game.lay_out(Setup(game.seats[:3]), KeyedDealer(b"digest")))


@pytest.mark.parametrize("key", registry.game_keys())
def test_it_can_be_computed_by_anyone_from_the_public_view(key: str) -> None:
    game = registry.find_game(key)
    assert game is not None
    position = first(game)
    text = json.dumps(
        [game.key, game.edition, game.view(position, PUBLIC)],
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    assert digest(game, position) == hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


@pytest.mark.parametrize("key", registry.game_keys())
def test_it_is_the_same_whatever_the_hash_seed(key: str) -> None:
    told = set()
    for seed in ("0", "1", "4242"):
        words = [sys.executable, "-c", PLAY, key]
        answer = subprocess.run(words, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
        told.add(answer.stdout)
    assert len(told) == 1
    assert len(set(told.pop().split())) > 10


def test_a_secret_does_not_show_in_it() -> None:
    game = registry.find_game("shy-well")
    assert game is not None
    position = first(game)
    assert game.to_act(position) == (CHANCE,)
    dealt = [game.apply(position, ply) for ply in game.legal(position)]
    assert len(set(dealt)) == 6
    assert len({digest(game, after) for after in dealt}) == 1
