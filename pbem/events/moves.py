"""The chain of moves: what has been played so far, in one hash, without words, times or letters.

Draws are bound to it. It grows by single moves in the form that everybody may read, so that neither free words, nor
press, votes or pauses, nor how a turn is spread over letters can stir the dice. It is never cut: moves that are taken
back stay in it.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.digest import canonical
from engine.game import CHANCE

_MARK: Final = "pbm-moves-1"
PLIES: Final = "plies"
"""Where an event that holds several moves has them one by one, as everybody may read them."""


class Moves(NamedTuple):
    """How many links the chain has, and the last of them in hexadecimal digits."""

    length: int
    head: str

    def then(self, seat: str, turn: int, text: str) -> "Moves":
        """The chain with one more move."""
        said = hashlib.sha256(canonical([seat, turn, text])).digest()
        grown = hashlib.sha256(b"\x03" + _MARK.encode() + bytes.fromhex(self.head) + said)
        return Moves(self.length + 1, grown.hexdigest())


NO_MOVES: Final = Moves(0, "0" * 64)
"""The chain of no game."""


def first_link(game: str) -> Moves:
    """The chain of a game in which nothing has been drawn or played."""
    return Moves(0, hashlib.sha256(canonical([_MARK, game])).hexdigest())


def after(moves: Moves, kind: str, data: Mapping[str, Any]) -> Moves:
    """The chain after an event: the set-up is its first link, every move another, and all else changes nothing."""
    if kind == "started":
        return moves.then(CHANCE, 0, canonical(data["options"]).decode())
    if kind in ("played", "dealt"):
        for text in data.get(PLIES) or (data["phrase"],):
            moves = moves.then(data["seat"], data["turn"], text)
    return moves
