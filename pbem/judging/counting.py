"""Counting positions: how many sequences of legal plies there are, to a depth (perft), and how many ends a turn has."""

from collections.abc import Callable
from typing import Any

from engine.game import Game, Seat
from pbem.judging.suggesting import goes_on, step


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


def count_ends(game: Game[Any], position: Any, seat: Seat, *, tell: Callable[[int], None] | None = None) -> int:
    """In how many different ways a seat's turn can end, or come to where chance or others go on."""
    quickly = game.count_ends(position)
    if quickly is not None:
        return quickly
    known = {game.essence(position)}
    open_positions, ends = [position], 0
    while open_positions:
        before = open_positions.pop()
        for _, after in step(game, before, seat, known):
            if goes_on(game, before, after, seat):
                open_positions.append(after)
            else:
                ends += 1
        if tell is not None:
            tell(ends)
    return ends
