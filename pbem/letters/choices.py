"""What a seat may do now: its legal moves, the form of an order, and a whole turn as an example."""

from dataclasses import dataclass
from typing import Any

from engine.game import Ply, Seat
from notation import write_moves
from pbem.tables.table import Table


@dataclass(frozen=True, slots=True)
class Choices:
    """The moves open to a seat, in the game's order, and a legal turn made of the first of them."""

    moves: tuple[Any, ...]
    phrases: tuple[str, ...]
    example: str


def find_choices(table: Table, seat: Seat) -> Choices | None:
    """What a seat may do; None when it is not due."""
    if seat not in table.due:
        return None
    moves = tuple(ply.move for ply in table.game.legal(table.position) if ply.seat == seat)
    phrases = tuple(write_moves(table.game, (move,)) for move in moves)
    return Choices(moves, phrases, _example(table, seat))


def _example(table: Table, seat: Seat) -> str:
    """A whole turn of legal moves, always the first there is: an example, not advice."""
    game, position, moves = table.game, table.position, []
    turn = game.turn(position)
    while seat in game.to_act(position) and game.turn(position) == turn:
        ply: Ply | None = next((ply for ply in game.legal(position) if ply.seat == seat), None)
        if ply is None:
            break
        moves.append(ply.move)
        position = game.apply(position, ply)
    return write_moves(game, tuple(moves)) if moves else ""
