"""The registry knows our games and any guest that is installed, and imports none before it is asked for."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from engine import registry

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_our_games_come_first_then_the_guests() -> None:
    assert registry.game_keys()[: len(registry.IN_HOUSE)] == tuple(registry.IN_HOUSE)
    assert "shy-well" in registry.game_keys()[len(registry.IN_HOUSE) :]


@pytest.mark.parametrize("key", registry.game_keys())
def test_the_newest_edition_is_found_when_none_is_named(key: str) -> None:
    newest = registry.list_editions(key)[-1]
    assert registry.find_game(key) is newest
    assert all(registry.find_game(key, game.edition) is game for game in registry.list_editions(key))


def test_what_nobody_offers_is_not_found() -> None:
    assert registry.find_game("through-the-dessert") is None
    assert registry.find_game("through-the-desert", "edition 0") is None
    assert registry.list_editions("through-the-dessert") == ()
    assert registry.find_package("through-the-dessert") is None


def test_a_guest_lives_in_the_package_that_its_entry_point_names() -> None:
    home = registry.find_package("shy-well")
    assert home is not None
    assert home.__name__ == "shy_well"
    assert registry.list_editions("shy-well") == home.EDITIONS


def test_listing_the_games_imports_none_of_them(run: Run) -> None:
    question = "import sys; from engine import registry; registry.game_keys(); print(*sys.modules, sep='\\n')"
    loaded = run(sys.executable, "-c", question).stdout.split()
    assert "engine.registry" in loaded
    assert not [name for name in loaded if "through_the_desert" in name or "shy_well" in name]
