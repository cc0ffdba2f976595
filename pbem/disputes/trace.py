"""When a letter came, by the servers on its way: which of their times count, and how far their clocks are off.

Every server writes a line above those before it, so whoever sends a letter can invent all lines below the one that our
own server wrote when it took the letter in. Only the lines on top count, as long as one of ours hands the letter to the
next one of ours: from a private address, or without a network. The first time among them is when the letter was in our
hands; if there is none, the time counts when it came to the post.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import Final

from pbem.mail.reply_address import PostIdentity

_LINE: Final = re.compile(r"^Received:(?P<said>.*(?:\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
_BY: Final = re.compile(r"\bby\s+(?P<host>[a-z0-9._-]{1,253})", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"\[(?:IPv6:)?([0-9a-f.:]{2,45})\]", re.IGNORECASE)
_AT_HOME: Final = re.compile(r"\bwith\s+lmtp\b|\bfrom userid\b", re.IGNORECASE)
_MOST: Final = 50
"""Lines that are looked at; a letter with more is not read at all."""
AHEAD: Final = timedelta(minutes=5)
"""How far before or after our own clock a time may be without a word about it."""


@dataclass(frozen=True, slots=True)
class TraceStop:
    """A server on the way of a letter: its name, when it says that it had the letter, and whether we trust it."""

    server: str
    at: str
    trusted: bool


@dataclass(frozen=True, slots=True)
class Trace:
    """The way of a letter, the last server first, and when it counts as received."""

    stops: tuple[TraceStop, ...]
    counted: datetime
    skew: timedelta
    """How far the clock of the last server is ahead of ours at least; 0 if nothing shows that."""


def follow_trace(head: str, received: datetime, identity: PostIdentity) -> Trace:
    """The way of a letter by its header; `received` is when it came to the post."""
    stops, times, ours = list[TraceStop](), list[datetime](), True
    for server, at, is_inner in _read_lines(head):
        ours = ours and _is_ours(server, identity)
        stops.append(TraceStop(server, "" if at is None else at.isoformat(), ours))
        times += [at] if ours and at is not None else []
        ours = ours and is_inner
    skew = max((at - received for at in times[:1]), default=timedelta())
    earlier = [at for at in times if at <= received]
    return Trace(tuple(stops), min(earlier, default=received), max(skew, timedelta()))


def _read_lines(head: str) -> Iterator[tuple[str, datetime | None, bool]]:
    """The server of each line, its time, and whether it had the letter from next door."""
    for number, line in enumerate(_LINE.finditer(head)):
        if number == _MOST:
            return
        by = _BY.search(line["said"])
        time = _read_time(line["said"].rpartition(";")[2].strip())
        yield ("" if by is None else by["host"].lower()), time, _is_inner(line["said"])


def _is_inner(said: str) -> bool:
    """Whether a line tells of a step inside one house: from a private address, or by a way that has no network."""
    addresses = _ADDRESS.findall(said)
    try:
        return all(ip_address(each).is_private for each in addresses) and bool(addresses or _AT_HOME.search(said))
    except ValueError:
        return False


def _read_time(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text[:80])
        return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _is_ours(server: str, identity: PostIdentity) -> bool:
    """Whether a server is the one that checks letters for us, or of a domain of ours."""
    if not server or identity.authserv_id is None:
        return False
    homes = (identity.authserv_id.lower(), *identity.all_domains)
    return any(server == each or server.endswith(f".{each}") for each in homes)
