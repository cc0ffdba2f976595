"""The text of a mail as lines, each marked with its origin; the same for plain text and HTML."""

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from pbem.mail.format import mail_lines

_GONE: Final = dict.fromkeys(
    [
        *(0x00AD, 0x061C, 0x180E, 0xFEFF),  # soft hyphen, Arabic mark, Mongolian separator, byte order mark
        *range(0x200B, 0x2010),  # zero-width signs, marks of direction
        *range(0x202A, 0x202F),  # embeddings and overrides
        *range(0x2060, 0x2070),  # joiners, isolates
    ]
)
_BLANK: Final = dict.fromkeys(
    [
        0x09,
        0x0B,
        0x0C,
        *range(0x1C, 0x1F),
        0x85,
        0xA0,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
    ],
    " ",
)
_BROKEN: Final = dict.fromkeys([*range(0x09), *range(0x0E, 0x20), *range(0x7F, 0x85), *range(0x86, 0xA0)], "\ufffd")
_SEEN: Final = _BROKEN | _BLANK | _GONE

_SINGLE: Final = dict.fromkeys([*range(0x2018, 0x201C), 0x2032, 0x02BC], "'")
_DOUBLE: Final = dict.fromkeys([*range(0x201C, 0x2020), 0x2033, 0x00AB, 0x00BB], '"')
_DASHES: Final = dict.fromkeys([*range(0x2010, 0x2016), 0x2212], "-")
_TYPED: Final = _SINGLE | _DOUBLE | _DASHES | {0x2026: "..."}


_NEARLY_FULL: Final = 60  # characters of a line that may have been broken


class Mark(Enum):
    """The origin of a line."""

    OWN = "own"
    QUOTED = "quoted"
    SIGNATURE = "signature"


class TextLine(NamedTuple):
    """One line and its origin."""

    text: str
    mark: Mark = Mark.OWN


def visible_text(text: str) -> str:
    """The text as a reader sees it: without invisible characters, with plain blanks."""
    return text if text.isascii() and text.isprintable() else text.translate(_SEEN)


def typed_text(text: str) -> str:
    """The text as it was typed, before a phone changed quotation marks and dashes."""
    return text if text.isascii() else text.translate(_TYPED)


def plain_lines(text: str, *, flowed: bool = False) -> Iterator[TextLine]:
    """The lines of a text. One that starts with > was written by someone else.

    So was the rest of such a line if a program broke it because it was too long. In flowed text every break is marked.
    """
    may_go_on = False
    for line in mail_lines(text):
        shown = visible_text(line).rstrip()
        quoted = shown.lstrip().startswith(">") or (may_go_on and shown != "")
        yield TextLine(shown, Mark.QUOTED if quoted else Mark.OWN)
        may_go_on = quoted and not flowed and len(shown) >= _NEARLY_FULL


def join_flowed(text: str, *, keep_blank: bool) -> str:
    """Text of `format=flowed` (RFC 3676) with its broken lines joined again.

    A line that ends in a blank continues in the next one if both are quoted equally deep. `keep_blank` is False for
    `delsp=yes`, where the blank at the break is not part of the text.
    """
    joined: list[list[str]] = []
    open_at: int | None = None
    for line in mail_lines(text):
        words = line.lstrip(">")
        depth = len(line) - len(words)
        words = words.removeprefix(" ")
        goes_on = words.endswith(" ") and words != "-- "
        if open_at != depth or words == "-- ":
            joined.append(["> " if depth else ""])
        joined[-1].append(words[:-1] if goes_on and not keep_blank else words)
        open_at = depth if goes_on else None
    return "\n".join(map("".join, joined))
