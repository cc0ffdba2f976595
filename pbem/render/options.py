"""What the moves of a turn leave on a picture: marks, written as words that need no position to be understood.

A mark is a space (``K7``, a hex ``H``, an intersection ``17``, a ``section 2``), or a way from one space to another
(``F12-I15``, with a bend ``F12-I12-I15``, a path ``17-18``). It is taken from what games call such things in their
moves; moves that name none leave no mark.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

SPACES: Final = {"space": "{}", "spot": "{}", "hex": "{}", "section": "section {}"}
"""What moves call a space, and how its mark is written."""


def marks_of(moves: Iterable[Any]) -> tuple[str, ...]:
    """The marks of some moves, each once, in order."""
    return tuple(dict.fromkeys(mark for move in moves for mark in _marks_of(move)))


def _marks_of(move: Any) -> Iterator[str]:
    spaces = [(written, getattr(move, name, None)) for name, written in SPACES.items()]
    yield from (written.format(space) for written, space in spaces if space is not None)
    for way in _ways_of(move):
        yield "-".join(str(point) for point in way if point)


def _ways_of(move: Any) -> Iterator[tuple[Any, ...]]:
    """From point to point; two numbers that a move calls `one` and `two` are the ends of a path."""
    if hasattr(move, "origin") and hasattr(move, "target"):
        yield move.origin, getattr(move, "bend", None), move.target
    if isinstance(getattr(move, "one", None), int):
        yield move.one, move.two
    if hasattr(move, "rebuilt"):
        yield move.rebuilt
    yield from getattr(move, "paths", ())
