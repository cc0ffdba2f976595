"""Whole turns that a seat could make, found by looking ahead: a help to choose, and no rule.

There may be millions, so only the most promising tables are followed, move by move. What can be done is the game's to
say, and so is what seems good. A suggestion goes as far as a player can see: chance and other people end it.
"""

from collections.abc import Callable, Hashable, Iterator
from heapq import nlargest
from typing import Any, Final, NamedTuple

from engine.game import Game, Seat

WIDTH: Final = 64
"""How many tables are followed at once."""
LONGEST: Final = 24
"""How many moves a suggestion may have."""


class Suggestion(NamedTuple):
    """Moves of one seat, the position after them, and how well the seat would seem to stand."""

    moves: tuple[Any, ...]
    after: Any
    prospect: int


def suggest(
    game: Game[Any], position: Any, seat: Seat, *, width: int = WIDTH, tell: Callable[[int], None] | None = None
) -> list[Suggestion]:
    """Turns of a seat that lead to different positions, the most promising first; none if it is not due.

    `tell` hears now and then how many positions were looked at.
    """
    begun = [Suggestion((), position, 0)]
    known = {game.essence(position)}
    found: list[Suggestion] = []
    for _ in range(LONGEST):
        longer: list[Suggestion] = []
        for moves, before, _ in begun:
            for move, after in step(game, before, seat, known):
                one = Suggestion((*moves, move), after, game.prospect(after, seat))
                (longer if goes_on(game, before, after, seat) else found).append(one)
            if tell is not None:
                tell(len(known))
        begun = nlargest(width, longer, key=lambda one: one.prospect)
    return sorted(found, key=lambda one: -one.prospect)


def step(game: Game[Any], before: Any, seat: Seat, known: set[Hashable]) -> Iterator[tuple[Any, Any]]:
    """The moves of a seat that lead to what is not known yet, and where they lead; from then on it is known."""
    for ply in game.legal(before):
        if ply.seat == seat:
            after = game.apply(before, ply)
            essence = game.essence(after)
            if essence not in known:
                known.add(essence)
                yield ply.move, after


def goes_on(game: Game[Any], before: Any, after: Any, seat: Seat) -> bool:
    """Whether a seat can foresee more of its turn: it is still the same, and the seat itself to move."""
    return seat in game.to_act(after) and game.turn(after) == game.turn(before)
