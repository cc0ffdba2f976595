"""Reply addresses of mails that are about no seat: a person's, a welcome's, an invitation's, a question's, a case's.

`caravan+me.k7q2m4xwzt3d.0.CODE@example.org`: a kind, what it is about, and a code that only we can write. A seat's
ticket has five parts and these have three or four, so neither can be taken for the other.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pbem.mail.reply_address import LONGEST_MAILBOX, SEPARATORS, PostIdentity

TicketKind = Literal["me", "hi", "in", "yes", "court"]
"""A person; a welcome; a place at a table that gathers; an act to be confirmed; a case."""

PARTS: Final[dict[TicketKind, int]] = {"me": 2, "hi": 1, "in": 1, "yes": 1, "court": 2}
"""How many parts tell what a ticket of a kind is about. No table may have one of these names."""

_ADDRESS: Final = re.compile(r"(me|hi|in|yes|court)\.([a-z0-9-]+(?:\.[a-z0-9-]+)?)\.([a-z2-7]{12})")
_SUBJECT: Final = re.compile(
    r"\[\s?(me|hi|in|yes|court)\s{1,3}([a-z0-9-]+(?:\.[a-z0-9-]+)?)\s{1,3}([a-z2-7]{12})\s?\]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class PostTicket:
    """What a letter answers that is for no seat. `good` says whether its code is ours for exactly this."""

    kind: TicketKind
    about: tuple[str, ...]
    good: bool


def format_post_address(identity: PostIdentity, kind: TicketKind, *about: str, sender: str = "") -> str:
    """Our address with such a ticket in it. A welcome's code is good for its `sender` alone."""
    mailbox, _, home = identity.address.rpartition("@")
    full = f"{mailbox}+{kind}.{'.'.join(about)}.{_code(identity.ticket_key, kind, about, sender)}"
    if len(full) > LONGEST_MAILBOX or len(about) != PARTS[kind]:
        raise ValueError(f"not a reply address: {full}")
    return f"{full}@{home}"


def format_post_tag(identity: PostIdentity, kind: TicketKind, *about: str, sender: str = "") -> str:
    """The same ticket for a subject, where a server does not deliver addresses with a plus."""
    return f"[{kind} {'.'.join(about)} {_code(identity.ticket_key, kind, about, sender)}]"


def parse_post_ticket(
    identity: PostIdentity, recipients: Sequence[str], subject: str, sender: str
) -> PostTicket | None:
    """The ticket of a letter that is for no seat; None if it has none. Two that differ contradict each other."""
    keys = (identity.ticket_key, *identity.older_keys)
    for texts in (_after_mailbox(identity, recipients), _SUBJECT.findall(subject)):
        found = {_check(keys, kind.lower(), about.lower(), code.lower(), sender) for kind, about, code in texts}
        if len(found) == 1:
            return found.pop()
        if found:
            first = min(found, key=lambda ticket: (ticket.kind, ticket.about))
            return PostTicket(first.kind, first.about, good=False)
    return None


def _after_mailbox(identity: PostIdentity, recipients: Iterable[str]) -> list[tuple[str, str, str]]:
    found = []
    for recipient in recipients:
        local = recipient.strip(" <>").lower().rpartition("@")[0]
        for prefix in (identity.mailbox + sign for sign in SEPARATORS if local.startswith(identity.mailbox + sign)):
            if match := _ADDRESS.fullmatch(local.removeprefix(prefix)):
                found.append((match[1], match[2], match[3]))
    return found


def _check(keys: Sequence[bytes], kind: str, about: str, code: str, sender: str) -> PostTicket:
    parts = tuple(about.split("."))
    known = next(each for each in PARTS if each == kind)
    right = [_code(key, known, parts, sender if known == "hi" else "") for key in keys]
    good = len(parts) == PARTS[known] and any(hmac.compare_digest(each, code) for each in right)
    return PostTicket(known, parts, good=good)


def _code(key: bytes, kind: str, about: Sequence[str], sender: str) -> str:
    said = "\0".join(("caravan-post/post-ticket", kind, *about, sender.lower())).encode()
    return base64.b32encode(hmac.digest(key, said, hashlib.sha256)[:10]).decode("ascii").lower()[:12]
