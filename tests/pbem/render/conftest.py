"""Tables to draw: real games, played by chance to a given turn."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pytest

from engine.chance import KeyedDealer
from engine.game import PUBLIC, Setup, View
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
