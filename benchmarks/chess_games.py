"""The peer's input: random legal games of chess, as PGN and as moves."""

import io
import random
from functools import cache
from typing import Final, NamedTuple

import chess
import chess.pgn

LONGEST: Final = 80
"""Half-moves after which a game is broken off; random games would go on for hundreds."""


class ChessGame(NamedTuple):
    """A game as text and as moves."""

    text: str
    moves: tuple[chess.Move, ...]


@cache
def sample_chess(amount: int) -> tuple[ChessGame, ...]:
    """Games in which every move is drawn from the legal ones; the same games in every run."""
    luck = random.Random(1)
    return tuple(_play(luck) for _ in range(amount))


def _play(luck: random.Random) -> ChessGame:
    board = chess.Board()
    while len(board.move_stack) < LONGEST and not board.is_game_over():
        board.push(luck.choice(list(board.legal_moves)))
    game = chess.pgn.Game.from_board(board)
    return ChessGame(f"{game}\n\n", tuple(board.move_stack))


class Counter(chess.pgn.BaseVisitor[int]):
    """Reads a game without building its tree, the quickest that python-chess offers with every move checked."""

    def __init__(self) -> None:
        self._moves = 0

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        """Count a move; python-chess has parsed and judged it."""
        self._moves += 1

    def handle_error(self, error: Exception) -> None:
        """Stop at an illegal move."""
        raise error

    def result(self) -> int:
        """The moves read."""
        return self._moves


def read_trees(text: str) -> int:
    """Read all games as python-chess reads them by default; the number of half-moves."""
    stream = io.StringIO(text)
    moves = 0
    while (game := chess.pgn.read_game(stream)) is not None:
        if game.errors:
            raise game.errors[0]
        moves += game.end().ply()
    return moves


def count_moves(text: str) -> int:
    """Read all games with a `Counter`; the number of half-moves."""
    stream = io.StringIO(text)
    moves = 0
    while (read := chess.pgn.read_game(stream, Visitor=Counter)) is not None:
        moves += read
    return moves
