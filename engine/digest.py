"""The digest of a state: equal states, equal digest, on every machine and in every year.

It is taken of the public view, so writing it into a public record gives no secret away, and anyone with the
record can check it. How the view is written before hashing is part of the record format (docs/notation.md).
"""

import hashlib
from json import JSONEncoder
from typing import Final

from engine.game import PUBLIC, Game, P

LENGTH = 32
"""Hexadecimal digits in a digest."""

_WRITER: Final = JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
"""Made once: `json.dumps` would make another for every call."""


def canonical(data: object) -> bytes:
    """Plain data as bytes in one form: JSON, keys sorted, no blanks, UTF-8."""
    return _WRITER.encode(data).encode()


def digest(game: Game[P], position: P) -> str:
    """The digest of what everybody may know of `position`."""
    named = [game.key, game.edition, game.view(position, PUBLIC)]
    return hashlib.sha256(canonical(named)).hexdigest()[:LENGTH]
