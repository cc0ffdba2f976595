"""What a simple player of Nomadi looks at: coins, and how far the caravan still has to go. No rule stands here."""

from functools import cache

from engine.game import Seat
from engine.nomadi.board import each, place, squares
from engine.nomadi.position import Position

COIN = 12
"""Steps of the caravan that a coin is worth."""


def prospect(position: Position, seat: Seat) -> int:
    """How well a seat seems to stand: the whole caravan must come home, and one's own stones a little sooner."""
    who, goal = position.ground.seats.index(seat), position.ground.goal
    way = sum(
        _way(bit, goal) * (3 if owner == who else 2) for owner, own in enumerate(position.stones) for bit in each(own)
    )
    return COIN * position.coins[who] - way


@cache
def _way(bit: int, goal: int) -> int:
    """Steps from a square to the nearest square of the goal, along rows and columns."""
    (square,) = squares(bit)
    column, row = place(square)
    return min(abs(column - across) + abs(row - down) for across, down in map(place, squares(goal)))
