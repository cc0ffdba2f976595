"""Which games there are: ours, then any that an installed package offers by entry point.

A game's package is named once, in an entry point of the group below, and exposes `EDITIONS`: its Game
objects, oldest rules first. Nothing is imported before it is asked for.
"""

from functools import cache, lru_cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from engine.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

GROUP: Final = "caravan_post.games"

IN_HOUSE: Final = {
    "through-the-desert": "engine.through_the_desert",
    "nomadi": "engine.nomadi",
    "brotherhood-base": "engine.brotherhood.base_game",
    "brotherhood": "engine.brotherhood.full_game",
}


@lru_cache(maxsize=256)
def find_package(key: str) -> ModuleType | None:
    """The package that holds the game called `key`, or None."""
    if key in IN_HOUSE:
        return import_module(IN_HOUSE[key])
    for entry in _guests().select(name=key):
        try:
            module = entry.load()
        except ImportError:
            continue  # a guest that cannot be loaded is no game here; `pbem games` says so
        if isinstance(module, ModuleType):
            return module
    return None


def game_keys() -> tuple[str, ...]:
    """The keys of all games, ours first."""
    guests = sorted(_guests().names - IN_HOUSE.keys())
    return (*IN_HOUSE, *guests)


def list_editions(key: str) -> tuple[Game[Any], ...]:
    """All editions of a game's rules, oldest first; empty when there is no such game."""
    module = find_package(key)
    found: tuple[Game[Any], ...] = getattr(module, "EDITIONS", ())
    return found


def find_game(key: str, edition: str | None = None) -> Game[Any] | None:
    """The game `key` in the edition asked for (the newest when None), or None."""
    game: Game[Any]
    for game in reversed(list_editions(key)):
        if edition is None or edition == game.edition:
            return game
    return None


@cache
def _guests() -> "EntryPoints":
    from importlib.metadata import entry_points  # slow to import, and our own games do without it

    return entry_points(group=GROUP)
