"""Nomadi: single moves judged, and whole turns planned, beside python-chess judging single moves."""

import time
from collections.abc import Iterator
from itertools import islice
from statistics import median
from typing import Any

from benchmarks.chess_games import sample_chess
from benchmarks.measuring import Contender, Tell, race
from benchmarks.playing import ChessStep, chess_steps
from benchmarks.sizes import Sizes
from benchmarks.table import Row
from engine.chance import KeyedDealer
from engine.game import Ply, Setup
from engine.nomadi import GAME
from engine.nomadi.moves import Step
from engine.nomadi.planning import plans
from pbem.referee.sampling import play_out

MOST_PLANS = 2_000
"""Where the listing of a position's turns is cut off; an opening has many more."""


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """Moves by one die judged per second; the time that it takes to list all turns of a position."""
    steps = _sample_steps(sizes.nomadi_games)
    boards = [step for game in sample_chess(sizes.chess_games) for step in chess_steps(game)]
    contenders = [
        Contender("ours", len(steps), _judge_all, lambda number: steps, len(steps)),
        Contender("theirs", len(boards), _judge_chess, lambda number: boards, len(boards)),
    ]
    paces = race(contenders, rounds=sizes.short_rounds, tell=tell)
    yield Row.of_rates(
        "moves by one die judged", "moves/s", ours=paces["ours"], peer="is_legal", theirs=paces["theirs"]
    )
    thrown = [position for position, ply in steps if len(position.unplayed) == len(position.dice)]
    tell(f"planning {min(len(thrown), sizes.planned)} turns")
    yield from _plan_all(thrown[: sizes.planned])


def _sample_steps(amount: int) -> list[tuple[Any, Ply]]:
    """Positions of sampled games, each with the step that was made there."""
    found = []
    for number in range(amount):
        players = GAME.players[number % len(GAME.players)]
        dealer = KeyedDealer(b"nomadi %d" % number)
        position = GAME.start(GAME.lay_out(Setup(GAME.seats[:players]), dealer))
        for played in play_out(GAME, position, dealer):
            if isinstance(played.ply.move, Step):
                found.append((position, played.ply))
            position = played.after
    return found


def _judge_all(steps: list[tuple[Any, Ply]]) -> int:
    return sum(GAME.judge(position, ply) is None for position, ply in steps)


def _judge_chess(boards: list[ChessStep]) -> int:
    return sum(board.is_legal(move) for board, move in boards)


def _plan_all(positions: list[Any]) -> Iterator[Row]:
    """How long the list of turns takes, in the middle and at worst."""
    times, cut = [], 0
    for position in positions:
        begun = time.process_time()
        found = sum(1 for _ in islice(plans(position), MOST_PLANS))
        times.append(time.process_time() - begun)
        cut += found == MOST_PLANS
    what = f"all turns of a throw, {len(positions):,} throws, {cut:,} cut at {MOST_PLANS:,} turns"
    yield Row(f"{what}: in the middle", "ms", 1000 * median(times))
    yield Row(f"{what}: at worst", "ms", 1000 * max(times))
