"""The bytes of a mail: header fields, MIME parts, message names, and a check of the finished mail.

Written by hand because our mails have one shape, and because the part with the picture is made once and used in many
mails. Names of people are encoded unless they are plain words; bodies are quoted-printable or base64, in which none of
our boundaries can occur.

All mails of one game to one seat refer to the same first mail, which was never sent: its Message-ID follows from the
post's key, so no counter is needed and nobody can guess it. Programs that thread by subject too see a thread for each
turn, with its receipts and reminders, and one for all news.

No mail leaves before `check_mail` has read its bytes again. It finds a header that a player's name or a bug has added,
taken away or changed, and a boundary too many, which would make somebody's words a part of their own. Encoded lines
were checked when they were encoded, once for all mails; `check_mail` makes sure that they stand on lines of their own.
"""

import binascii
import dataclasses
import hashlib
import hmac
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email.header import Header, decode_header, make_header
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from engine.game import Seat
from pbem.mail.writing.encoded_lines import (
    BOUNDARY,
    CheckedLines,
    EncodedLines,
    UnsendableError,
    check_lines,
    find_flaw,
    join_encoded_lines,
)
from pbem.mail.writing.occasions import Post

LINE: Final = 76
FIELD_CACHE: Final = 256
"""Header fields of each kind that are cached: most fields of a mail are those of the mail before."""
CRLF: Final = b"\r\n"

_PLAIN: Final = re.compile(r"[ -~]{1,900}")
_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/^_`{|}~-]+)*")
_ADDRESS: Final = re.compile(r"[^\s\x00-\x1f\x7f<>()\[\]:;@\\,\"]{1,128}@[^\s\x00-\x1f\x7f<>()\[\]:;@\\,\"]{1,253}")


class OutField(NamedTuple):
    """A header field: its name, its encoded value, and the value that a reader must find in it."""

    name: str
    written: str
    meant: str


@lru_cache(maxsize=FIELD_CACHE)
def ascii_field(name: str, value: str) -> OutField:
    """A header field of plain ASCII that holds no words of players."""
    if not _PLAIN.fullmatch(value) or "=?" in value:
        raise UnsendableError(f"{name}: {value!r}")
    return OutField(name, value, value)


_TEXT: Final = {kind: ascii_field("Content-Type", f"text/{kind}; charset=utf-8") for kind in ("plain", "html")}
_QUOTED: Final = ascii_field("Content-Transfer-Encoding", "quoted-printable")
_BASE64: Final = ascii_field("Content-Transfer-Encoding", "base64")


@lru_cache(maxsize=FIELD_CACHE)
def text_field(name: str, text: str) -> OutField:
    """A header field of free text, encoded unless it is plain."""
    return (
        ascii_field(name, text)
        if _PLAIN.fullmatch(text) and "=?" not in text
        else OutField(name, encode_words(text), text)
    )


@lru_cache(maxsize=FIELD_CACHE)
def mailbox_field(name: str, person: str, address: str) -> OutField:
    """A header field with a name, encoded unless it is a few plain words, and an address."""
    if not _ADDRESS.fullmatch(address):
        raise UnsendableError(f"{name}: {address!r} is not an address")
    if not person:
        return OutField(name, address, address)
    shown = person if _NAME.fullmatch(person) and "=?" not in person else encode_words(person)
    return OutField(name, f"{shown} <{address}>", f"{person} <{address}>")


def encode_words(text: str) -> str:
    """Text as encoded words of RFC 2047, on several lines if it is long."""
    return Header(text, "utf-8", maxlinelen=LINE, header_name="Subject").encode(linesep="\r\n", splitchars="")


def write_fields(fields: Sequence[OutField]) -> bytes:
    """The header of a mail, without the empty line after it."""
    # An address can be international; everything else is ASCII by now.
    return "".join([f"{name}: {written}\r\n" for name, written, _ in fields]).encode()


Piece: TypeAlias = bytes | CheckedLines
"""Bytes of a mail: structure, which `check_mail` reads again, or lines that were checked when they were encoded."""


class OutPart(NamedTuple):
    """A part of a mail: its header fields, its content, and how many boundary lines the content has."""

    fields: tuple[OutField, ...]
    pieces: tuple[Piece, ...]
    limits: int = 0

    @property
    def body(self) -> bytes:
        """The content in one piece."""
        return join_pieces(self.pieces)

    @property
    def raw(self) -> bytes:
        """Header and content."""
        return write_fields(self.fields) + CRLF + self.body


def join_pieces(pieces: Iterable[Piece]) -> bytes:
    """The bytes of some pieces."""
    return b"".join([piece.raw if isinstance(piece, CheckedLines) else piece for piece in pieces])


def text_part(kind: str, lines: Sequence[EncodedLines], *more: OutField) -> OutPart:
    """A part of text: quoted-printable where it is mostly ASCII, else base64, which is shorter then."""
    encoded, encoding = join_encoded_lines(lines), _QUOTED
    if len(encoded.raw) > 1.5 * sum([len(each.plain) for each in lines]):
        encoded, encoding = check_lines(encode_base64(b"".join([each.plain for each in lines]))), _BASE64
    return OutPart((_TEXT[kind], encoding, *more), (encoded,))


def attachment(text: str, *, name: str) -> OutPart:
    """A part with a text file, or with a page."""
    return text_part(
        "html" if name.endswith(".html") else "plain",
        [EncodedLines(text)],
        ascii_field("Content-Disposition", f'attachment; filename="{name}"'),
    )


def picture_part(png: bytes, *, cid: str, name: str) -> OutPart:
    """A part with a picture that the HTML part refers to."""
    fields = (
        ascii_field("Content-Type", f'image/png; name="{name}"'),
        _BASE64,
        ascii_field("Content-ID", f"<{cid}>"),
        ascii_field("Content-Disposition", f'inline; filename="{name}"'),
    )
    return OutPart(fields, (encode_base64(png),))


def encode_base64(data: bytes) -> bytes:
    """Base64 in lines."""
    packed = binascii.b2a_base64(data, newline=False)
    full, rest = divmod(len(packed), LINE)
    # A picture has two thousand lines; unpacking them at once is faster than a loop.
    lines = struct.unpack(f"{LINE}s" * full + (f"{rest}s" if rest else ""), packed)
    return CRLF.join(lines)


def join_parts(kind: str, name: str, parts: Sequence[OutPart | CheckedLines]) -> OutPart:
    """Several parts as one multipart, between boundaries that no encoded body can hold."""
    limit = f"{BOUNDARY}{kind}_{name}"
    line = b"--" + limit.encode("ascii")
    pieces: list[Piece] = []
    limits = len(parts) + 1
    for part in parts:
        if isinstance(part, CheckedLines):
            pieces += (line + CRLF, part, CRLF)
        else:
            pieces += (line + CRLF + write_fields(part.fields) + CRLF, *part.pieces, CRLF)
            limits += part.limits
    pieces.append(line + b"--" + CRLF)
    return OutPart((ascii_field("Content-Type", f'multipart/{kind}; boundary="{limit}"'),), tuple(pieces), limits)


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail, and what the outbox needs to know about it.

    Its bytes come in three pieces, because the picture is the same in all mails about a position and the outbox stores
    it once; `raw` is what is sent.
    """

    to: str
    kind: str
    seat: str
    message_id: str
    before: bytes = dataclasses.field(repr=False)
    picture: bytes = dataclasses.field(repr=False, default=b"")
    after: bytes = dataclasses.field(repr=False, default=b"")
    subject: str = ""

    @property
    def raw(self) -> bytes:
        """All of it."""
        return b"".join((self.before, self.picture, self.after))


THREAD_CACHE: Final = 256
"""Threads whose names are cached."""


@lru_cache(maxsize=THREAD_CACHE)
def format_thread_id(post: Post, game: str, seat: Seat) -> str:
    """The Message-ID that all mails of a game to a seat refer to."""
    return _format_id(post, "thread", game, seat)


def format_message_id(post: Post, game: str, seat: Seat, number: int) -> str:
    """The Message-ID of one mail.

    Numbers come again after the database was put back to an older copy, even by hand; the run of the post does not.
    """
    return _format_id(post, "mail-2", post.run, game, seat, str(number))


def format_entry_id(post: Post, game: str, seat: Seat, number: int) -> str:
    """The UID of the calendar entry that the mail of a number sets."""
    return _format_id(post, "calendar", post.run, game, seat, str(number)).strip("<>")


def _format_id(post: Post, *facts: str) -> str:
    said = "\0".join(("caravan-post/message", *facts)).encode()
    return f"<{hmac.digest(post.key, said, hashlib.sha256).hex()[:32]}@{post.domain}>"


_FOLD: Final = re.compile(r"\r\n(?=[ \t])")
"""Where a header field goes on in an indented line (RFC 5322, 2.2)."""
_LIMIT: Final = b"\r\n--" + BOUNDARY.encode("ascii")


class MailCheckError(Exception):
    """A mail does not say what was composed, which is a bug. It must not be sent."""


def check_mail(pieces: Sequence[Piece], fields: Sequence[OutField], limits: int) -> None:
    """Read a mail again and compare its header fields and the number of boundary lines with what they should be."""
    ours = b"".join([piece for piece in pieces if not isinstance(piece, CheckedLines)])
    flaw = find_flaw(ours) or _find_unseparated(pieces)
    if flaw:
        raise MailCheckError(flaw)
    head, _, body = ours.partition(b"\r\n\r\n")
    found = _parse_fields(head.decode("utf-8", "replace"))
    meant = [(name, value) for name, _, value in fields]
    if found != meant:
        raise MailCheckError(f"headers are {found}, should be {meant}")
    found_limits = (b"\r\n" + body).count(_LIMIT)
    if found_limits != limits:
        raise MailCheckError(f"{found_limits} boundary lines, should be {limits}")


def _find_unseparated(pieces: Sequence[Piece]) -> str:
    """Why checked lines do not stand on lines of their own; empty if they do."""
    for before, after in pairwise((b"", *pieces, b"\r\n")):
        if isinstance(after, CheckedLines) and (isinstance(before, CheckedLines) or not before.endswith(b"\r\n")):
            return "encoded lines do not begin on a line of their own"
        if isinstance(before, CheckedLines) and (isinstance(after, CheckedLines) or not after.startswith(b"\r\n")):
            return "encoded lines do not end on a line of their own"
    return ""


def _parse_fields(head: str) -> list[tuple[str, str]]:
    """The names and decoded values of header fields; a line that is not a field becomes a name that we never write."""
    headers = [line.partition(": ") for line in _FOLD.sub("", head).split("\r\n")]
    return [(name, _decode(value) if "=?" in value else value) for name, _, value in headers]


def _decode(value: str) -> str:
    """What a reader finds in a header with encoded words."""
    return str(make_header(decode_header(value)))
