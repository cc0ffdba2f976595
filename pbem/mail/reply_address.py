"""The post's own address, and what it writes into that address: tickets in Reply-To, message names in envelope senders.

A ticket names game, seat, turn and the mark of the history it was written in. Its code is keyed to all four, so an old
answer cannot act on a later turn, and a player cannot write a ticket for another seat. A good ticket alone moves
nothing: the sender is checked elsewhere. Older tickets, which players still have, name the epoch instead of the mark
and have a longer code; they are read and no longer written.

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
    older_keys: tuple[bytes, ...] = field(repr=False, default=())
    """Keys that were replaced and whose tickets still count."""
    stolen_keys: tuple[bytes, ...] = field(repr=False, default=())
    """Keys whose tickets no longer count. What was noted under a digest with them still does."""

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
_MARK: Final = r"[a-z2-7]{6}"
_CODE: Final = r"[a-z2-7]{12}"
_OLD_CODE: Final = r"[a-z2-7]{16}"
_NAMED: Final = re.compile(_ID)
_MARKED: Final = re.compile(_MARK)
_IN_ADDRESS: Final = re.compile(rf"({_ID})\.({_ID})\.({_NUMBER})\.(?:({_MARK})\.({_CODE})|({_NUMBER})\.({_OLD_CODE}))")
_ANY_TICKET: Final = re.compile(
    rf"[+=]([a-z0-9-]+)\.([a-z0-9-]+)\.([0-9]+)\.(?:{_MARK}\.{_CODE}|[0-9]+\.{_OLD_CODE})@", re.IGNORECASE
)
_IN_SUBJECT: Final = re.compile(
    rf"\[\s?({_ID})\s{{1,3}}({_ID})\s{{1,3}}({_NUMBER})\."
    rf"(?:({_MARK})\s{{1,3}}({_CODE})|({_NUMBER})\s{{1,3}}({_OLD_CODE}))\s?\]",
    re.IGNORECASE,
)

LONGEST_SUBJECT: Final = 200
LONGEST_MAILBOX: Final = 64  # RFC 5321, 4.5.3.1.1


@dataclass(frozen=True, slots=True)
class Ticket:
    """What an answer refers to. `good` says whether its code is ours for exactly this.

    A ticket has the `mark` of its history. One of the old form has none, and tells its `epoch` instead.
    """

    game: str
    seat: str
    turn: int
    mark: str
    good: bool
    epoch: int | None = None


def format_reply_address(key: bytes, address: str, *, game: str, seat: str, turn: int, mark: str) -> str:
    """Our address with a ticket in it: `caravan+sirocco-7.red.12.ak5xwq.<code>@example.org`."""
    mailbox, _, home = address.rpartition("@")
    code = _code(key, game=game, seat=seat, turn=turn, mark=mark)
    full = f"{mailbox}+{game}.{seat}.{turn}.{mark}.{code}"
    if len(full) > LONGEST_MAILBOX:
        raise ValueError(f"too long for a mailbox: {full}")
    return f"{full}@{home}"


def format_subject_tag(key: bytes, *, game: str, seat: str, turn: int, mark: str) -> str:
    """The same ticket for a subject, where a server does not deliver addresses with a plus."""
    return f"[{game} {seat} {turn}.{mark} {_code(key, game=game, seat=seat, turn=turn, mark=mark)}]"


def parse_ticket(
    key: bytes, address: str, recipients: Sequence[str], subject: str, *, older_keys: Sequence[bytes] = ()
) -> Ticket | None:
    """The ticket of a mail to us: from the address it went to, else from its subject.

    Two different good tickets contradict each other, so neither counts. Codes of older keys count as well.
    """
    keys = (key, *older_keys)
    for tickets in (_in_addresses(keys, address, recipients), _in_subject(keys, subject)):
        found = list(dict.fromkeys(tickets))
        good = [ticket for ticket in found if ticket.good]
        if len(good) == 1:
            return good[0]
        if found:
            return replace(found[0], good=False)
    return None


_DIRECTION: Final = re.compile("[\u200e\u200f\u2066-\u2069]")
"""Marks by which subjects in Hebrew say where a number or an order stands; they cannot be seen."""


_ANSWERS: Final = re.compile(r"\A(?:\s*(?:re|aw|antw|betr|odp|fwd?|doorst|pd|на|השב|תשובה)\s*:)+", re.IGNORECASE)
"""What mail programs write before the subject of a mail that they answer or pass on."""


def subject_of_thread(subject: str, game: str) -> str:
    """The subject that a letter about a game answers: from the name of the game on, without a ticket; else empty."""
    at = subject.lower().find(f"[{game}]")
    if at < 0 or not _DIRECTION.sub("", subject).isprintable():
        return ""
    return " ".join(_IN_SUBJECT.sub("", subject[at:]).split())[:LONGEST_SUBJECT]


def subject_of_answer(subject: str, game: str) -> str:
    """The subject under which a letter about a game is answered: that of its thread, else its writer's own words."""
    own = " ".join(_ANSWERS.sub("", _IN_SUBJECT.sub("", subject)).split())[:LONGEST_SUBJECT]
    return subject_of_thread(subject, game) or (own if own.isprintable() else "")


def find_seat(text: str) -> tuple[str, str] | None:
    """Game and seat of the first reply address in a text. The code is not checked: that takes the post's key."""
    found = _ANY_TICKET.search(text)
    return (found[1].lower(), found[2].lower()) if found is not None else None


def _in_addresses(keys: Sequence[bytes], address: str, recipients: Iterable[str]) -> Iterator[Ticket]:
    ours = address.rpartition("@")[0].lower()
    for recipient in recipients:
        mailbox = recipient.strip(" <>").lower().rpartition("@")[0]
        for prefix in (ours + sign for sign in SEPARATORS if mailbox.startswith(ours + sign)):
            if found := _IN_ADDRESS.fullmatch(mailbox.removeprefix(prefix)):
                yield _checked(keys, *found.groups())


def _in_subject(keys: Sequence[bytes], subject: str) -> Iterator[Ticket]:
    for found in _IN_SUBJECT.finditer(subject):
        yield _checked(keys, *(group and group.lower() for group in found.groups()))


def _checked(
    keys: Sequence[bytes], game: str, seat: str, turn: str, mark: str | None, code: str | None, *old: str | None
) -> Ticket:
    number = int(turn)
    if mark is not None and code is not None:
        right = [_code(key, game=game, seat=seat, turn=number, mark=mark) for key in keys]
        return Ticket(game, seat, number, mark, good=_is_any(right, code))
    epoch, code = int(old[0] or ""), old[1] or ""
    right = [_old_code(key, game=game, seat=seat, turn=number, epoch=epoch) for key in keys]
    return Ticket(game, seat, number, "", good=_is_any(right, code), epoch=epoch)


def _is_any(right: Sequence[str], code: str) -> bool:
    return any(hmac.compare_digest(each, code) for each in right)


def _code(key: bytes, *, game: str, seat: str, turn: int, mark: str) -> str:
    """60 bits of a keyed hash, in letters that survive any mail server."""
    if not (_NAMED.fullmatch(game) and _NAMED.fullmatch(seat) and turn >= 0 and _MARKED.fullmatch(mark)):
        raise ValueError(f"not a ticket: {game!r} {seat!r} {turn} {mark}")
    said = f"caravan-post/ticket-2\0{game}\0{mark}\0{turn}\0{seat}".encode()
    return base64.b32encode(hmac.digest(key, said, hashlib.sha256)[:10]).decode("ascii").lower()[:12]


def _old_code(key: bytes, *, game: str, seat: str, turn: int, epoch: int) -> str:
    """The code of a ticket of the old form: 80 bits."""
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
