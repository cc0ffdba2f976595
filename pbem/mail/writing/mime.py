"""The bytes of a mail: header lines and parts, in the one shape that our mails have.

Written out by hand because it is one shape, and because the part with the picture is made once and used in many
mails. Names from people enter as plain words or encoded; bodies are quoted-printable or base64, in which no boundary of
ours can occur. That the bytes say what they should is not believed but checked, in `sealing`.

A mail as it leaves: bytes, and what the outbox needs to know about them.

Names of mails and threads, and the headers that hold a thread together.

All mails of one game to one seat answer the same first mail, which was never sent: its name follows from the post's
key, so no counter is needed and nobody can name a thread in advance. Gmail wants the same subject too.
"""

import binascii
import dataclasses
import hashlib
import hmac
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email.header import Header
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from engine.game import Seat
from pbem.mail.writing.encoded_lines import (
    BOUNDARY,
    EncodedLines,
    Proven,
    UnfitError,
    join_encoded_lines,
    prove,
)
from pbem.mail.writing.occasions import Post

LINE: Final = 76
KEPT: Final = 256
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


@lru_cache(maxsize=KEPT)
def field(name: str, value: str) -> OutField:
    """A header of plain ASCII, all of it ours."""
    if not _PLAIN.fullmatch(value) or "=?" in value:
        raise UnfitError(f"{name}: {value!r}")
    return OutField(name, value, value)


_TEXT: Final = {kind: field("Content-Type", f"text/{kind}; charset=utf-8") for kind in ("plain", "html")}
_QUOTED: Final = field("Content-Transfer-Encoding", "quoted-printable")
_PACKED: Final = field("Content-Transfer-Encoding", "base64")


@lru_cache(maxsize=KEPT)
def text_field(name: str, text: str) -> OutField:
    """A header of free text, encoded unless it is plain."""
    return (
        field(name, text) if _PLAIN.fullmatch(text) and "=?" not in text else OutField(name, encode_words(text), text)
    )


@lru_cache(maxsize=KEPT)
def mailbox_field(name: str, person: str, address: str) -> OutField:
    """A header with a person's name, always encoded unless it is a few plain words, and an address."""
    if not _ADDRESS.fullmatch(address):
        raise UnfitError(f"{name}: {address!r} is not an address")
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


Piece: TypeAlias = bytes | Proven
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
    return b"".join([piece.raw if isinstance(piece, Proven) else piece for piece in pieces])


def text_part(kind: str, galleys: Sequence[EncodedLines], *more: OutField) -> OutPart:
    """A part of text: readable on its way where it is mostly ASCII, else base64."""
    encoded, way = join_encoded_lines(galleys), _QUOTED
    if len(encoded.raw) > 1.5 * sum([len(galley.plain) for galley in galleys]):
        encoded, way = prove(pack(b"".join([galley.plain for galley in galleys]))), _PACKED
    return OutPart((_TEXT[kind], way, *more), (encoded,))


def attachment(text: str, *, name: str) -> OutPart:
    """A part with a text file."""
    return text_part("plain", [EncodedLines(text)], field("Content-Disposition", f'attachment; filename="{name}"'))


def picture_part(png: bytes, *, cid: str, name: str) -> OutPart:
    """A part with a picture that the HTML part refers to."""
    fields = (
        field("Content-Type", f'image/png; name="{name}"'),
        _PACKED,
        field("Content-ID", f"<{cid}>"),
        field("Content-Disposition", f'inline; filename="{name}"'),
    )
    return OutPart(fields, (pack(png),))


def pack(data: bytes) -> bytes:
    """Base64 in lines."""
    packed = binascii.b2a_base64(data, newline=False)
    full, rest = divmod(len(packed), LINE)
    # A picture has two thousand lines; this cuts them without a step of ours for each.
    lines = struct.unpack(f"{LINE}s" * full + (f"{rest}s" if rest else ""), packed)
    return CRLF.join(lines)


def join_parts(kind: str, name: str, parts: Sequence[OutPart | Proven]) -> OutPart:
    """Several parts as one, between lines that no encoded body can hold; a part may come with its headers as bytes."""
    limit = f"{BOUNDARY}{kind}_{name}"
    line = b"--" + limit.encode("ascii")
    pieces: list[Piece] = []
    limits = len(parts) + 1
    for part in parts:
        if isinstance(part, Proven):
            pieces += (line + CRLF, part, CRLF)
        else:
            pieces += (line + CRLF + write_fields(part.fields) + CRLF, *part.pieces, CRLF)
            limits += part.limits
    pieces.append(line + b"--" + CRLF)
    return OutPart((field("Content-Type", f'multipart/{kind}; boundary="{limit}"'),), tuple(pieces), limits)


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


KEPT_THREADS: Final = 256
"""Threads whose names are kept: those that are written to again and again."""


@lru_cache(maxsize=KEPT_THREADS)
def thread_root(post: Post, game: str, seat: Seat) -> str:
    """The Message-ID that all mails of a game to a seat refer to."""
    return _name(post, "thread", game, seat)


def mail_name(post: Post, game: str, seat: Seat, number: int) -> str:
    """The Message-ID of one mail."""
    return _name(post, "mail", game, seat, str(number))


def subject(game: str, title: str, tag: str) -> str:
    """The same for all mails of a game, unless the mail server forces the ticket into it."""
    return f"[{game}] {title} {tag}".rstrip()


def _name(post: Post, *facts: str) -> str:
    said = "\0".join(("caravan-post/message", *facts)).encode()
    return f"<{hmac.digest(post.key, said, hashlib.sha256).hex()[:32]}@{post.domain}>"
