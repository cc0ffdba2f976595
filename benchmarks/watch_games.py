"""Random playouts of the Brotherhood, beside catanatron's random players at the same kind of game.

Both choose at random among all that they list as legal, judge it once more, and play on. Chance is settled by
Python's own generator on both sides, for no proof is wanted here. The games of both are other ones in every run, so
that nobody recites what is remembered of them, and both stop after so many actions.
"""

from collections.abc import Iterator
from functools import partial
from random import Random

from catanatron import Color, Game, RandomPlayer
from catanatron.game import TURNS_LIMIT

from benchmarks.measuring import Contender, Tell, race
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Target
from engine import registry
from engine.brotherhood.apply import BrotherhoodRun
from engine.brotherhood.legal import choices
from engine.brotherhood.position import OVER, Position
from engine.game import CHANCE, Setup

SEATS = ("red", "blue", "yellow", "black")
PEER = "catanatron"
ACTIONS = 1_000
"""Actions of a game, more or less."""


class Luck:
    """A Dealer without any proof."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def pick(self, count: int, purpose: str) -> int:
        """One outcome of `count`."""
        return self._random.randrange(count)


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """Actions per second, choosing included: the base game, and the full game."""
    names = {"brotherhood-base": "random playouts, base game", "brotherhood": "random playouts, full game"}
    actions = ACTIONS * sizes.playouts
    contenders = [
        Contender(key, actions, partial(_play_ours, actions), partial(_starts, key, sizes.playouts), actions)
        for key in names
    ]
    contenders.append(Contender(PEER, actions, _play_theirs, lambda number: actions, actions))
    paces = race(contenders, rounds=sizes.rounds, tell=tell)
    for key, name in names.items():
        target = Target(3, at_least=True)
        yield Row.of_rates(name, "actions/s", ours=paces[key], peer=PEER, theirs=paces[PEER], target=target)


def _starts(key: str, playouts: int, number: int) -> list[tuple[Position, int]]:
    """The games of a round, more than it will need."""
    return [_start(key, seed) for seed in range(4 * playouts * number, 4 * playouts * (number + 1))]


def _start(key: str, seed: int) -> tuple[Position, int]:
    game = registry.find_game(key)
    assert game is not None
    position = game.start(
        game.lay_out(Setup(SEATS, (("Start", "free"),) if key == "brotherhood-base" else ()), Luck(seed))
    )
    assert isinstance(position, Position), position
    return position, seed


def _play_ours(actions: int, starts: list[tuple[Position, int]]) -> int:
    """Play games one after the other until so many actions have been made."""
    made = 0
    for position, seed in starts:
        made += _play(position, seed, actions - made)
    return made


def _play(position: Position, seed: int, most: int) -> int:
    """Play one game to its end or as far as it may go; how many actions it took."""
    run, luck, actions = BrotherhoodRun(position), Luck(seed), 0
    table, stages = run.table, position.ground.law.stages
    pick = Random(seed).choice
    while actions < most and table.stage != OVER:
        dealing = stages[table.now].deal
        ply = pick(choices(table)) if dealing is None else (CHANCE, dealing(table, luck))
        # Judged once more, as the peer does.
        assert run.advance(ply) is None
        actions += 1
    return actions


def _play_theirs(actions: int) -> int:
    """Play games of the peer's until so many actions have been made."""
    made = 0
    colours = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
    while made < actions:
        game = Game([RandomPlayer(colour) for colour in colours])
        while made < actions and game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
            game.play_tick()
            made += 1
    return made
