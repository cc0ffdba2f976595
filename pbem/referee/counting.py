"""Counting positions: how many sequences of legal plies there are, to a depth (perft)."""

from collections.abc import Callable
from typing import Any

from engine.game import Game


def perft(game: Game[Any], position: Any, depth: int, *, tell: Callable[[int], None] | None = None) -> int:
    """The number of ways to make `depth` plies; ways that end sooner do not count.

    `tell` hears now and then how many were counted so far.
    """
    total = 0

    def descend(position: Any, depth: int) -> None:
        nonlocal total
        if depth == 1:
            total += sum(1 for _ in game.legal(position))
            if tell is not None:
                tell(total)
        else:
            for ply in game.legal(position):
                descend(game.apply(position, ply), depth - 1)

    descend(position, depth)
    return total
