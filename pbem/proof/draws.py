"""Draws that nobody can steer, foresee without the seed, or make again: level 1 of the proof.

A draw follows from the game's key and from the place in the game where it is made: how often the table went back, how
many moves were made, which draw it is there, what for, and the chain of all moves. The key follows from the committed
seed and from what the players' acceptances stirred in. Whoever has the opened seed can make every draw again.
"""

import hmac
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.digest import canonical

_KEY: Final = "pbm-key-1"
_DRAW: Final = "pbm-draw-1"
_WORD: Final = 8  # bytes
_SPAN: Final = 1 << (8 * _WORD)


def draw_key(seed: bytes, game: str, stirred: Sequence[str], beacon: str | None = None) -> bytes:
    """The key of a game's draws: `stirred` are the digests that the acceptances brought, in seat order."""
    return hmac.digest(seed, canonical([_KEY, game, [*stirred], beacon]), "sha256")


class Place(NamedTuple):
    """Where in a game something is drawn: the chain of moves so far, its length, and how often the table went back."""

    game: str
    epoch: int
    plies: int
    moves: str
    beacon: str | None = None


class BoundDealer:
    """A Dealer for one place in a game. Every pick made there has the next number."""

    def __init__(self, key: bytes, place: Place) -> None:
        self._key = key
        self._place = place
        self._picks = 0

    def pick(self, count: int, purpose: str) -> int:
        """One outcome of `count`, uniform: words that would favour some outcomes are thrown away."""
        if not 1 <= count <= _SPAN:
            raise ValueError(f"cannot pick one of {count}")
        self._picks += 1
        return _fair(self._key, draw_question(self._place, self._picks, purpose), count)


def draw_question(place: Place, number: int, purpose: str) -> list[object]:
    """What is hashed for the draw of that number, from 1, at a place."""
    game, epoch, plies, moves, beacon = place
    return [_DRAW, game, epoch, plies, number, purpose, moves, beacon]


def _fair(key: bytes, question: list[object], count: int) -> int:
    """The first 64-bit word below the largest multiple of `count`, taken modulo it; four words make a block."""
    fair = _SPAN - _SPAN % count
    block = 0
    while True:
        asked = [*question, block] if block else question
        digest = hmac.digest(key, canonical(asked), "sha256")
        for at in range(0, len(digest), _WORD):
            word = int.from_bytes(digest[at : at + _WORD], "big")
            if word < fair:
                return word % count
        block += 1
