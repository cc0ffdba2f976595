"""Play without any text: judging and applying prepared plies, listing legal ones, making new positions."""

from collections.abc import Iterator, Sequence
from typing import Any

import chess

from benchmarks.chess_games import ChessGame, sample_chess
from benchmarks.desert_games import DesertGame, sample_desert
from benchmarks.measuring import Contender, Pace, Tell, race
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Target
from engine.game import Ply
from engine.replay import replay
from engine.through_the_desert import GAME

Step = tuple[Any, Ply]
"""A position and the ply made in it."""

ChessStep = tuple[chess.Board, chess.Move]


def measure_judging(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """Whole games judged and applied, ply by ply."""
    desert, games = sample_desert(sizes.desert_games), sample_chess(sizes.chess_games)
    contenders = [
        Contender(
            name="ours",
            amount=sum(len(game.plies) for game in desert),
            run=_replay_all,
            prepare=lambda number: desert,
            expected=[len(game.plies) for game in desert],
        ),
        Contender(
            name="theirs",
            amount=sum(len(game.moves) for game in games),
            run=_push_all,
            prepare=lambda number: games,
            expected=[len(game.moves) for game in games],
        ),
    ]
    paces = race(contenders, rounds=sizes.short_rounds, tell=tell)
    yield Row.of_rates(
        "judge + apply prepared plies",
        "plies/s",
        ours=paces["ours"],
        peer="is_legal + push",
        theirs=paces["theirs"],
        target=Target(3, at_least=True, aim=5),
    )


def measure_listing(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """All legal plies of every position of some games, and every new position made."""
    desert = [step for game in sample_desert(sizes.desert_games) for step in _steps(game)]
    boards = [step for game in sample_chess(sizes.chess_games) for step in chess_steps(game)]
    legal, their_legal = _list_all(desert), _list_all_moves(boards)
    contenders = [
        Contender("legal", len(desert), _list_all, lambda number: desert, legal),
        Contender("their legal", len(boards), _list_all_moves, lambda number: boards, their_legal),
        Contender("apply", len(desert), _apply_each, lambda number: desert, len(desert)),
        Contender("their apply", len(boards), _push_each, lambda number: boards, len(boards)),
    ]
    paces = race(contenders, rounds=sizes.short_rounds, tell=tell)
    yield Row.of_rates(
        f"legal, {legal / len(desert):.0f} plies listed on average",
        "positions/s",
        ours=paces["legal"],
        peer=f"legal_moves, {their_legal / len(boards):.0f} moves",
        theirs=paces["their legal"],
    )
    listed, their_listed = (
        Pace(amount, paces[name].seconds) for name, amount in (("legal", legal), ("their legal", their_legal))
    )
    yield Row.of_rates(
        "legal, each listed ply",
        "plies/s",
        ours=listed,
        peer="legal_moves, each listed move",
        theirs=their_listed,
        target=Target(1.2, at_least=True),
    )
    yield Row.of_rates(
        "apply, a new position each",
        "plies/s",
        ours=paces["apply"],
        peer="copy(stack=False) + push",
        theirs=paces["their apply"],
    )


def _replay_all(games: Sequence[DesertGame]) -> list[int]:
    return [replay(GAME, game.start, game.plies).played for game in games]


def _push_all(games: Sequence[ChessGame]) -> list[int]:
    return [_push(game.moves) for game in games]


def _push(moves: Sequence[chess.Move]) -> int:
    board = chess.Board()
    for move in moves:
        if not board.is_legal(move):
            break
        board.push(move)
    return len(board.move_stack)


def _steps(game: DesertGame) -> Iterator[Step]:
    position = game.start
    for ply in game.plies:
        yield position, ply
        position = GAME.apply(position, ply)


def chess_steps(game: ChessGame) -> Iterator[ChessStep]:
    """The positions of a game of chess, each with the move made in it."""
    board = chess.Board()
    for move in game.moves:
        yield board.copy(stack=False), move
        board.push(move)


def _list_all(steps: Sequence[Step]) -> int:
    legal = GAME.legal
    return sum(len(list(legal(position))) for position, _ in steps)


def _list_all_moves(steps: Sequence[ChessStep]) -> int:
    return sum(len(list(board.legal_moves)) for board, _ in steps)


def _apply_each(steps: Sequence[Step]) -> int:
    apply = GAME.apply
    return sum(apply(position, ply) is not position for position, ply in steps)


def _push_each(steps: Sequence[ChessStep]) -> int:
    made = 0
    for board, move in steps:
        after = board.copy(stack=False)
        after.push(move)
        made += 1
    return made
