"""The digest of a state: equal states, equal digest, on every machine and in every year.

It is taken of the public view, so writing it into a public record gives no secret away, and anyone with the
record can check it. How the view is written before hashing is part of the record format (docs/notation.md).
"""

import hashlib
from itertools import groupby
from json import JSONEncoder
from typing import TYPE_CHECKING, Final

from engine.game import PUBLIC, Game, P, View

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LENGTH = 32
"""Hexadecimal digits in a digest."""

_WRITER: Final = JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
"""Made once: `json.dumps` would make another for every call."""


def canonical(data: object) -> bytes:
    """Plain data as bytes in one form: JSON, keys sorted, no blanks, UTF-8."""
    return _WRITER.encode(data).encode()


def digest(game: Game[P], position: P) -> str:
    """The digest of what everybody may know of `position`.

    A game whose view has large parts that seldom change may define `public_parts`, which gives the public view in two:
    parts that it has kept as `write_parts` writes them, and the others as data. The contract checks that.
    """
    own: Callable[[P], tuple[Mapping[str, str], View]] | None = getattr(game, "public_parts", None)
    kept, changing = ({}, game.view(position, PUBLIC)) if own is None else own(position)
    written: list[str] = []
    for is_kept, names in groupby(sorted([*kept, *changing]), key=kept.__contains__):
        if is_kept:
            written += [kept[name] for name in names]
        else:
            written.append(_members({name: changing[name] for name in names}))
    named = f"[{_WRITER.encode(game.key)},{_WRITER.encode(game.edition)},{{{','.join(written)}}}]"
    return hashlib.sha256(named.encode()).hexdigest()[:LENGTH]


def write_parts(view: View) -> dict[str, str]:
    """The parts of a view by their names, each as it is written for the digest, its name before it."""
    return {name: _members({name: part}) for name, part in view.items()}


def _members(view: View) -> str:
    """What stands between the braces around some parts of a view."""
    return _WRITER.encode(view)[1:-1]
