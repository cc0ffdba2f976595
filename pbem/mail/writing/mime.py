"""The bytes of a mail: header lines and parts, in the one shape that our mails have.

Written out by hand because it is one shape, and because the part with the picture is made once and used in many
mails. Names from people enter as plain words or encoded; bodies are quoted-printable or base64, in which no boundary of
ours can occur. That the bytes say what they should is not believed but checked, in `sealing`.

A mail as it leaves: bytes, and what the outbox needs to know about them.

Names of mails and threads, and the headers that hold a thread together.

All mails of one game to one seat answer the same first mail, which was never sent: its name follows from the post's
key, so no counter is needed and nobody can name a thread in advance. Gmail wants the same subject too.

The seal: no mail leaves before its bytes have been read again and say what they should.

A header that a player's name or a bug has added, taken away or changed is found here, whatever the code that wrote
it promises. So is a boundary too many: then somebody's words would be read as a part of their own. Encoded lines were
proven when they were set, once for all mails in which they stand; here is held that they stand alone between ours.
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
"""Headers of each kind that are kept: most of a mail's are those of the mail before."""
CRLF: Final = b"\r\n"

_PLAIN: Final = re.compile(r"[ -~]{1,900}")
_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/^_`{|}~-]+)*")
_ADDRESS: Final = re.compile(r"[^\s\x00-\x1f\x7f<>()\[\]:;@\\,\"]{1,128}@[^\s\x00-\x1f\x7f<>()\[\]:;@\\,\"]{1,253}")


class OutField(NamedTuple):
    """A header: its name, what is written, and what a reader must find in it."""

    name: str
    written: str
    meant: str


@lru_cache(maxsize=FIELD_CACHE)
def ascii_field(name: str, value: str) -> OutField:
    """A header of plain ASCII, all of it ours."""
    if not _PLAIN.fullmatch(value) or "=?" in value:
        raise UnsendableError(f"{name}: {value!r}")
    return OutField(name, value, value)


_TEXT: Final = {kind: ascii_field("Content-Type", f"text/{kind}; charset=utf-8") for kind in ("plain", "html")}
_QUOTED: Final = ascii_field("Content-Transfer-Encoding", "quoted-printable")
_PACKED: Final = ascii_field("Content-Transfer-Encoding", "base64")


@lru_cache(maxsize=FIELD_CACHE)
def text_field(name: str, text: str) -> OutField:
    """A header of free text, encoded unless it is plain."""
    return (
        ascii_field(name, text)
        if _PLAIN.fullmatch(text) and "=?" not in text
        else OutField(name, encode_words(text), text)
    )


@lru_cache(maxsize=FIELD_CACHE)
def mailbox_field(name: str, person: str, address: str) -> OutField:
    """A header with a person's name, always encoded unless it is a few plain words, and an address."""
    if not _ADDRESS.fullmatch(address):
        raise UnsendableError(f"{name}: {address!r} is not an address")
    if not person:
        return OutField(name, address, address)
    shown = person if _NAME.fullmatch(person) and "=?" not in person else encode_words(person)
    return OutField(name, f"{shown} <{address}>", f"{person} <{address}>")


def encode_words(text: str) -> str:
    """Text as encoded words of RFC 2047, on several lines if need be."""
    return Header(text, "utf-8", maxlinelen=LINE, header_name="Subject").encode(linesep="\r\n", splitchars="")


def write_fields(fields: Sequence[OutField]) -> bytes:
    """The header of a mail, without the empty line after it."""
    # An address may be international; everything else is ASCII by now.
    return "".join([f"{name}: {written}\r\n" for name, written, _ in fields]).encode()


Piece: TypeAlias = bytes | CheckedLines
"""Bytes of a mail: ours, which the seal looks at, or lines that were looked at when they were encoded."""


class OutPart(NamedTuple):
    """A part of a mail: its own headers, what stands in it, and how many boundary lines are in that."""

    fields: tuple[OutField, ...]
    pieces: tuple[Piece, ...]
    limits: int = 0

    @property
    def body(self) -> bytes:
        """What stands in it, in one piece."""
        return join_pieces(self.pieces)

    @property
    def raw(self) -> bytes:
        """Headers and bytes."""
        return write_fields(self.fields) + CRLF + self.body


def join_pieces(pieces: Iterable[Piece]) -> bytes:
    """The bytes of some pieces."""
    return b"".join([piece.raw if isinstance(piece, CheckedLines) else piece for piece in pieces])


def text_part(kind: str, galleys: Sequence[EncodedLines], *more: OutField) -> OutPart:
    """A part of text: readable on its way where it is mostly ASCII, else base64."""
    encoded, way = join_encoded_lines(galleys), _QUOTED
    if len(encoded.raw) > 1.5 * sum([len(galley.plain) for galley in galleys]):
        encoded, way = check_lines(encode_base64(b"".join([galley.plain for galley in galleys]))), _PACKED
    return OutPart((_TEXT[kind], way, *more), (encoded,))


def attachment(text: str, *, name: str) -> OutPart:
    """A part with a text file."""
    return text_part(
        "plain", [EncodedLines(text)], ascii_field("Content-Disposition", f'attachment; filename="{name}"')
    )


def picture_part(png: bytes, *, cid: str, name: str) -> OutPart:
    """A part with a picture that the HTML part refers to."""
    fields = (
        ascii_field("Content-Type", f'image/png; name="{name}"'),
        _PACKED,
        ascii_field("Content-ID", f"<{cid}>"),
        ascii_field("Content-Disposition", f'inline; filename="{name}"'),
    )
    return OutPart(fields, (encode_base64(png),))


def encode_base64(data: bytes) -> bytes:
    """Base64 in lines."""
    packed = binascii.b2a_base64(data, newline=False)
    full, rest = divmod(len(packed), LINE)
    # A picture has two thousand lines; this cuts them without a step of ours for each.
    lines = struct.unpack(f"{LINE}s" * full + (f"{rest}s" if rest else ""), packed)
    return CRLF.join(lines)


def join_parts(kind: str, name: str, parts: Sequence[OutPart | CheckedLines]) -> OutPart:
    """Several parts as one, between lines that no encoded body can hold; a part may come with its headers as bytes."""
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
    """One mail. Its bytes come in three pieces, because the picture is the same in all mails of a position.

    Whoever keeps many mails may keep the middle piece once; `raw` is what is sent.
    """

    to: str
    kind: str
    seat: str
    message_id: str
    before: bytes = dataclasses.field(repr=False)
    picture: bytes = dataclasses.field(repr=False, default=b"")
    after: bytes = dataclasses.field(repr=False, default=b"")

    @property
    def raw(self) -> bytes:
        """All of it."""
        return b"".join((self.before, self.picture, self.after))


THREAD_CACHE: Final = 256
"""Threads whose names are kept: those that are written to again and again."""


@lru_cache(maxsize=THREAD_CACHE)
def format_thread_id(post: Post, game: str, seat: Seat) -> str:
    """The Message-ID that all mails of a game to a seat refer to."""
    return _name(post, "thread", game, seat)


def format_message_id(post: Post, game: str, seat: Seat, number: int) -> str:
    """The Message-ID of one mail."""
    return _name(post, "mail", game, seat, str(number))


def format_subject(game: str, title: str, tag: str) -> str:
    """The same for all mails of a game, unless the mail server forces the ticket into it."""
    return f"[{game}] {title} {tag}".rstrip()


def _name(post: Post, *facts: str) -> str:
    said = "\0".join(("caravan-post/message", *facts)).encode()
    return f"<{hmac.digest(post.key, said, hashlib.sha256).hex()[:32]}@{post.domain}>"


_FOLD: Final = re.compile(r"\r\n(?=[ \t])")
"""Where a header goes on in a line that is set in (RFC 5322, 2.2)."""
_LIMIT: Final = b"\r\n--" + BOUNDARY.encode("ascii")


class MailCheckError(Exception):
    """A mail does not say what was composed. It must not be sent, and whoever sees this has found a bug."""


def check_mail(pieces: Sequence[Piece], fields: Sequence[OutField], limits: int) -> None:
    """Read a mail again and compare it with what it should be: its headers, and how many boundary lines it has."""
    ours = b"".join([piece for piece in pieces if not isinstance(piece, CheckedLines)])
    flaw = find_flaw(ours) or _find_loose(pieces)
    if flaw:
        raise MailCheckError(flaw)
    head, _, body = ours.partition(b"\r\n\r\n")
    found = _read_head(head.decode("utf-8", "replace"))
    meant = [(name, value) for name, _, value in fields]
    if found != meant:
        raise MailCheckError(f"headers are {found}, should be {meant}")
    found_limits = (b"\r\n" + body).count(_LIMIT)
    if found_limits != limits:
        raise MailCheckError(f"{found_limits} boundary lines, should be {limits}")


def _find_loose(pieces: Sequence[Piece]) -> str:
    """Whether something of ours is not kept apart by a line end from lines that were proven alone."""
    for before, after in pairwise((b"", *pieces, b"\r\n")):
        if isinstance(after, CheckedLines) and (isinstance(before, CheckedLines) or not before.endswith(b"\r\n")):
            return "encoded lines do not begin on a line of their own"
        if isinstance(before, CheckedLines) and (isinstance(after, CheckedLines) or not after.startswith(b"\r\n")):
            return "encoded lines do not end on a line of their own"
    return ""


def _read_head(head: str) -> list[tuple[str, str]]:
    """The names and meanings of headers; a line that is none has a name that nothing of ours has."""
    headers = [line.partition(": ") for line in _FOLD.sub("", head).split("\r\n")]
    return [(name, _decode(value) if "=?" in value else value) for name, _, value in headers]


def _decode(value: str) -> str:
    """What a reader finds in a header with encoded words."""
    return str(make_header(decode_header(value)))
