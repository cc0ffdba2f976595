"""A letter: what one mail says, read from its bytes.

Here is the order of reading: limits, header, robots, sender, parts, text, own words. It uses no file, clock, store or
network, so the same bytes always give the same letter. A mail that could be read in two ways is `Unreadable`.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pbem.mail.reading import limits
from pbem.mail.reading.addresses import addresses_of, parse_address, parse_sender
from pbem.mail.reading.authentication import Authenticity, check_authenticity
from pbem.mail.reading.body import read_body
from pbem.mail.reading.encoding import decode_words
from pbem.mail.reading.header import Header, parse_content, parse_header, without_mailbox_line
from pbem.mail.reading.limits import Unreadable
from pbem.mail.reading.machine_mail import LIST, answers_calendar, failing_addresses, returned_mail, robot_kind
from pbem.mail.reading.parts import Part, parse_structure
from pbem.mail.reading.quotes import find_own_words
from pbem.mail.reading.text_lines import TextLine
from pbem.mail.reply_address import PostIdentity, Ticket, parse_ticket, parse_verp

_OFFSET: Final = re.compile(r" ([+-])(\d\d)([0-5]\d)(?![^ ])")
_FARTHEST: Final = 14 * 60
"""Minutes by which a clock can be ahead of UTC."""
_ONCE: Final = ("subject", "message-id", "in-reply-to")
_RECIPIENTS: Final = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that we could read.

    `words` are the writer's own: without the quoted mail, signature or anything outside a fence. `cut` has the first
    lines of what was left out. A letter with `automatic` set was written by a robot and has no words.
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
    """The Message-IDs of mails that a bounce returns: by the address it came to, and by what it contains."""
    cut_short: bool = False
    """Whether the writer's own words may go on beyond what was read."""
    listed: bool = False
    """Whether its headers are those of a mailing list; it is read because its ticket is good."""
    offset: int | None = None
    """By how many minutes the writer's clock is ahead of UTC, by the Date; None if that is UTC, as servers write it."""
    shown: str = ""
    """The writer's own words as the letter's HTML has them, where `words` are from its plain text."""


def largest_size(start: bytes, *, post: PostIdentity, envelope_to: Sequence[str] = (), usual: int = limits.MAIL) -> int:
    """How large a mail may be, by its envelope and its beginning: larger than usual with a good ticket."""
    head = parse_header(without_mailbox_line(start[: 2 * limits.HEADER_BLOCK].replace(b"\r\n", b"\n")))
    ticket = _ticket(Header() if isinstance(head, Unreadable) else head[0], post, envelope_to)
    return limits.TICKETED if ticket is not None and ticket.good else usual


def read_letter(
    raw: bytes,
    *,
    post: PostIdentity,
    envelope_from: str | None = None,
    envelope_to: Sequence[str] = (),
    largest: int = limits.MAIL,
    ticketed: bool = False,
) -> Letter | Unreadable:
    """Read one mail as it arrived. `envelope_from` is empty for the null sender, None if it is not known.

    `largest` is the size in bytes above which a mail needs a good ticket to be read. `ticketed` says that its ticket
    was good when it came, for those who have no key to see it.
    """
    if len(raw) > largest:
        allowed = largest_size(raw, post=post, envelope_to=envelope_to, usual=largest)
        allowed = limits.TICKETED if ticketed else allowed
        if len(raw) > allowed:
            return Unreadable("too-large", f"{len(raw)} bytes, at most {allowed}")
    mail = limits.normalize_line_ends(raw)
    if isinstance(mail, Unreadable):
        return mail
    opened = parse_header(without_mailbox_line(mail))
    if isinstance(opened, Unreadable):
        return opened
    head, body = opened
    if len(head.every("received")) > limits.HOPS:
        return Unreadable("too-many-hops", f"more than {limits.HOPS}")
    content = parse_content(head)
    kind = None if isinstance(content, Unreadable) else content
    robot = robot_kind(head, kind, post=post, envelope_from=envelope_from)
    ticket = _ticket(head, post, envelope_to)
    # Some players write through a forwarding address that marks their mails as a list's. Lists have no good ticket.
    genuine = ticketed or (ticket is not None and ticket.good)
    listed = robot == LIST and genuine
    if robot and not listed:
        return _read_robot(head, body, robot, post=post, envelope_to=envelope_to)
    letter = _read_person(head, body, post=post, envelope_to=envelope_to, genuine=genuine)
    return replace(letter, listed=True) if listed and isinstance(letter, Letter) else letter


def _read_person(
    head: Header, body: bytes, *, post: PostIdentity, envelope_to: Sequence[str], genuine: bool
) -> Letter | Unreadable:
    for name in _ONCE:
        if len(head.every(name)) > 1:
            return Unreadable("twice-said", name)
    sender = parse_sender(head.every("from"))
    if isinstance(sender, Unreadable):
        return sender
    mail = parse_structure(head, body)
    if isinstance(mail, Unreadable):
        return mail
    if answers_calendar(mail):
        return _read_robot(head, body, "receipt", post=post, envelope_to=envelope_to)
    text = read_body(mail, cuts=genuine)
    if isinstance(text, Unreadable):
        return text
    own = find_own_words(text.lines, post)
    # With a good ticket the writer is asked to write less, when the words are parsed.
    if not genuine and (len(own.words) > limits.WORDS or own.words.count("\n") >= limits.LINES_OF_WORDS):
        return Unreadable("too-many-words", f"{len(own.words)} characters, {own.words.count(chr(10)) + 1} lines")
    return Letter(
        sender=sender,
        subject=decode_words(head.first("subject") or b""),
        message_id=head.message_id("message-id"),
        in_reply_to=head.message_id("in-reply-to"),
        recipients=_recipients(head, post, envelope_to),
        words=own.words,
        shown=_own_words_shown(text.shown, post),
        offset=_read_offset(head.text("date")),
        cut=own.cut,
        body_sha256=hashlib.sha256(text.text.encode()).hexdigest(),
        automatic=None,
        authentic=check_authenticity(head, sender=sender, post=post),
        ticket=_ticket(head, post, envelope_to),
        cut_short=text.cut_short and own.at_end,
    )


def _read_offset(moment: str) -> int | None:
    found = _OFFSET.search(moment[:100])
    minutes = int(found[2]) * 60 + int(found[3]) if found is not None else 0
    if found is None or not 0 < minutes <= _FARTHEST:
        return None
    return -minutes if found[1] == "-" else minutes


def _own_words_shown(lines: Sequence[TextLine], post: PostIdentity) -> str:
    """The own words of a letter's HTML, if they are as short as a letter's may be."""
    words = find_own_words(lines, post).words if lines else ""
    return words if len(words) <= limits.WORDS and words.count("\n") < limits.LINES_OF_WORDS else ""


def _read_robot(head: Header, body: bytes, robot: str, *, post: PostIdentity, envelope_to: Sequence[str]) -> Letter:
    """A robot's mail: the sender, and which of our mails it may be about. Its text is not read."""
    senders = addresses_of(head.every("from"))
    mail = parse_structure(head, body) if robot == "bounce" else None
    bounced = None if isinstance(mail, Unreadable) else mail
    return Letter(
        sender=next(filter(None, map(parse_address, senders)), ""),
        subject=decode_words(head.first("subject") or b""),
        message_id=head.message_id("message-id"),
        in_reply_to=head.message_id("in-reply-to"),
        recipients=_recipients(head, post, envelope_to),
        words="",
        cut=(),
        body_sha256=hashlib.sha256(body).hexdigest(),
        automatic=robot,
        authentic=Authenticity.UNKNOWN,
        ticket=_ticket(head, post, envelope_to),
        bounce_of=() if bounced is None else failing_addresses(head, bounced),
        returned=() if bounced is None else _returned(bounced, post, _recipients(head, post, envelope_to)),
    )


def _returned(bounced: Part, post: PostIdentity, recipients: Sequence[str]) -> tuple[str, ...]:
    named, held = parse_verp(post, recipients), returned_mail(bounced)
    return tuple(dict.fromkeys((*named, *([held] if held is not None else []))))


def _ticket(head: Header, post: PostIdentity, envelope_to: Sequence[str]) -> Ticket | None:
    """The ticket of a mail: where it was delivered to, or in its subject."""
    subject = decode_words(head.first("subject") or b"")
    recipients = _recipients(head, post, envelope_to)
    return parse_ticket(post.ticket_key, post.address, recipients, subject, older_keys=post.older_keys)


def _recipients(head: Header, post: PostIdentity, envelope_to: Sequence[str]) -> tuple[str, ...]:
    """Where the mail was delivered, or else those of our addresses that it was written to."""
    if envelope_to:
        return tuple(address.strip(" <>") for address in envelope_to)
    written = addresses_of(value for name in _RECIPIENTS for value in head.every(name))
    return tuple(dict.fromkeys(filter(post.owns, written)))
