"""A deadline as an entry for the reader's calendar (RFC 5545), beside the mail that tells of it (RFC 6047).

Calendars know an entry by its UID and take over what has a higher SEQUENCE. They do so for a request to somebody who is
invited; what is only published is added as another entry by some. The part is an attachment and no other form of the
mail's text, because programs that take a mail for an invitation put it away once it is answered.

Written by hand: an entry has a dozen lines, and the library that could write them takes five megabytes and a quarter of
a second to load. Tests read every entry with it. An entry says no more than the subject of the mail, and its addresses
bear no ticket, because calendars are shared and shown on locked screens.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import quote

from pbem.mail.writing.encoded_lines import check_lines
from pbem.mail.writing.mime import OutPart, ascii_field, encode_base64
from pbem.mail.writing.occasions import CalendarChange, Correspondent, Post

LENGTH: Final = timedelta(minutes=30)
"""How long the entry is that ends with the deadline."""
WIDTH: Final = 75
"""Octets of a line, without its end (RFC 5545, 3.1)."""
REQUEST: Final = "REQUEST"
CANCEL: Final = "CANCEL"


def calendar_part(post: Post, reader: Correspondent, change: CalendarChange, summary: str, date: datetime) -> OutPart:
    """The part of a mail that sets, moves or removes the entry; `date` is the mail's."""
    method = CANCEL if change.cancelled else REQUEST
    fields = (
        ascii_field("Content-Type", f'text/calendar; charset=utf-8; method={method}; name="turn.ics"'),
        ascii_field("Content-Transfer-Encoding", "base64"),
        ascii_field("Content-Disposition", 'attachment; filename="turn.ics"'),
    )
    lines = _lines(post, reader, change, summary, date)
    text = b"".join([line for each in lines for line in _fold(each)])
    return OutPart(fields, (check_lines(encode_base64(text)),))


def _lines(post: Post, reader: Correspondent, change: CalendarChange, summary: str, date: datetime) -> Iterator[str]:
    yield "BEGIN:VCALENDAR"
    yield "VERSION:2.0"
    yield "PRODID:-//Caravan Post//Deadlines//EN"
    yield f"METHOD:{CANCEL if change.cancelled else REQUEST}"
    yield "BEGIN:VEVENT"
    yield f"UID:{change.uid}"
    yield f"SEQUENCE:{change.sequence}"
    yield f"DTSTAMP:{_moment(date)}"
    yield f"DTSTART:{_moment(change.deadline - LENGTH)}"
    yield f"DTEND:{_moment(change.deadline)}"
    yield f"SUMMARY:{_escape(summary)}"
    yield f"ORGANIZER:{_mailto(post.address)}"
    # Whoever plays has accepted already, so no calendar need ask, and none need answer us.
    yield f"ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:{_mailto(reader.address)}"
    yield "TRANSP:TRANSPARENT"
    yield "CLASS:PRIVATE"
    yield f"STATUS:{'CANCELLED' if change.cancelled else 'CONFIRMED'}"
    yield "END:VEVENT"
    yield "END:VCALENDAR"


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _mailto(address: str) -> str:
    return f"mailto:{quote(address, safe='@.-_+')}"


def _escape(text: str) -> str:
    """A text on one line, with the signs escaped that mean something in an entry (RFC 5545, 3.3.11)."""
    plain = " ".join(text.split()).replace("\\", "\\\\")
    return plain.replace(";", "\\;").replace(",", "\\,")


def _fold(line: str) -> Iterator[bytes]:
    """A line in pieces of at most WIDTH octets; the later ones begin with a blank, and no character is cut in two."""
    piece = b""
    for sign in line:
        octets = sign.encode()
        if len(piece) + len(octets) > WIDTH:
            yield piece + b"\r\n"
            piece = b" "
        piece += octets
    yield piece + b"\r\n"
