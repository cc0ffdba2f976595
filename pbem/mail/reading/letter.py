"""A letter: what one mail says, read from its bytes.

The order of reading stands here: limits, header, robots, sender, parts, text, own words. No file, clock, store or
network; the same bytes give the same letter for ever. A mail that could be read in two ways is `Unreadable`.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pbem.mail.reading import limits
from pbem.mail.reading.addresses import addresses_of, read_address, read_sender
from pbem.mail.reading.authentication import Authenticity, judge_authenticity
from pbem.mail.reading.body import read_body
from pbem.mail.reading.encoding import read_words
from pbem.mail.reading.header import Header, parse_header, read_content, without_mailbox_line
from pbem.mail.reading.limits import Unreadable
from pbem.mail.reading.machine_mail import failing_addresses, returned_mail, who_wrote
from pbem.mail.reading.parts import Part, read_structure
from pbem.mail.reading.quotes import find_own_words
from pbem.mail.reply_address import PostIdentity, Ticket, parse_ticket, parse_verp

_MESSAGE_ID: Final = re.compile(rb"<[!-;=?-~]{1,250}>")
_ONCE: Final = ("subject", "message-id", "in-reply-to")
_RECIPIENTS: Final = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that we could read.

    `words` are the writer's own: without the quoted mail, signature or anything outside a fence. `cut` holds the
    first lines of what was left out. A letter with `automatic` set was written by a robot: it has no words.
    """

    sender: str
    subject: str
    message_id: str | None
    in_reply_to: str | None
    recipients: tuple[str, ...]
    words: str
    cut: tuple[str, ...]
    body_sha256: str
    automatic: str | None
    authentic: Authenticity
    ticket: Ticket | None
    bounce_of: tuple[str, ...] = ()
    """The addresses that a bounce reports as failing."""
    returned: tuple[str, ...] = ()
    """The Message-IDs of mails that a bounce says it brings back: by the address it came to, and by what it holds."""


def read_letter(
    raw: bytes, *, post: PostIdentity, envelope_from: str | None = None, envelope_to: Sequence[str] = ()
) -> Letter | Unreadable:
    """Read one mail as it came. `envelope_from` is empty for the null sender, None where it is not known."""
    mail = limits.settle_line_ends(raw)
    if isinstance(mail, Unreadable):
        return mail
    opened = parse_header(without_mailbox_line(mail))
    if isinstance(opened, Unreadable):
        return opened
    head, body = opened
    if len(head.every("received")) > limits.HOPS:
        return Unreadable("too-many-hops", f"more than {limits.HOPS}")
    content = read_content(head)
    kind = None if isinstance(content, Unreadable) else content
    robot = who_wrote(head, kind, post=post, envelope_from=envelope_from)
    if robot:
        return _read_robot(head, body, robot, post=post, envelope_to=envelope_to)
    return _read_person(head, body, post=post, envelope_to=envelope_to)


def _read_person(head: Header, body: bytes, *, post: PostIdentity, envelope_to: Sequence[str]) -> Letter | Unreadable:
    for name in _ONCE:
        if len(head.every(name)) > 1:
            return Unreadable("twice-said", name)
    sender = read_sender(head.every("from"))
    if isinstance(sender, Unreadable):
        return sender
    mail = read_structure(head, body)
    if isinstance(mail, Unreadable):
        return mail
    text = read_body(mail)
    if isinstance(text, Unreadable):
        return text
    own = find_own_words(text.lines, post)
    if len(own.words) > limits.WORDS or own.words.count("\n") >= limits.LINES_OF_WORDS:
        return Unreadable("too-many-words", f"{len(own.words)} characters, {own.words.count(chr(10)) + 1} lines")
    subject, recipients = read_words(head.first("subject") or b""), _recipients(head, post, envelope_to)
    return Letter(
        sender=sender,
        subject=subject,
        message_id=_message_id(head, "message-id"),
        in_reply_to=_message_id(head, "in-reply-to"),
        recipients=recipients,
        words=own.words,
        cut=own.cut,
        body_sha256=hashlib.sha256(text.text.encode()).hexdigest(),
        automatic=None,
        authentic=judge_authenticity(head, sender=sender, authserv_id=post.authserv_id),
        ticket=parse_ticket(post.ticket_key, post.address, recipients, subject),
    )


def _read_robot(head: Header, body: bytes, robot: str, *, post: PostIdentity, envelope_to: Sequence[str]) -> Letter:
    """A robot's mail: who it is, and which of our mails it may be about. What it says is not read."""
    senders = addresses_of(head.every("from"))
    mail = read_structure(head, body) if robot == "bounce" else None
    bounced = None if isinstance(mail, Unreadable) else mail
    subject, recipients = read_words(head.first("subject") or b""), _recipients(head, post, envelope_to)
    return Letter(
        sender=next(filter(None, map(read_address, senders)), ""),
        subject=subject,
        message_id=_message_id(head, "message-id"),
        in_reply_to=_message_id(head, "in-reply-to"),
        recipients=recipients,
        words="",
        cut=(),
        body_sha256=hashlib.sha256(body).hexdigest(),
        automatic=robot,
        authentic=Authenticity.UNKNOWN,
        ticket=parse_ticket(post.ticket_key, post.address, recipients, subject),
        bounce_of=() if bounced is None else failing_addresses(head, bounced),
        returned=() if bounced is None else _returned(bounced, post, recipients),
    )


def _returned(bounced: Part, post: PostIdentity, recipients: Sequence[str]) -> tuple[str, ...]:
    named, held = parse_verp(post, recipients), returned_mail(bounced)
    return tuple(dict.fromkeys((*named, *([held] if held is not None else []))))


def _message_id(head: Header, name: str) -> str | None:
    found = _MESSAGE_ID.search(head.first(name) or b"")
    return found[0].decode("ascii") if found else None


def _recipients(head: Header, post: PostIdentity, envelope_to: Sequence[str]) -> tuple[str, ...]:
    """Where the mail was delivered, or else those of our own addresses that it was written to."""
    if envelope_to:
        return tuple(address.strip(" <>") for address in envelope_to)
    written = addresses_of(value for name in _RECIPIENTS for value in head.every(name))
    return tuple(dict.fromkeys(filter(post.owns, written)))
