r"""Headers, in their canonical order, and quoting: any text can be written, and comes back as it was.

Canonical order: Format, Game, Rules and Id; the game's options that have a usual value (Board); the seats, whose order
is seat order; the options that were drawn or chosen for this table (Oases, Water, Herds); Result; then all others,
sorted. What a value means is for the game and for `pbem.judging`.

A backslash escapes the closing mark and itself; ``\uXXXX`` is the character of that number, which is how characters
are written that could break a line or cannot be seen; in quotation marks ``\n`` is a line end. Any other backslash
stands for itself.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from engine import registry
from notation.record import SEAT

FORMAT: Final = "1"
"""The version of the record format, as its header says it."""

_FIRST: Final = ("Format", "Game", "Rules", "Id")
_RESULT: Final = "Result"


def sort_headers(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The headers in canonical order."""
    given = dict(headers)
    usual, special = _options(given.get("Game"))
    seats = [name for name in given if name.startswith(SEAT)]
    required = [*_FIRST, *usual, *seats, *special, _RESULT]
    others = sorted(given.keys() - set(required))
    return tuple([(name, given[name]) for name in [*required, *others] if name in given])


@lru_cache(maxsize=64)
def proper_names(key: str | None) -> Mapping[str, str]:
    """Name in small letters -> proper name, for the headers that mean something in a record of this game."""
    usual, special = _options(key)
    return {name.lower(): name for name in [*_FIRST, *usual, *special, _RESULT]}


@lru_cache(maxsize=64)
def _options(key: str | None) -> tuple[list[str], list[str]]:
    """The game's own headers: those with a usual value, and the others."""
    game = None if key is None else registry.find_game(key)
    options = game.options if game else ()
    return [each.name for each in options if each.default], [each.name for each in options if not each.default]


_UNSEEN: Final = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]|[\u2028\u2029\ufeff]|[\ud800-\udfff]"
_NUMBER: Final = r"u(?![dD][89a-fA-F])[0-9A-Fa-f]{4}"  # half of a surrogate pair is no character

# Compiled by `re` when first used, because many a command reads without ever writing.
_IN_STRING: Final = rf'[\n"\\]|{_UNSEEN}'
_IN_COMMENT: Final = rf"[}}\\]|{_UNSEEN}"
_STRING_ESCAPE: Final = rf'\\({_NUMBER}|[n"\\])'
_COMMENT_ESCAPE: Final = rf"\\({_NUMBER}|[}}\\])"


def quote(text: str) -> str:
    r"""Write a text in quotation marks: ``"Anna \"the fox\""``."""
    return f'"{re.sub(_IN_STRING, _escape, text)}"'


def unquote(literal: str) -> str:
    """Read what `quote` wrote."""
    return re.sub(_STRING_ESCAPE, _character, literal[1:-1])


def brace(text: str) -> str:
    """Write a comment: ``{well played}``. Line ends stay line ends."""
    return "{" + re.sub(_IN_COMMENT, _escape, text) + "}"


def unbrace(literal: str) -> str:
    """Read what `brace` wrote."""
    return re.sub(_COMMENT_ESCAPE, _character, literal[1:-1])


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character in '"}\\':
        return "\\" + character
    if character == "\n":
        return "\\n"
    # Half of a surrogate pair cannot stand in a file at all; the sign for a lost character can.
    return f"\\u{ord(character):04x}" if not "\ud800" <= character <= "\udfff" else "\ufffd"


def _character(match: re.Match[str]) -> str:
    escaped = match[1]
    return "\n" if escaped == "n" else chr(int(escaped[1:], 16)) if len(escaped) > 1 else escaped
