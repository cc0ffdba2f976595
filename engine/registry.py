"""The table of games: ours, one line each, then any that an installed package offers by entry point.

Everything about a game is found from its line here: rules, notation, scenes, quick pictures. Ours follow a convention
of folder names; a guest keeps all of it in the package that its entry point names, under the same attribute names:
`EDITIONS` (its Game objects, oldest rules first), `NOTATION`, and if it likes `SCENE` and `TILE_RENDERER`. Nothing is
imported before it is asked for.
"""

import re
from functools import cache, lru_cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.game import GameRules

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

GROUP: Final = "caravan_post.games"
"""The group of entry points in which a package offers a game."""

KEY: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
"""What a game's key looks like. It is used in records, template paths and on the command line, so it must be plain."""


class Home(NamedTuple):
    """Where one of our games lives.

    `folder` is its name below `engine`, `notation.games` and `pbem.render.scenes`; its templates lie in
    ``templates/<key>``. `module` names the module of that folder in `engine` that holds `EDITIONS`, where two games
    share a folder.
    """

    key: str
    folder: str
    module: str = ""

    @property
    def rules(self) -> str:
        """The module that holds the rules."""
        return f"engine.{self.folder}.{self.module}" if self.module else f"engine.{self.folder}"


_HOMES: Final = (
    Home("through-the-desert", "through_the_desert"),
    Home("nomadi", "nomadi"),
    Home("brotherhood-base", "brotherhood", "base_game"),
    Home("brotherhood", "brotherhood", "full_game"),
)
"""To add a game of our own, add its folders and one line here."""

IN_HOUSE: Final = {home.key: home for home in _HOMES}


@lru_cache(maxsize=256)
def find_package(key: str) -> ModuleType | None:
    """The package that holds the rules of the game called `key`, or None."""
    if key in IN_HOUSE:
        return import_module(IN_HOUSE[key].rules)
    if KEY.fullmatch(key) is None:
        return None
    for entry in _guests().select(name=key):
        try:
            module = entry.load()
        except ImportError:
            continue  # `pbem games` reports a package that cannot be loaded
        if isinstance(module, ModuleType):
            return module
    return None


def find_part(key: str, name: str, *, within: str) -> object:
    """What a game offers under `name` beside its rules, or None.

    Ours offer it in the package of their folder below `within`, guests in their own package. The text
    ``"package.module:name"`` stands for something that is imported only when it is needed.
    """
    home = IN_HOUSE.get(key)
    package = find_package(key) if home is None else _import(f"{within}.{home.folder}")
    part: object = getattr(package, name, None)
    if isinstance(part, str):
        module, _, attribute = part.partition(":")
        part = getattr(import_module(module), attribute)
    return part


def _import(name: str) -> ModuleType | None:
    """A module, or None when there is none of that name."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise


def game_keys() -> tuple[str, ...]:
    """The keys of all games, ours first. A guest whose key is not allowed is left out; see `refused_keys`."""
    guests = sorted(name for name in _guests().names - IN_HOUSE.keys() if KEY.fullmatch(name))
    return (*IN_HOUSE, *guests)


def refused_keys() -> tuple[str, ...]:
    """Names under which installed packages offer games, but which do not look like a KEY."""
    return tuple(sorted(name for name in _guests().names if KEY.fullmatch(name) is None))


def list_editions(key: str) -> tuple[GameRules, ...]:
    """All editions of a game's rules, oldest first; empty when there is no such game."""
    found: tuple[GameRules, ...] = getattr(find_package(key), "EDITIONS", ())
    return found


def find_game(key: str, edition: str | None = None) -> GameRules | None:
    """The game `key` in the edition asked for (the newest when None), or None."""
    game: GameRules
    for game in reversed(list_editions(key)):
        if edition is None or edition == game.edition:
            return game
    return None


@cache
def _guests() -> "EntryPoints":
    from importlib.metadata import entry_points  # slow to import, and our own games do without it

    return entry_points(group=GROUP)
