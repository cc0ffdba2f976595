"""Nomadi: single moves judged, beside python-chess judging its own, and all that whole turns can come to, listed."""

import gc
import time
from collections.abc import Iterator
from multiprocessing import Pool
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import median, quantiles
from typing import Any, NamedTuple

from benchmarks.chess_games import sample_chess
from benchmarks.measuring import Contender, Tell, race
from benchmarks.playing import ChessStep, chess_steps
from benchmarks.sizes import Sizes
from benchmarks.table import Row
from engine.chance import KeyedDealer
from engine.game import Ply, Setup
from engine.nomadi import GAME
from engine.nomadi.moves import Step
from engine.nomadi.outcomes import Outcomes
from pbem.referee.sampling import play_out


class Listed(NamedTuple):
    """All tables to which a turn can lead: how many, in how many seconds, and the memory of the process by then."""

    tables: int
    seconds: float
    megabytes: float


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """Moves by one die judged per second; the time that it takes to list all that a turn can lead to."""
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
    # Positions from all games and all moments of a turn, so that a sixth of them has all its dice still to play.
    drawn = Random(len(steps)).sample(steps, sizes.listed)
    yield from _list_all([position._replace(unplayed=position.unplayed[: sizes.dice]) for position, _ in drawn], tell)


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


def _list_all(positions: list[Any], tell: Tell) -> Iterator[Row]:
    """How long the lists take, and how long they are; as many are made at once as the machine has cores."""
    listed = []
    with Pool(maxtasksperchild=10) as pool:  # what one list leaves behind is not charged to many others
        for one in pool.imap(_list_tables, positions):
            if len(listed) % 100 == 0:
                tell(f"listing all tables of position {len(listed) + 1} of {len(positions)}")
            listed.append(one)
    times = [1000 * one.seconds for one in listed]
    what = f"all tables a turn can lead to, {len(positions):,} positions"
    yield Row(f"{what}: in the middle", "ms", median(times))
    if len(times) > 1:
        yield Row(f"{what}: 99 of 100 within", "ms", quantiles(times, n=100, method="inclusive")[-1])
    yield Row(f"{what}: at worst", "ms", max(times))
    yield Row(f"{what}: in the middle", "tables", median([one.tables for one in listed]))
    yield Row(f"{what}: at most", "tables", max([one.tables for one in listed]))
    yield Row(f"{what}: memory at most", "MB", max([one.megabytes for one in listed]))


def _list_tables(position: Any) -> Listed:
    gc.disable()
    begun = time.process_time()
    tables = len(Outcomes(position))
    seconds = time.process_time() - begun
    return Listed(tables, seconds, getrusage(RUSAGE_SELF).ru_maxrss / 1024)
