"""Sampled games to hear, judge and spoil."""

import pytest

from engine.through_the_desert import GAME
from notation import Record
from pbem.cli.sample import make

SEEDS = range(3)


@pytest.fixture(scope="session")
def games() -> dict[int, list[Record]]:
    """Some complete games for each number of players."""
    return {players: [make(GAME, players, f"spoiled {seed}") for seed in SEEDS] for players in GAME.players}


@pytest.fixture(scope="session")
def duel(games: dict[int, list[Record]]) -> Record:
    """One game of two."""
    return games[2][0]
