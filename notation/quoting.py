r"""Quotation marks, braces and escapes: any text can be written, and comes back as it was.

A backslash escapes the closing mark and itself; ``\uXXXX`` is the character of that number, which is how characters
are written that could break a line or hide from the eye; in quotation marks ``\n`` is a line end. Any other backslash
stands for itself.
"""

import re
from typing import Final

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
