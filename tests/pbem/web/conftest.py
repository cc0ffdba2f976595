"""Games to make pages of."""

from collections.abc import Callable

import pytest

from notation import Record
from pbem.cli.sample import make
from pbem.web.frames import Game, watch_game
from tests.known_games import known_game

SEATS = {"shy-well": 2, "through-the-desert": 3, "nomadi": 3, "brotherhood-base": 3, "brotherhood": 3}


@pytest.fixture(scope="session")
def sample() -> Callable[[str, str], Record]:
    """A whole game by its key and a seed."""
    return lambda key, seed: make(known_game(key), SEATS[key], seed)


def watched(record: Record) -> Game:
    """A record that is legal, as a game."""
    game = watch_game(record)
    assert isinstance(game, Game), game
    return game
