"""Commitments: values that are fixed and hidden now, and can be shown to have been so later.

The secrets of a game, its seed and its blind key, are committed to before anybody accepts. Every hidden field of an
event is committed to with a blinding of its own: without one, anybody could try all the cards there are.
"""

import hashlib
import hmac
from typing import Final, NamedTuple

from engine.digest import canonical

SECRET: Final = 32
"""Bytes in a seed, a blind key or a blinding."""

_SEED: Final = "pbm-seed-1"
_BLIND_KEY: Final = "pbm-blind-1"
_BLINDING: Final = "pbm-blinding-1"
_FIELD: Final = b"\x02"


class Opening(NamedTuple):
    """A hidden field shown: all that is needed to check its commitment. `blinding` is in hexadecimal digits."""

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


class Sealer:
    """Seals and opens the hidden fields of one game; everything follows from its blind key."""

    def __init__(self, game: str, key: bytes) -> None:
        self.game = game
        self._key = key

    def open(self, seq: int, field: str, value: str) -> Opening:
        """What shows a field to whoever may know it."""
        named = canonical([_BLINDING, self.game, seq, field])
        return Opening(seq, field, value, hmac.digest(self._key, named, "sha256").hex())

    def commit(self, seq: int, field: str, value: str) -> str:
        """The commitment to a field."""
        return commitment(self.game, self.open(seq, field, value))
