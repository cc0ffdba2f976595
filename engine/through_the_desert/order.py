"""Whose turn it is: who may place, when a turn is over, when the game is.

It knows TD-P1, TD-T1 to TD-T3 and TD-S1; where a single camel may go is asked of `places`.
"""

from engine.through_the_desert.legal import can_place
from engine.through_the_desert.position import CAMELS, LAST, OVER, Position


def quota(position: Position) -> int:
    """How many camels the turn being played has (TD-T1, TD-T2)."""
    return 1 if position.turn < position.ground.full_turn else 2


def end_turn(position: Position) -> Position:
    """Hand the turn to the next seat, or end the game if a herd is empty (TD-S1)."""
    seats = len(position.ground.seats)
    return position._replace(
        phase=OVER if position.phase == LAST else CAMELS,
        turn=position.turn + 1,
        who=(position.who + 1) % seats,
        placed=0,
    )


def settle(position: Position) -> Position:
    """Draw the conclusions that a position leaves open (TD-T3); the position itself if there are none."""
    if position.phase not in (CAMELS, LAST) or can_place(position, position.who):
        return position
    if position.placed:
        position = end_turn(position)
    if position.phase == OVER or any(can_place(position, who) for who in range(len(position.ground.seats))):
        return position
    return position._replace(phase=OVER)
