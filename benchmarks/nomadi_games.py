"""Nomadi's single moves: judged as they were made in sampled games, beside python-chess judging its own."""

from collections.abc import Iterator
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
from pbem.judging.lookahead import play_out


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """Moves by one die judged per second."""
    steps = sample_steps(sizes.nomadi_games)
    boards = [step for game in sample_chess(sizes.chess_games) for step in chess_steps(game)]
    contenders = [
        Contender("ours", len(steps), _judge_all, lambda number: steps, len(steps)),
        Contender("theirs", len(boards), _judge_chess, lambda number: boards, len(boards)),
    ]
    paces = race(contenders, rounds=sizes.short_rounds, tell=tell)
    yield Row.of_rates(
        "moves by one die judged", "moves/s", ours=paces["ours"], peer="is_legal", theirs=paces["theirs"]
    )


def sample_steps(amount: int) -> list[tuple[Any, Ply]]:
    """Positions of sampled games, each with the step that was made there."""
    found = []
    for number in range(amount):
        players = GAME.players[number % len(GAME.players)]
        dealer = KeyedDealer(b"nomadi %d" % number)
        position: Any = GAME.start(GAME.lay_out(Setup(GAME.seats[:players]), dealer))
        for played in play_out(GAME, position, dealer):
            if isinstance(played.ply.move, Step):
                found.append((position, played.ply))
            position = played.after
    return found


def _judge_all(steps: list[tuple[Any, Ply]]) -> int:
    return sum(GAME.judge(position, ply) is None for position, ply in steps)


def _judge_chess(boards: list[ChessStep]) -> int:
    return sum(board.is_legal(move) for board, move in boards)
