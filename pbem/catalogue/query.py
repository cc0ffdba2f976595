"""The small language of `pbem find`: conditions that a game must meet, all of them. Each is one argument.

A condition is a field, a sign and a value (`player=Anna`, `turns>60`, `words:deep ravine`), or a pattern on the view
(`camels.red.lilac has F4`). What cannot be read is a value that says where, and what to write instead.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from pbem.catalogue.plain_words import fold, plain_words

LEGAL: Final = "legal"
"""The verdict of a game that breaks no rule."""
REFUSED: Final = "refused"
"""What `verdict` can be asked for instead of a code."""
OPENING: Final = 8
"""How many of the players' first moves are kept as facts."""
NUMBERS: Final = ("turns", "plies", "seats", "points")
TEXTS: Final = ("game", "rules", "id", "ending", "result", "verdict")
"""Facts that everybody writes alike: only capitals do not count."""
WORDS: Final = "words"
MOVES: Final = "moves"
AT: Final = "at"
PLAYER: Final = "player"
WON: Final = "won"
DATE: Final = "date"
SEAT: Final = "seat."
FIELDS: Final = (PLAYER, WON, *TEXTS, *NUMBERS, DATE, WORDS, MOVES, AT)
"""Every field that is no header."""

_CONDITION: Final = re.compile(r"(?P<field>[^\W\d][\w.-]*)(?P<sign>!=|<=|>=|[=<>~:])(?P<value>.*)", re.DOTALL)
_PATTERN: Final = re.compile(r"(?P<path>[\w*-]+(?:\.[\w*-]+)*)\s+(?P<sign>has|is)\s+(?P<value>\S.*)", re.DOTALL)
_DIGEST: Final = re.compile(r"[0-9a-fA-F]{8,32}")
_MOMENT: Final = re.compile(r"(?P<file>.+?)(?:@(?P<turn>[0-9]{1,6}))?")
_DATE: Final = re.compile(r"\d{4}(?:\D+\d{1,2}){0,2}")


class Condition(NamedTuple):
    """Something that a fact of a game must be. `value` is folded where people write it in several ways."""

    field: str
    sign: str
    value: str

    @property
    def number(self) -> int:
        """The value of a condition on a number."""
        return int(self.value)


class Phrase(NamedTuple):
    """Words that must have been said, or stand in names and headers, one after the other."""

    words: str
    begun: bool
    """Whether only the beginning of the last one is given."""


class Moves(NamedTuple):
    """The players' first moves; the last clause may be only the beginning of one."""

    clauses: tuple[str, ...]

    @property
    def is_long(self) -> bool:
        """Whether they are more than facts can tell."""
        return len(self.clauses) > OPENING


class AtDigest(NamedTuple):
    """A position with this digest, or with one that begins so, must have been on the table."""

    digest: str


class AtMoment(NamedTuple):
    """The position of a record must have been on the table: after turn `turn`, or the last one."""

    file: str
    turn: int | None


class OnView(NamedTuple):
    """What everybody could see must at some moment have held this."""

    path: tuple[str, ...]
    sign: str
    value: str


Term = Condition | Phrase | Moves | AtDigest | AtMoment | OnView


class Misread(NamedTuple):
    """Why a text is no condition: where in it, and what to write."""

    text: str
    at: int
    length: int
    says: str


def looks_like_term(text: str) -> bool:
    """Whether a text is meant as a condition, and not as the name of a file."""
    return bool(_CONDITION.fullmatch(text) or _PATTERN.fullmatch(text) or re.search(r"[=<>~]|\s(has|is)\b", text))


def read_term(text: str) -> Term | Misread:
    """The condition that a text says."""
    found = _CONDITION.fullmatch(text)
    if found is not None:
        return _condition(text, found)
    pattern = _PATTERN.fullmatch(text)
    if pattern is not None:
        return OnView(tuple(pattern["path"].split(".")), pattern["sign"], fold(pattern["value"].strip()))
    sign = re.search(r"[=<>~]|\s(has|is)\b", text)
    at = sign.start() if sign is not None else 0
    return Misread(text, at, max(1, len(text) - at), "write a field, a sign and a value: player=Anna, turns>60")


def _condition(text: str, found: re.Match[str]) -> Term | Misread:
    field, sign, value = found["field"].lower(), found["sign"], found["value"].strip()
    at = found.start("value")

    def wrong(says: str, where: int = at, length: int | None = None) -> Misread:
        return Misread(text, where, max(1, len(text) - where if length is None else length), says)

    def wrong_sign(*signs: str) -> Misread:
        return wrong(f"{field} takes {' '.join(signs)}", found.start("sign"), len(sign))

    if (sign == ":") != (field in (WORDS, MOVES, AT)):
        return wrong_sign(":") if sign != ":" else wrong_sign("=", "!=", "~")
    if not value and field != WORDS and sign == ":":
        return wrong("something must stand here")
    if sign == ":":
        return _searched(field, value, wrong)
    if field in NUMBERS:
        if sign == "~":
            return wrong_sign("=", "!=", "<", "<=", ">", ">=")
        if not re.fullmatch(r"[0-9]{1,9}", value):
            return wrong("a number must stand here, such as 60")
        return Condition(field, sign, value)
    if field == DATE:
        if sign == "~":
            return wrong_sign("=", "!=", "<", "<=", ">", ">=")
        if not _DATE.fullmatch(value):
            return wrong("a date must stand here, such as 2026, 2026-05 or 2026-05-01")
        return Condition(field, sign, plain_date(value))
    if sign in ("<", "<=", ">", ">="):
        return wrong_sign("=", "!=", "~")
    return Condition(field, sign, small(value) if field in TEXTS else fold(value))


def _searched(field: str, value: str, wrong: Callable[[str], Misread]) -> Term | Misread:
    if field == WORDS:
        words = plain_words(value)
        if not words:
            return wrong("a word must stand here, or several that follow each other")
        return Phrase(words, value.rstrip().endswith("*"))
    if field == MOVES:
        clauses = tuple(small(" ".join(each.split())) for each in value.split(","))
        return Moves(clauses) if all(clauses) else wrong("moves are parted by commas: leader lilac E4, leader mint K9")
    if _DIGEST.fullmatch(value):
        return AtDigest(value.lower())
    moment = _MOMENT.fullmatch(value)
    if moment is None:
        return wrong("a state digest must stand here, or a record and a turn: game.turns@12")
    return AtMoment(moment["file"], int(moment["turn"]) if moment["turn"] else None)


def small(text: str) -> str:
    """A text with its English capitals as small letters, as SQLite's `lower` does it."""
    return text.encode("utf-8", "surrogateescape").lower().decode("utf-8", "surrogateescape")


_PARTS: Final = re.compile(r"(\d{4})(?:\D+(\d{1,2})(?:\D+(\d{1,2}))?)?")


def plain_date(text: str) -> str:
    """``2026.5.1`` as ``2026-05-01``; what is no date as it is, folded."""
    found = _PARTS.match(text.strip())
    if found is None:
        return fold(text.strip())
    return "-".join(part if len(part) > 2 else part.zfill(2) for part in found.groups() if part)


class Position(NamedTuple):
    """A position that is looked for: its digest or how that begins, and the number of its turn, if known.

    `start` is the key of the game's start, so that games that begin otherwise are left out at once.
    """

    digest: str
    turn: int | None = None
    start: bytes | None = None


Sought = Position | OnView
Plain = Condition | Phrase | Moves
