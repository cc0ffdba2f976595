"""The ways that stones went, as arrows.

A turn is one way after the other. Where a jump bent need not be told: it led over stones, so taking the later moves
back shows over which. An arrow runs below the stones it jumps and shows between them; only its head and the die that
was played lie on top.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.game import View
from engine.nomadi.board import place
from pbem.render.geometry import Point
from pbem.render.scenes.nomadi.ground import LETTERS, centre

TIP: Final = 16
"""From the tip of an arrow to the middle of the square it leads to."""
HEAD: Final = 11
"""The length of an arrow's head, and half of its width."""
WIDE: Final = 8
BADGE: Final = 18
"""From the middle of a square to the die that was played there, unless the arrow is too short."""
ROOM: Final = 9
"""From the middle of that die to the head of a short arrow."""


class DrawnMove(NamedTuple):
    """From where to where; the die and the bend if they are known."""

    origin: str
    target: str
    bend: str | None = None
    die: int | None = None


class Arrow(NamedTuple):
    """A move on paper: path data of its line and of its head, and where its die is shown."""

    move: DrawnMove
    line: str
    head: str
    badge: Point


def read_moves(view: View, marked: Sequence[str]) -> list[DrawnMove]:
    """The moves of this turn; while there are none, those marked as the last turn's: ``F12-I15``, ``F12-I12-I15``."""
    steps = view["steps"]
    if steps:
        return [DrawnMove(step["origin"], step["target"], step["bend"], step["die"]) for step in steps]
    ways = [mark.split("-") for mark in marked if "-" in mark]
    return [DrawnMove(way[0], way[-1], way[1] if len(way) > 2 else None) for way in ways]


def find_bends(moves: Sequence[DrawnMove], stones: Iterable[str]) -> list[DrawnMove]:
    """The same moves, which led to these stones, with the bends that follow from them."""
    standing = set(stones)
    found: list[DrawnMove] = []
    for move in reversed(moves):
        standing.discard(move.target)
        found.append(move if move.bend else move._replace(bend=_bend(move, standing)))
        standing.add(move.origin)
    return found[::-1]


def _bend(move: DrawnMove, standing: set[str]) -> str | None:
    """The corner of a way that leads over nothing but stones; None for a straight one."""
    (column, row), (to_column, to_row) = place(move.origin), place(move.target)
    if column == to_column or row == to_row or {abs(to_column - column), abs(to_row - row)} == {1}:
        return None
    for corner in ((to_column, row), (column, to_row)):
        over = [*_between((column, row), corner), corner, *_between(corner, (to_column, to_row))]
        if all(_name(*square) in standing for square in over):
            return _name(*corner)
    return None


def _between(one: tuple[int, int], other: tuple[int, int]) -> list[tuple[int, int]]:
    """The squares between two of the same row or column."""
    (column, row), (to_column, to_row) = one, other
    reach = max(abs(to_column - column), abs(to_row - row))
    return [(column + (to_column - column) * at // reach, row + (to_row - row) * at // reach) for at in range(1, reach)]


def _name(column: int, row: int) -> str:
    return f"{LETTERS[column]}{row + 1}"


def draw_way(move: DrawnMove) -> Arrow:
    """An arrow along a move."""
    points = [centre(square) for square in (move.origin, move.bend, move.target) if square]
    before, end = points[-2], points[-1]
    along = _direction(before, end)
    tip, base = _away(end, along, -TIP), _away(end, along, -TIP - HEAD)
    across = (-along[1], along[0])
    wings = _away(base, across, WIDE), _away(base, across, -WIDE)
    line = "M" + "L".join(_write(point) for point in (*points[:-1], base))
    head = f"M{_write(tip)}L{_write(wings[0])}L{_write(wings[1])}z"
    room = math.dist(points[0], points[1]) - TIP - HEAD - ROOM
    badge = _away(points[0], _direction(points[0], points[1]), min(BADGE, room))
    return Arrow(move, line, head, Point(round(badge[0]), round(badge[1])))


def _direction(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    long = math.dist(start, end)
    return (end[0] - start[0]) / long, (end[1] - start[1]) / long


def _away(point: tuple[float, float], direction: tuple[float, float], by: float) -> tuple[float, float]:
    return point[0] + direction[0] * by, point[1] + direction[1] * by


def _write(point: tuple[float, float]) -> str:
    return f"{point[0]:.4g} {point[1]:.4g}"
