"""Headers: their names and the order in which they are written.

Canonical order: Format, Game, Rules and Id; the game's options that have a usual value (Board); the seats, whose order
is seat order; the options that were drawn or chosen for this table (Oases, Water, Herds); Result; then all others,
sorted. What a value means is for the game and the referee.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from engine import registry
from notation.record import SEAT

FORMAT: Final = "1"
"""The version of the record format, as its header says it."""

_FIRST: Final = ("Format", "Game", "Rules", "Id")
_RESULT: Final = "Result"


def arrange(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The headers in canonical order."""
    given = dict(headers)
    usual, special = _options(given.get("Game"))
    seats = [name for name in given if name.startswith(SEAT)]
    required = [*_FIRST, *usual, *seats, *special, _RESULT]
    others = sorted(given.keys() - set(required))
    return tuple([(name, given[name]) for name in [*required, *others] if name in given])


@lru_cache(maxsize=64)
def proper_names(key: str | None) -> Mapping[str, str]:
    """Name in small letters -> proper name, for the headers that mean something in a record of this game."""
    usual, special = _options(key)
    return {name.lower(): name for name in [*_FIRST, *usual, *special, _RESULT]}


@lru_cache(maxsize=64)
def _options(key: str | None) -> tuple[list[str], list[str]]:
    """The game's own headers: those with a usual value, and the others."""
    game = None if key is None else registry.find(key)
    options = game.options if game else ()
    return [each.name for each in options if each.default], [each.name for each in options if not each.default]
