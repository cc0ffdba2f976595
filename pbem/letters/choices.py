"""What a seat may do now: its legal moves, and a whole turn as an example."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from engine.game import Game, Seat
from notation import write_moves
from pbem.tables.table import Table


class Choices:
    """The moves open to a seat, in the game's order, and a legal turn made of the first of them."""

    def __init__(self, game: Game[Any], moves: tuple[Any, ...], example: str) -> None:
        self._game = game
        self.moves = moves
        self.example = example

    @cached_property
    def phrases(self) -> list[str]:
        """The moves in notation."""
        return [write_moves(self._game, (move,)) for move in self.moves]

    @cached_property
    def spaces(self) -> Mapping[str, list[str]]:
        """The spaces that are open to each colour, for games whose moves name both."""
        gathered: dict[str, list[str]] = {}
        for move in self.moves:
            if hasattr(move, "colour") and hasattr(move, "space"):
                gathered.setdefault(move.colour, []).append(move.space)
        return gathered


def find_choices(table: Table, seat: Seat) -> Choices | None:
    """What a seat may do; None when it is not due."""
    if seat not in table.due:
        return None
    moves = tuple(ply.move for ply in table.game.legal(table.position) if ply.seat == seat)
    return Choices(table.game, moves, _example(table, seat))


def _example(table: Table, seat: Seat) -> str:
    """A whole turn of legal moves, always the first there is: an example, not advice."""
    game, position, moves = table.game, table.position, []
    turn = game.turn(position)
    while seat in game.to_act(position) and game.turn(position) == turn:
        ply = next((ply for ply in game.legal(position) if ply.seat == seat), None)
        if ply is None:
            break
        moves.append(ply.move)
        position = game.apply(position, ply)
    return write_moves(game, tuple(moves)) if moves else ""
