"""Tickets: what a reply address says about the game, and the code that proves we wrote it.

A ticket names game, seat, turn and epoch; its code is keyed to all four, so an old answer cannot act on a later turn
and nobody can write a ticket for another seat. A good ticket alone moves nothing: the sender is checked elsewhere.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pbem.mail.identity import SEPARATORS

_ID: Final = r"[a-z0-9]{1,24}(?:-[a-z0-9]{1,24}){0,5}"
_NUMBER: Final = r"0|[1-9][0-9]{0,5}"
_CODE: Final = r"[a-z2-7]{16}"
_NAMED: Final = re.compile(_ID)
_IN_ADDRESS: Final = re.compile(rf"({_ID})\.({_ID})\.({_NUMBER})\.({_NUMBER})\.({_CODE})")
_IN_SUBJECT: Final = re.compile(
    rf"\[\s?({_ID})\s{{1,3}}({_ID})\s{{1,3}}({_NUMBER})\.({_NUMBER})\s{{1,3}}({_CODE})\s?\]", re.IGNORECASE
)

LONGEST_MAILBOX: Final = 64  # RFC 5321, 4.5.3.1.1


@dataclass(frozen=True, slots=True)
class Ticket:
    """What an answer refers to. `good` tells whether its code is ours for exactly this."""

    game: str
    seat: str
    turn: int
    epoch: int
    good: bool


def reply_address(key: bytes, address: str, *, game: str, seat: str, turn: int, epoch: int) -> str:
    """Our address with a ticket in it: `caravan+sirocco-7.red.12.0.<code>@example.org`."""
    mailbox, _, home = address.rpartition("@")
    code = _code(key, game=game, seat=seat, turn=turn, epoch=epoch)
    full = f"{mailbox}+{game}.{seat}.{turn}.{epoch}.{code}"
    if len(full) > LONGEST_MAILBOX:
        raise ValueError(f"too long for a mailbox: {full}")
    return f"{full}@{home}"


def subject_tag(key: bytes, *, game: str, seat: str, turn: int, epoch: int) -> str:
    """The same ticket for a subject, where a server does not deliver addresses with a plus."""
    return f"[{game} {seat} {turn}.{epoch} {_code(key, game=game, seat=seat, turn=turn, epoch=epoch)}]"


def read_ticket(key: bytes, address: str, recipients: Sequence[str], subject: str) -> Ticket | None:
    """The ticket of a mail to us: from the address it went to, else from its subject.

    Two different good tickets contradict each other, so neither counts.
    """
    for tickets in (_in_addresses(key, address, recipients), _in_subject(key, subject)):
        found = list(dict.fromkeys(tickets))
        good = [ticket for ticket in found if ticket.good]
        if len(good) == 1:
            return good[0]
        if found:
            return replace(found[0], good=False)
    return None


def _in_addresses(key: bytes, address: str, recipients: Iterable[str]) -> Iterator[Ticket]:
    ours = address.rpartition("@")[0].lower()
    for recipient in recipients:
        mailbox = recipient.strip(" <>").lower().rpartition("@")[0]
        for prefix in (ours + sign for sign in SEPARATORS if mailbox.startswith(ours + sign)):
            if found := _IN_ADDRESS.fullmatch(mailbox.removeprefix(prefix)):
                yield _checked(key, *found.groups())


def _in_subject(key: bytes, subject: str) -> Iterator[Ticket]:
    for found in _IN_SUBJECT.finditer(subject):
        yield _checked(key, *(group.lower() for group in found.groups()))


def _checked(key: bytes, game: str, seat: str, turn: str, epoch: str, code: str) -> Ticket:
    right = _code(key, game=game, seat=seat, turn=int(turn), epoch=int(epoch))
    return Ticket(game, seat, int(turn), int(epoch), good=hmac.compare_digest(right, code))


def _code(key: bytes, *, game: str, seat: str, turn: int, epoch: int) -> str:
    """80 bits of a keyed hash, in letters that survive any mail server."""
    if not (_NAMED.fullmatch(game) and _NAMED.fullmatch(seat) and turn >= 0 and epoch >= 0):
        raise ValueError(f"not a ticket: {game!r} {seat!r} {turn} {epoch}")
    said = f"caravan-post/ticket\0{game}\0{epoch}\0{turn}\0{seat}".encode()
    return base64.b32encode(hmac.digest(key, said, hashlib.sha256)[:10]).decode("ascii").lower()
