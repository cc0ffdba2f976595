"""A legal game laid open, so that operators can spoil it in one place.

An operator takes a game and a source of chance and gives back a mutant, or None when the game offers it no chance.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from engine.through_the_desert import GAME
from engine.through_the_desert.board import BOARDS
from notation import Entry, Record

GRID = BOARDS["standard"].grid
SPACES = {players: set(GRID.spaces(BOARDS["standard"].spaces(players))) for players in GAME.players}


class Mutant(NamedTuple):
    """A spoiled record, the code that must be cited, and the index of the entry at fault (None for a header)."""

    record: Record
    code: str
    entry: int | None


class Played(NamedTuple):
    """A game and what the table looked like before each of its entries."""

    record: Record
    views: list[dict[str, Any]]

    @property
    def seats(self) -> tuple[str, ...]:
        return self.record.seats

    @property
    def camels_from(self) -> int:
        """The index of the first entry with a camel."""
        return 5 * len(self.seats)

    def camel_entries(self) -> range:
        return range(self.camels_from, len(self.record.entries) - 1)

    def leader_entries(self) -> range:
        return range(5 if len(self.seats) == 5 else 0, self.camels_from)

    def replace(self, index: int, *entries: Entry) -> Record:
        old = self.record.entries
        return Record(self.record.headers, (*old[:index], *entries, *old[index + 1 :]))

    def with_move(self, index: int, move: Any) -> Record:
        entry = self.record.entries[index]
        return self.replace(index, entry._replace(moves=(move, *entry.moves[1:])))

    def with_header(self, name: str, value: str) -> Record:
        headers = tuple((each, value if each == name else old) for each, old in self.record.headers)
        return Record(headers, self.record.entries)


def near(space: str) -> set[str]:
    return set(GRID.spaces(GRID.grow(GRID.mask(space))))


def occupied(view: dict[str, Any]) -> set[str]:
    return {space for seat in view["camels"].values() for caravan in seat.values() for space in caravan}


def enclosed(view: dict[str, Any]) -> set[str]:
    return {space for area in view["areas"] for space in area["spaces"]}


def free(view: dict[str, Any]) -> set[str]:
    """The spaces in play that could take a camel of somebody."""
    return SPACES[len(view["seats"])] - occupied(view) - enclosed(view) - set(view["oases"])


def caravan(view: dict[str, Any], seat: str, colour: str) -> set[str]:
    return set(view["camels"][seat].get(colour, ()))


def rivals(view: dict[str, Any], seat: str, colour: str) -> set[str]:
    return {space for other in view["seats"] if other != seat for space in caravan(view, other, colour)}


def moves_here(game: Played, chance: Random, code: str, replies: Callable[[int], Iterator[Any]]) -> Mutant | None:
    """A mutant whose entry begins with one of the moves that `replies` has for it."""
    for index in chance.sample(game.camel_entries(), 12):
        found = list(replies(index))
        if found:
            return Mutant(game.with_move(index, chance.choice(found)), code, index)
    return None


def leaders_here(game: Played, chance: Random, code: str, replies: Callable[[int], Iterator[Any]]) -> Mutant | None:
    for index in chance.sample(game.leader_entries(), len(game.leader_entries())):
        found = list(replies(index))
        if found:
            return Mutant(game.with_move(index, chance.choice(found)), code, index)
    return None
