"""Quotation marks, braces and escapes: any text can be written and comes back as it was.

Both kinds of literal use a backslash. What it stands before is kept as it is, except that ``\\n`` is a line end
and ``\\uXXXX`` the character of that number, which is how characters that could break a line or hide from the eye
are written.
"""

import re
from typing import Final

_UNSEEN: Final = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff"
_IN_STRING: Final = re.compile(rf'[\n"\\{_UNSEEN}]')
_IN_COMMENT: Final = re.compile(rf"[}}\\{_UNSEEN}]")
_ESCAPE: Final = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)


def quote(text: str) -> str:
    """A string literal: ``"Anna \\"the fox\\""``."""
    return f'"{_IN_STRING.sub(_escape, text)}"'


def brace(text: str) -> str:
    """A comment: ``{well played}``. Line ends stay line ends."""
    return "{" + _IN_COMMENT.sub(_escape, text) + "}"


def unquote(literal: str) -> str:
    """The text of a string literal or a comment, without the marks around it."""
    inner = literal[1:-1]
    return _ESCAPE.sub(_character, inner) if "\\" in inner else inner


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character in '"}\\':
        return "\\" + character
    return "\\n" if character == "\n" else f"\\u{ord(character):04x}"


def _character(match: re.Match[str]) -> str:
    escaped = match[1]
    if escaped == "n":
        return "\n"
    return chr(int(escaped[1:], 16)) if len(escaped) > 1 else escaped
