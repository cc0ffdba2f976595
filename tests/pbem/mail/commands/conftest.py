"""A game whose only move shares its word with an order."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from engine.registry import IN_HOUSE, Home
from notation import Phrasebook


class Draw:
    """Take a card."""


@pytest.fixture
def card_game(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """As much of a game as the notation asks for: its key and its phrasebook."""
    home = ModuleType("notation.games.card_game")
    home.NOTATION = Phrasebook(  # type: ignore[attr-defined]  # a module made for the test
        grammar='moves: draw\ndraw: _DRAW\n_DRAW: /draw(?!\\w)/i\n%ignore " "',
        moves={"draw": Draw},
        example="draw",
        write={Draw: lambda _: "draw"},
    )
    monkeypatch.setitem(sys.modules, home.__name__, home)
    monkeypatch.setitem(IN_HOUSE, "card-game", Home("card-game", "card_game"))
    return SimpleNamespace(key="card-game", seats=())
