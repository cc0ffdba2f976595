"""Random games to hold the contract against: played once in a process, and shared by all checks."""

import json
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from engine import CHANCE, PUBLIC, GameRules, KeyedDealer, Ply, Setup, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

SEEDS: Final = range(3)
"""The random games that are played at each table."""
LONGEST: Final = 20_000
"""Plies after which random play counts as endless."""
NEIGHBOURS: Final = 800
"""Positions near the beginning that are compared with each other."""
_Function = TypeVar("_Function", bound="Callable[..., object]")


def _cached(function: _Function) -> _Function:
    """Keep the last results of a function; a game is found again by its identity."""
    return lru_cache(maxsize=64)(function)  # type: ignore[return-value]  # called alike


class ContractError(AssertionError):
    """A game breaks the contract; the message says where. pytest shows it as it shows a failed assertion."""


def expect(holds: object, says: str, *facts: object) -> None:
    """Raise ContractError with a sentence, filled with facts, unless something holds."""
    if not holds:
        raise ContractError(says.format(*facts))


class Playout(NamedTuple):
    """One random game from the first position to the last; `positions` has one more than `plies`."""

    setup: Setup
    positions: list[object]
    plies: list[Ply]


def lay_out(game: GameRules, players: int, seed: int = 0) -> Setup:
    """A complete set-up for so many players."""
    return game.lay_out(Setup(game.seats[:players]), KeyedDealer(f"set-up {seed}".encode()))


@_cached
def play(game: GameRules, players: int, seed: int) -> Playout:
    """One random game."""
    setup = lay_out(game, players, seed)
    position = game.start(setup)
    expect(not isinstance(position, Verdict), "the set-up that lay_out gave is refused: {}", position)
    dealer, playout = KeyedDealer(f"play {seed}".encode()), Playout(setup, [position], [])
    while due := game.to_act(position):
        expect(len(playout.plies) < LONGEST, "random play does not end within {} plies", LONGEST)
        if CHANCE in due:
            ply = game.deal(position, dealer)
        else:
            choices = list(game.legal(position))
            expect(choices, "{} are due and no legal ply is listed in turn {}", due, game.turn(position))
            ply = choices[dealer.pick(len(choices), "choice")]
        position = game.apply(position, ply)
        playout.plies.append(ply)
        playout.positions.append(position)
    return playout


def playouts(game: GameRules, players: int) -> list[Playout]:
    """The random games of a table."""
    return [play(game, players, seed) for seed in SEEDS]


def some_positions(game: GameRules, players: int, count: int = 25) -> list[object]:
    """Positions spread evenly over a game, the first and the last among them."""
    positions = play(game, players, 0).positions
    return [*positions[:: max(1, len(positions) // count)], positions[-1]]


def viewers(game: GameRules, position: object) -> tuple[str, ...]:
    """Everybody who can look at a position: the seats, and the public."""
    return (*game.view(position, PUBLIC)["seats"], PUBLIC)


def view_text(game: GameRules, position: object, viewer: str) -> str:
    """A view as text, to be compared."""
    return json.dumps(game.view(position, viewer), sort_keys=True)


@_cached
def neighbourhood(game: GameRules, players: int) -> list[object]:
    """The first positions that can be reached by any choices at all, nearest first."""
    found = dict.fromkeys(play(game, players, 0).positions[:1])
    for position in (queue := list(found)):
        for ply in game.legal(position):
            after = game.apply(position, ply)
            if after not in found:
                found[after] = None
                queue.append(after)
            if len(found) == NEIGHBOURS:
                return queue
    return queue


@_cached
def look_alike(game: GameRules, players: int, viewer: str) -> list[list[object]]:
    """Groups of different positions that look the same to a viewer."""
    groups = defaultdict(list)
    for position in neighbourhood(game, players):
        groups[view_text(game, position, viewer)].append(position)
    return [group for group in groups.values() if len(group) > 1]
