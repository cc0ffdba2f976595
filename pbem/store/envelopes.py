"""Whom a letter came to and whom it came from, as far as the store must know it: by the envelope, or by its header.

One mail to two tables is two letters with the same bytes. They are told apart by the reply addresses they came to, so
these are found before a letter is stored. Only their form is looked at: whether a code is good, and who may write, is
found out later by those who have the key. `pbem deliver` needs this for every letter, so little is loaded.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

MOST_SEATS: Final = 20
"""Seats that one mail may be for. A mail that names more is one letter, and its tickets contradict each other."""

_LONGEST_HEADER: Final = 32_768
_DELIVERED: Final = frozenset({b"delivered-to", b"x-original-to", b"envelope-to"})
"""Headers that mail servers write: each copy of a mail names the recipient it was for."""
_WRITTEN: Final = frozenset({b"to", b"cc"})
_FROM: Final = frozenset({b"from"})
_SIGN: Final = rb"[^\s\"<>(),:;@]"
_ADDRESS: Final = re.compile(rb"(?<!" + _SIGN + rb")(" + _SIGN + rb"++@" + _SIGN + rb"++)")
_TICKET: Final = re.compile(
    r"(?:\+|=|%2b)(([a-z0-9-]{1,64}\.[a-z0-9-]{1,64})\.[a-z0-9]{1,32}\.[a-z0-9]{1,32}\.[a-z2-7]{6,32})@"
)


_NO_TEXT: Final = re.compile("[\x00\ud800-\udfff]")
"""What a database may not take as text."""


class Addressed(NamedTuple):
    """One letter of a delivery.

    `recipient` holds the tickets that it came with, and is empty if it came to our plain address. `env_to` is the part
    of the envelope that belongs to it; if it is empty, the header says the same.
    """

    recipient: str
    env_to: tuple[str, ...]


def split_by_seat(raw: bytes, env_to: Sequence[str]) -> list[Addressed]:
    """The letters that one delivery brings: one for each seat whose reply address it came to, and at least one.

    Where a mail server wrote down for whom a copy is, its other recipients get copies of their own.
    """
    if env_to:
        seats = _by_seat(env_to)
        return [Addressed(_name(seats), tuple(env_to))] if len(seats) < 2 or len(seats) > MOST_SEATS else _each(seats)
    delivered = _by_seat(_addresses(raw, _DELIVERED))
    written = _by_seat(_addresses(raw, _WRITTEN))
    seats = delivered or written
    if len({*delivered, *written}) < 2 or len(seats) > MOST_SEATS:
        return [Addressed(_name(seats), ())]
    return _each(seats)


def find_sender(raw: bytes, env_from: str | None) -> str:
    """The address that a letter claims to be from, in small letters; empty if it names none.

    Anybody can write any address there: it is good for counting and for nothing else.
    """
    found = next(_addresses(raw, _FROM), env_from or "")
    return _NO_TEXT.sub("\ufffd", found).strip(" <>").lower()[:320]


def _by_seat(addresses: Iterable[str]) -> dict[str, dict[str, str]]:
    """The reply addresses among some addresses by game and seat; each is kept under its ticket."""
    seats: dict[str, dict[str, str]] = {}
    for address in addresses:
        if found := _TICKET.search(address.lower()):
            seats.setdefault(found[2], {})[found[1]] = address.strip(" <>")
    return seats


def _name(seats: dict[str, dict[str, str]]) -> str:
    """The tickets as one word after the other; nothing if there are more seats than one letter can be for."""
    return " ".join(sorted(ticket for tickets in seats.values() for ticket in tickets)) if len(seats) == 1 else ""


def _each(seats: dict[str, dict[str, str]]) -> list[Addressed]:
    return [Addressed(_name({seat: tickets}), tuple(tickets.values())) for seat, tickets in seats.items()]


def _addresses(raw: bytes, names: frozenset[bytes]) -> Iterator[str]:
    """The addresses in the header lines with one of these names."""
    head = raw[:_LONGEST_HEADER].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    name = b""
    for line in head.split(b"\n"):
        value = line
        if line[:1] not in (b" ", b"\t"):
            name, _, value = line.partition(b":")
        if name.lower() in names:
            yield from (found.decode("utf-8", "replace").strip("'*[].|") for found in _ADDRESS.findall(value))
