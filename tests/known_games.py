"""Games by their keys, for tests that name one that must be there."""

from engine.game import GameRules
from engine.registry import find_game


def known_game(key: str) -> GameRules:
    """The newest edition of a game that is installed here."""
    game = find_game(key)
    assert game is not None, key
    return game
