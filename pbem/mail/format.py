"""What a mail is made of, for those who write and those who read it: line ends, marks, header names, fixed lines.

Each form stands here once, with the function that writes it beside the one that reads it: `mail.writing` puts them into
mails, `mail.reading` finds them in answers, and `verify` in a player's mailbox. Reply addresses are in `reply_address`.
"""

import re
from typing import Final, NamedTuple

from pbem.locale.languages import LANGUAGES

REPLY_MARK: Final = "##- caravan-post -##"
"""Stands in the first line of every mail of ours: an answer is written above it."""
POINT_END: Final = "·"
"""Stands between the point of a mail and the mark in its first line."""
FIRST_LINE: Final = 70
"""Characters of the first line at most, so that no mail program breaks it when it quotes it."""

FENCES: Final = {
    language.code: (f"--- {language.fence[0]} ---", f"--- {language.fence[1]} ---") for language in LANGUAGES
}
"""By language: between these two lines, if a player writes them, stand all orders of a mail. All are always read."""

BAR: Final = "| "
"""Begins lines of our mails that must not be taken for orders when a mail program quotes them badly."""

LOOP_HEADER: Final = "X-Loop"
"""Holds our address, so that we never answer a mail of ours that comes back."""
HEAD_HEADER: Final = "X-Caravan-Head"
"""Holds the last event of the game that the mail is about (`format_head`)."""
CHECKPOINT_HEADER: Final = "X-Caravan-Checkpoint"
"""Holds the signed state of the log of all games (`pbem.proof.public_log`)."""
GAME_HEADER: Final = "List-Id"
"""Holds the game that the mail is about (`format_list_id`); mail programs sort by it."""

_LINE_END: Final = re.compile(r"\r\n|\r|\n")


def mail_lines(text: str) -> list[str]:
    """The lines of a text by the line ends of mail only; Python knows more, at which a quoted line would end."""
    lines = _LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


# Phones turn hyphens into dashes and mail programs wrap stars around lines; the words stay.
DASH: Final = r"[-\u2010-\u2015\u2212]"
"""A pattern for a hyphen, or a dash that a program made of it."""
_REPLY_MARK: Final = re.compile(rf"##\s?{DASH}{{1,3}}\s?caravan{DASH}post\s?{DASH}{{1,3}}\s?##", re.IGNORECASE)
_OPENS, _CLOSES = ("|".join(language.fence[at] for language in LANGUAGES) for at in range(2))
_OPENING: Final = re.compile(rf"{DASH}{{1,9}}\s{{0,3}}(?:{_OPENS}):?\s{{0,3}}{DASH}{{1,9}}", re.IGNORECASE)
_CLOSING: Final = re.compile(
    rf"{DASH}{{1,9}}\s{{0,3}}(?:{_CLOSES})(?:\sof\sorders)?\s{{0,3}}{DASH}{{1,9}}|sign\s?off\.?", re.IGNORECASE
)


def is_reply_mark(line: str) -> bool:
    """Whether a line holds the mark from the top of our mails."""
    return "##" in line and _REPLY_MARK.search(line) is not None


def shorten_point(point: str) -> str:
    """The point of a mail as it fits in the first line before the mark; inboxes show it as the preview."""
    room = FIRST_LINE - len(f" {POINT_END} {REPLY_MARK}")
    if len(point) <= room:
        return point
    kept = point[: room - 1]
    return f"{kept.rpartition(' ')[0] or kept}…"


def ends_point(line: str) -> bool:
    """Whether a line is the beginning of our first line, which a mail program has broken before the mark."""
    return line.rstrip(" *").endswith(POINT_END)


def opens_fence(line: str) -> bool:
    """Whether a line opens a fence of orders."""
    return _OPENING.fullmatch(line.strip()) is not None


def closes_fence(line: str) -> bool:
    """Whether a line ends the orders: the closing line of a fence, or SIGNOFF, the word of older PBEM judges."""
    return _CLOSING.fullmatch(line.strip()) is not None


_HEAD: Final = re.compile(r"(\S+) ([0-9]{1,7}) ([0-9a-f]{64})")
_LIST_ID: Final = re.compile(r"<([a-z0-9-]+)\.[^<>]*>\s*\Z", re.IGNORECASE)
_PROMISE: Final = re.compile(r"promised (\S+) (seed|blind) ([0-9a-f]{64})")
_OPENED: Final = re.compile(r"opened (\S+) ([0-9]{1,7}) (\S+) ([0-9a-f]{64}) (.+)")


class GameHead(NamedTuple):
    """A game, the number of its last event, and the hash of that event."""

    game: str
    seq: str
    hash: str


def format_head(game: str, seq: int, head: str) -> str:
    """The value of `HEAD_HEADER`."""
    return f"{game} {seq} {head}"


def parse_head(value: str) -> GameHead | None:
    """What `HEAD_HEADER` says; None if it has another form."""
    found = _HEAD.fullmatch(value)
    return GameHead(found[1], found[2], found[3]) if found is not None else None


def format_list_id(game: str, domain: str) -> str:
    """The value of `GAME_HEADER`."""
    return f"<{game}.{domain}>"


def parse_list_id(value: str) -> str | None:
    """The game that `GAME_HEADER` names; None if it has another form."""
    found = _LIST_ID.search(value)
    return found[1] if found is not None else None


class Promise(NamedTuple):
    """The commitment to one of the two secrets of a game, `seed` or `blind`."""

    game: str
    secret: str
    commitment: str


def format_promise(promise: Promise) -> str:
    """The line of an invitation that commits the post to a secret."""
    return f"promised {promise.game} {promise.secret} {promise.commitment}"


def parse_promise(line: str) -> Promise | None:
    """The promise on a line; None if it holds something else."""
    found = _PROMISE.fullmatch(line)
    return Promise(found[1], found[2], found[3]) if found is not None else None


class OpenedValue(NamedTuple):
    """A hidden value that the owner may see: where it stands in the game's events, its blinding, and the value."""

    game: str
    seq: int
    name: str
    blinding: str
    value: str


def format_opened(opened: OpenedValue) -> str:
    """The line of a mail that opens a value to its owner."""
    return f"opened {opened.game} {opened.seq} {opened.name} {opened.blinding} {opened.value}"


def parse_opened(line: str) -> OpenedValue | None:
    """The opened value on a line; None if it holds something else."""
    found = _OPENED.fullmatch(line)
    return OpenedValue(found[1], int(found[2]), found[3], found[4], found[5]) if found is not None else None
