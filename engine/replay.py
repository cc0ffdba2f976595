"""Fold plies over a position, judging each one.

A replay never skips: it stops at the first ply refused and says which. It knows nothing of text.
"""

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, Protocol, TypeVar

from engine.game import Game, P, Ply, Seat
from engine.verdict import Verdict

R = TypeVar("R", covariant=True)


class Replay(NamedTuple, Generic[P]):
    """How far the plies went: the position reached, how many were played, and what stopped them."""

    position: P
    played: int
    verdict: Verdict | None = None


class Run(Protocol[R]):
    """A game carried forward in place, ply by ply."""

    @property
    def turn(self) -> int:
        """The number of the turn being played."""
        ...

    def advance(self, ply: tuple[Seat, object]) -> Verdict | None:
        """Play a ply, or the pair that it is, if it is legal; else change nothing and say which rule it breaks."""
        ...

    def position(self) -> R:
        """The position reached."""
        ...


class PlainRun(Generic[P]):
    """The run of a game that does not define one."""

    def __init__(self, game: Game[P], position: P) -> None:
        self._game = game
        self._position = position

    @property
    def turn(self) -> int:
        """The number of the turn being played."""
        return self._game.turn(self._position)

    def advance(self, ply: tuple[Seat, object]) -> Verdict | None:
        """Judge, then apply."""
        played = Ply(*ply)
        verdict = self._game.judge(self._position, played)
        if verdict is None:
            self._position = self._game.apply(self._position, played)
        return verdict

    def position(self) -> P:
        """The position reached."""
        return self._position


def run(game: Game[P], position: P) -> Run[P]:
    """Carry a game forward from `position`.

    A game may define its own `run`, which must do the same faster; the contract checks that.
    """
    own: Callable[[P], Run[P]] | None = getattr(game, "run", None)
    return own(position) if own is not None else PlainRun(game, position)


def replay(game: Game[P], position: P, plies: Iterable[Ply]) -> Replay[P]:
    """Play `plies` from `position` until they end or one is refused."""
    table = run(game, position)
    advance = table.advance
    played = 0
    for ply in plies:
        verdict = advance(ply)
        if verdict is not None:
            return Replay(table.position(), played, verdict)
        played += 1
    return Replay(table.position(), played)
