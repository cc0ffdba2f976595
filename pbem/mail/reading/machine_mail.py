"""Which addresses a bounce reports as failing for good, and which mail it brings back.

Servers of today write a report that is meant for programs (RFC 3464); that is read here. For older and odder forms
the library that Mailman uses is asked, about a short plain copy of the mail: it sees nothing that we did not bound.
"""

import re
from collections.abc import Iterator
from typing import Final

from pbem.mail.reading.addresses import addresses_of, read_address
from pbem.mail.reading.body import read_body
from pbem.mail.reading.encoding import unpack
from pbem.mail.reading.header import Head, read_head
from pbem.mail.reading.parts import Part
from pbem.mail.reading.unreadable import Unreadable

_FAILED: Final = re.compile(r"^Action:\s{0,9}failed\b", re.IGNORECASE | re.MULTILINE)
_RECIPIENT: Final = re.compile(
    r"^(?:Final|Original)-Recipient:[^\n;]{0,40};([^\n]{1,400})$", re.IGNORECASE | re.MULTILINE
)

_RETURNED: Final = frozenset(
    {"message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers", "message/rfc822-headers"}
)
_MESSAGE_ID: Final = re.compile(rb"<[!-;=?-~]{1,250}>")

_MOST: Final = 20  # addresses
_REPORT: Final = 16 * 1024  # bytes
_LINES: Final = 200
_LINE: Final = 200


def failing_addresses(head: Head, mail: Part) -> tuple[str, ...]:
    """The addresses that cannot be reached, as far as the bounce says."""
    reported = [
        *(address for report in _reports(mail) for address in _read_report(report)),
        *addresses_of(head.every("x-failed-recipients")),
    ]
    found = (read_address(address) for address in reported or _guess(mail))
    return tuple(dict.fromkeys(address for address in found if address))[:_MOST]


def returned_mail(part: Part) -> str | None:
    """The Message-ID of the mail that came back, if the bounce holds it or its header."""
    if part.content.kind in _RETURNED:
        data = unpack(part.data, part.content.packing)
        opened = read_head(data) if data is not None else None
        if opened is not None and not isinstance(opened, Unreadable):
            found = _MESSAGE_ID.search(opened[0].first("message-id") or b"")
            return found[0].decode("ascii") if found else None
    return next(filter(None, map(returned_mail, part.inside)), None)


def _reports(part: Part) -> Iterator[str]:
    """The parts that are written for programs."""
    if part.content.kind in ("message/delivery-status", "message/global-delivery-status"):
        data = unpack(part.data, part.content.packing)
        if data is not None:
            yield data[:_REPORT].decode("utf-8", "replace")
    for inner in part.inside:
        yield from _reports(inner)


def _read_report(report: str) -> Iterator[str]:
    """The failing ones among the recipients of a report; each stands in a block of its own."""
    for block in report.split("\n\n"):
        if _FAILED.search(block):
            for recipient in _RECIPIENT.finditer(block):
                yield recipient[1].strip(" <>")


def _guess(mail: Part) -> list[str]:
    from email.message import Message

    from flufl.bounce import scan_message

    body = read_body(mail)
    if isinstance(body, Unreadable):
        return []
    letter = Message()
    letter["From"] = "mailer-daemon@example.org"  # the library wants one; whose it is does not matter
    letter.set_payload("\n".join(line.text[:_LINE] for line in body.lines[:_LINES]) + "\n")
    try:
        return [address.decode("ascii", "replace") for address in scan_message(letter)]
    except Exception:  # its detectors index and split what strangers wrote; a guess that fails is no guess
        return []
