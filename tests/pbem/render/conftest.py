"""Tables to draw: real games, played by chance to a given turn."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from engine.brotherhood.moves import Buy, Keep, Road, Settlement
from engine.chance import KeyedDealer
from engine.game import CHANCE, PUBLIC, Setup, View
from engine.nomadi.board import place
from engine.nomadi.moves import Step
from engine.registry import find_game
from engine.score import Score
from engine.through_the_desert import GAME
from engine.verdict import Verdict


@dataclass(frozen=True)
class Table:
    """A view with what a picture may add to it."""

    view: View
    last: tuple[str, ...]
    legal: tuple[str, ...]
    score: Score


@cache
def play(players: int, turns: int) -> Table:
    dealer = KeyedDealer(b"pictures")
    position = GAME.start(GAME.lay_out(Setup(GAME.seats[:players]), dealer))
    assert not isinstance(position, Verdict)
    last: list[str] = []
    turn = 1
    while GAME.to_act(position) and GAME.turn(position) <= turns:
        if GAME.turn(position) > turn:
            turn, last = GAME.turn(position), []
        plies = tuple(GAME.legal(position))
        ply = plies[dealer.pick(len(plies), "ply")]
        last += [ply.move.space] if hasattr(ply.move, "space") else []
        position = GAME.apply(position, ply)
    plies = tuple(GAME.legal(position)) if GAME.to_act(position) else ()
    legal = dict.fromkeys(ply.move.space for ply in plies if hasattr(ply.move, "space"))
    return Table(GAME.view(position, PUBLIC), tuple(last), tuple(legal), GAME.score(position))


@pytest.fixture(scope="session")
def table() -> Callable[[int, int], Table]:
    """Give the table of so many players after so many turns."""
    return play


@pytest.fixture(
    scope="session",
    params=[(2, 17), (3, 40), (4, 60), (5, 3), (5, 200)],
    ids=lambda pair: f"{pair[0]}-players-turn-{pair[1]}",
)
def any_table(request: pytest.FixtureRequest) -> Table:
    """Tables of all sizes and stages, one after the other."""
    return play(*request.param)


@cache
def walk(players: int, turn: int, steps: int, viewer: str) -> View:
    """Nomadi, played forward by chance until so many steps of a turn are made, as a viewer sees it."""
    game, dealer = find_game("nomadi"), KeyedDealer(b"dunes")
    assert game is not None
    position = game.start(game.lay_out(Setup(game.seats[:players]), dealer))
    while game.to_act(position):
        view = game.view(position, viewer)
        if view["turn"] >= turn and len(view["steps"]) >= steps and game.to_act(position) != (CHANCE,):
            break
        if game.to_act(position) == (CHANCE,):
            ply = game.deal(position, dealer)
        else:
            plies = sorted(game.legal(position), key=_way_left)
            ply = plies[dealer.pick(min(3, len(plies)), "ply")]
        position = game.apply(position, ply)
    return game.view(position, viewer)


def _way_left(ply: Any) -> int:
    """How far a step leads back; other moves neither way."""
    if not isinstance(ply.move, Step):
        return 0
    return sum(place(ply.move.target)) - sum(place(ply.move.origin))


@pytest.fixture(scope="session")
def caravan() -> Callable[..., View]:
    """Give a view of Nomadi for so many players, in a turn after some of its steps."""

    def find_view(players: int, turn: int, steps: int = 0, viewer: str = PUBLIC) -> View:
        return walk(players, turn, steps, viewer)

    return find_view


@pytest.fixture(
    scope="session",
    params=[(2, 9, 0), (2, 40, 3), (3, 16, 0), (4, 31, 4), (5, 45, 2), (5, 400, 0)],
    ids=lambda given: f"{given[0]}-players-turn-{given[1]}-step-{given[2]}",
)
def any_caravan(request: pytest.FixtureRequest) -> View:
    """Nomadi at all sizes and stages, one after the other."""
    return walk(*request.param, "blue")


@cache
def watch(key: str, players: int, turn: int, viewer: str, seed: bytes = b"wall") -> View:
    """A game of the Brotherhood, played forward by chance with a liking for building, as a viewer sees it."""
    game, dealer = find_game(key), KeyedDealer(seed)
    assert game is not None
    position = game.start(game.lay_out(Setup(game.seats[:players]), dealer))
    while game.to_act(position) and (game.turn(position) < turn or game.to_act(position) == (CHANCE,)):
        if game.to_act(position) == (CHANCE,):
            ply = game.deal(position, dealer)
        else:
            plies = tuple(game.legal(position))
            built = tuple(ply for ply in plies if isinstance(ply.move, Settlement | Keep | Road | Buy))
            plies = built if built and dealer.pick(4, "builds") else plies
            ply = plies[dealer.pick(len(plies), "ply")]
        position = game.apply(position, ply)
    return game.view(position, viewer)


@pytest.fixture(scope="session")
def castle() -> Callable[..., View]:
    """Give a view of the Brotherhood: its key, so many players, in a turn."""

    def find_view(key: str, players: int, turn: int, viewer: str = PUBLIC) -> View:
        return watch(key, players, turn, viewer)

    return find_view


@pytest.fixture(
    scope="session",
    params=[
        *(("brotherhood", 4, 3), ("brotherhood", 4, 90), ("brotherhood", 3, 140), ("brotherhood", 4, 999)),
        *(("brotherhood-base", 4, 40), ("brotherhood-base", 3, 70), ("brotherhood-base", 4, 999)),
    ],
    ids=lambda given: f"{given[0]}-{given[1]}-players-turn-{given[2]}",
)
def any_castle(request: pytest.FixtureRequest) -> View:
    """Both games at all sizes and stages, one after the other, as red sees them."""
    return watch(*request.param, "red")
