"""Draws that can be replayed from the seed, and commitments to what is hidden.

A draw follows from the game's key and from its place in the game: how often the table went back, how many moves were
made, which draw it is there, its purpose, and the chain of all moves. The key follows from the committed seed and from
the entropy in the players' acceptances. Nobody can predict a draw without the seed; with it, everybody can replay all.

The secrets of a game, its seed and its blind key, are committed to before anybody accepts. Every hidden field of an
event has a commitment with its own blinding: without one, anybody could find a card by trying all there are.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.digest import canonical

_KEY: Final = "pbm-key-1"
_DRAW: Final = "pbm-draw-1"
_SEATS: Final = "pbm-seats-1"
_WORD: Final = 8  # bytes
_SPAN: Final = 1 << (8 * _WORD)


def draw_key(seed: bytes, game: str, entropy: Sequence[str], beacon: str | None = None) -> bytes:
    """The key of a game's draws; `entropy` are the digests in the acceptances, in seat order."""
    return hmac.digest(seed, canonical([_KEY, game, [*entropy], beacon]), "sha256")


def seat_lot(seed: bytes, game: str, entropy: str) -> bytes:
    """The lot of whoever sits down without a wish; the lowest has the first seat. `entropy` is in the acceptance."""
    return hmac.digest(seed, canonical([_SEATS, game, entropy]), "sha256")


class DrawPlace(NamedTuple):
    """The place of a draw in a game: the chain of moves so far, its length, and how often the table went back."""

    game: str
    epoch: int
    plies: int
    moves: str
    beacon: str | None = None


class BoundDealer:
    """A Dealer for one place in a game; its picks are numbered."""

    def __init__(self, key: bytes, place: DrawPlace) -> None:
        self._key = key
        self._place = place
        self._picks = 0

    def pick(self, count: int, purpose: str) -> int:
        """One of `count` outcomes, uniformly: random words that would favour some outcomes are skipped."""
        if not 1 <= count <= _SPAN:
            raise ValueError(f"cannot pick one of {count}")
        self._picks += 1
        return _fair(self._key, draw_question(self._place, self._picks, purpose), count)


def draw_question(place: DrawPlace, number: int, purpose: str) -> list[object]:
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


SECRET: Final = 32
"""Bytes in a seed, a blind key or a blinding."""

_SEED: Final = "pbm-seed-1"
_BLIND_KEY: Final = "pbm-blind-1"
_BLINDING: Final = "pbm-blinding-1"
_BLINDING_IN_EPOCH: Final = "pbm-blinding-2"
_FIELD: Final = b"\x02"
_TOLD: Final = b"\x04"
_TEXT: Final = "pbm-told-1"


class Opening(NamedTuple):
    """The value of a hidden field with what is needed to check its commitment; `blinding` is in hexadecimal digits."""

    seq: int
    field: str
    value: str
    blinding: str


def commit_seed(game: str, seed: bytes) -> str:
    """The commitment to a game's seed."""
    return hashlib.sha256(canonical([_SEED, game, seed.hex()])).hexdigest()


def commit_blind_key(game: str, key: bytes) -> str:
    """The commitment to a game's blind key."""
    return hashlib.sha256(canonical([_BLIND_KEY, game, key.hex()])).hexdigest()


def commitment(game: str, opening: Opening) -> str:
    """The commitment that an opening opens."""
    named = canonical([game, opening.seq, opening.field, opening.value])
    return hashlib.sha256(_FIELD + bytes.fromhex(opening.blinding) + named).hexdigest()


def seal_text(game: str, seq: int, field: str, text: str, salt: bytes) -> str:
    """The seal of a name or of free words: its salt follows from no secret of the game, because those are opened."""
    return hashlib.sha256(_TOLD + salt + canonical([_TEXT, game, seq, field, text])).hexdigest()


class Sealer:
    """Seals and opens the hidden fields of one game; everything follows from its blind key.

    In games of the second form blindings depend on the epoch too: numbers of events come again after a restore.
    """

    def __init__(self, game: str, key: bytes) -> None:
        self.game = game
        self._key = key

    def open(self, seq: int, field: str, value: str, epoch: int | None = None) -> Opening:
        """The opening that shows a field to those who may know it; `epoch` is None in games of the first form."""
        place: list[object] = [self.game, seq, field] if epoch is None else [self.game, epoch, seq, field]
        named = canonical([_BLINDING if epoch is None else _BLINDING_IN_EPOCH, *place])
        return Opening(seq, field, value, hmac.digest(self._key, named, "sha256").hex())

    def commit(self, seq: int, field: str, value: str, epoch: int | None = None) -> str:
        """The commitment to a field."""
        return commitment(self.game, self.open(seq, field, value, epoch))
