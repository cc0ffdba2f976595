"""Fold plies over a position, judging each one.

A replay never skips: it stops at the first ply refused and says which. It knows nothing of text.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic

from engine.game import Game, P, Ply
from engine.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Replay(Generic[P]):
    """How far the plies went: the position reached, how many were played, and what stopped them."""

    position: P
    played: int
    verdict: Verdict | None = None


def replay(game: Game[P], position: P, plies: Iterable[Ply]) -> Replay[P]:
    """Play `plies` from `position` until they end or one is refused."""
    judge, apply = game.judge, game.apply
    played = 0
    for ply in plies:
        verdict = judge(position, ply)
        if verdict is not None:
            return Replay(position, played, verdict)
        position = apply(position, ply)
        played += 1
    return Replay(position, played)
