"""The post's own address, and what it writes into that address: tickets in Reply-To, message names in envelope senders.

A ticket names game, seat, turn and epoch. Its code is keyed to all four, so an old answer cannot act on a later turn,
and a player cannot write a ticket for another seat. A good ticket alone moves nothing: the sender is checked elsewhere.

An envelope sender (VERP) names the mail that it carries, so a bounce says by its address alone which mail came back.
Message names follow from the post's key, so only somebody who was sent a mail can write such an address.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

SEPARATORS: Final = ("+", "=", "%2b")
"""What can stand between our mailbox and a ticket: a plus, or what servers and web forms make of one."""


@dataclass(frozen=True, slots=True)
class PostIdentity:
    """The post's address, its trusted mail server, and the key of its tickets.

    `authserv_id` is the name under which our own mail server writes Authentication-Results; that server must
    remove lines that strangers wrote under its name (RFC 8601, section 5). `domains` are further domains whose
    mail reaches us.
    """

    address: str
    authserv_id: str | None
    ticket_key: bytes = field(repr=False)
    domains: tuple[str, ...] = ()

    @property
    def mailbox(self) -> str:
        """The part of our address before the @, in small letters."""
        return self.address.rpartition("@")[0].lower()

    @property
    def all_domains(self) -> tuple[str, ...]:
        """All domains that are ours, in small letters."""
        return tuple(home.lower() for home in (self.address.rpartition("@")[2], *self.domains))

    def owns(self, address: str) -> bool:
        """Whether mail to this address comes to us, with or without a ticket in it."""
        mailbox, _, home = address.lower().rpartition("@")
        if home not in self.all_domains:
            return False
        return mailbox == self.mailbox or mailbox.startswith(tuple(self.mailbox + sign for sign in SEPARATORS))


_ID: Final = r"[a-z0-9]{1,24}(?:-[a-z0-9]{1,24}){0,5}"
_NUMBER: Final = r"0|[1-9][0-9]{0,5}"
_CODE: Final = r"[a-z2-7]{16}"
_NAMED: Final = re.compile(_ID)
_IN_ADDRESS: Final = re.compile(rf"({_ID})\.({_ID})\.({_NUMBER})\.({_NUMBER})\.({_CODE})")
_ANY_TICKET: Final = re.compile(r"[+=]([a-z0-9-]+)\.([a-z0-9-]+)\.([0-9]+)\.([0-9]+)\.[a-z2-7]{16}@", re.IGNORECASE)
_IN_SUBJECT: Final = re.compile(
    rf"\[\s?({_ID})\s{{1,3}}({_ID})\s{{1,3}}({_NUMBER})\.({_NUMBER})\s{{1,3}}({_CODE})\s?\]", re.IGNORECASE
)

LONGEST_MAILBOX: Final = 64  # RFC 5321, 4.5.3.1.1


@dataclass(frozen=True, slots=True)
class Ticket:
    """What an answer refers to. `good` says whether its code is ours for exactly this."""

    game: str
    seat: str
    turn: int
    epoch: int
    good: bool


def format_reply_address(key: bytes, address: str, *, game: str, seat: str, turn: int, epoch: int) -> str:
    """Our address with a ticket in it: `caravan+sirocco-7.red.12.0.<code>@example.org`."""
    mailbox, _, home = address.rpartition("@")
    code = _code(key, game=game, seat=seat, turn=turn, epoch=epoch)
    full = f"{mailbox}+{game}.{seat}.{turn}.{epoch}.{code}"
    if len(full) > LONGEST_MAILBOX:
        raise ValueError(f"too long for a mailbox: {full}")
    return f"{full}@{home}"


def format_subject_tag(key: bytes, *, game: str, seat: str, turn: int, epoch: int) -> str:
    """The same ticket for a subject, where a server does not deliver addresses with a plus."""
    return f"[{game} {seat} {turn}.{epoch} {_code(key, game=game, seat=seat, turn=turn, epoch=epoch)}]"


def parse_ticket(key: bytes, address: str, recipients: Sequence[str], subject: str) -> Ticket | None:
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


def find_seat(text: str) -> tuple[str, str] | None:
    """Game and seat of the first reply address in a text. The code is not checked: that takes the post's key."""
    found = _ANY_TICKET.search(text)
    return (found[1].lower(), found[2].lower()) if found is not None else None


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


_BOUNCE: Final = "bounce-"
_NAME: Final = "[0-9a-f]{32}"
_MESSAGE_ID: Final = re.compile(rb"^message-id:\s{0,9}<(" + _NAME.encode() + rb")@", re.IGNORECASE | re.MULTILINE)
_VERP_ADDRESS: Final = re.compile(_BOUNCE + f"({_NAME})")


def format_verp(address: str, head: bytes) -> str:
    """Our address with the name of a mail in it: `caravan+bounce-<name>@example.org`.

    The plain address if the header names no mail or the result would be too long.
    """
    found = _MESSAGE_ID.search(head)
    mailbox, _, home = address.rpartition("@")
    local = f"{mailbox}+{_BOUNCE}{found[1].decode()}" if found else ""
    return f"{local}@{home}" if 0 < len(local) <= LONGEST_MAILBOX else address


def parse_verp(post: PostIdentity, recipients: Iterable[str]) -> Iterator[str]:
    """The Message-IDs of the mails that came back, from the addresses that a bounce was sent to."""
    domain = post.address.rpartition("@")[2]
    for recipient in recipients:
        local = recipient.strip(" <>").lower().rpartition("@")[0]
        for prefix in (post.mailbox + sign for sign in SEPARATORS if local.startswith(post.mailbox + sign)):
            if found := _VERP_ADDRESS.fullmatch(local.removeprefix(prefix)):
                yield f"<{found[1]}@{domain}>"
