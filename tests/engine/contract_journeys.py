"""Random games of every registered game, ours and guests that are installed, to hold the contract against.

A new game passes through all of this without a line written for it.
"""

import json
from collections import defaultdict
from functools import cache
from typing import Any, NamedTuple

import pytest

from engine import CHANCE, PUBLIC, Game, KeyedDealer, Ply, Setup, Verdict, registry

KEYS = registry.game_keys()
GAMES = [game for key in KEYS for game in registry.list_editions(key)]
TABLES = [(game, players) for game in GAMES for players in game.players]
SEEDS = range(3)
LONGEST = 20_000
"""Plies after which random play counts as endless."""

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.key}-{game.edition}")
every_table = pytest.mark.parametrize(("game", "players"), TABLES, ids=lambda v: getattr(v, "key", v))


class Journey(NamedTuple):
    """One random game from the first position to the last; `positions` has one more than `plies`."""

    setup: Setup
    positions: list[Any]
    plies: list[Ply]


def lay_out(game: Game[Any], players: int, seed: int = 0) -> Setup:
    return game.lay_out(Setup(game.seats[:players]), KeyedDealer(f"set-up {seed}".encode()))


@cache
def play(game: Game[Any], players: int, seed: int) -> Journey:
    setup = lay_out(game, players, seed)
    position = game.start(setup)
    assert not isinstance(position, Verdict), str(position)
    dealer, journey = KeyedDealer(f"play {seed}".encode()), Journey(setup, [position], [])
    while due := game.to_act(position):
        assert len(journey.plies) < LONGEST, "random play does not end"
        if CHANCE in due:
            ply = game.deal(position, dealer)
        else:
            choices = list(game.legal(position))
            ply = choices[dealer.pick(len(choices), "choice")]
        position = game.apply(position, ply)
        journey.plies.append(ply)
        journey.positions.append(position)
    return journey


def journeys(game: Game[Any], players: int) -> list[Journey]:
    return [play(game, players, seed) for seed in SEEDS]


def some_positions(game: Game[Any], players: int, count: int = 25) -> list[Any]:
    """Positions spread evenly over a game, the first and the last among them."""
    positions = play(game, players, 0).positions
    return [*positions[:: max(1, len(positions) // count)], positions[-1]]


def viewers(position: Any, game: Game[Any]) -> tuple[str, ...]:
    return (*game.view(position, PUBLIC)["seats"], PUBLIC)


@cache
def neighbourhood(game: Game[Any], players: int, count: int = 800) -> list[Any]:
    """The first positions that can be reached, nearest first, whatever anybody chooses."""
    found = dict.fromkeys(play(game, players, 0).positions[:1])
    for position in (queue := list(found)):
        for ply in game.legal(position):
            after = game.apply(position, ply)
            if after not in found:
                found[after] = None
                queue.append(after)
            if len(found) == count:
                return queue
    return queue


@cache
def look_alike(game: Game[Any], players: int, viewer: str) -> list[list[Any]]:
    """Different positions that are one and the same to a viewer."""
    groups = defaultdict(list)
    for position in neighbourhood(game, players):
        groups[json.dumps(game.view(position, viewer), sort_keys=True)].append(position)
    return [group for group in groups.values() if len(group) > 1]
