"""How a part that mails share is stored: a picture as it was drawn, and later as its pixels.

In a mail a picture is a part of its own: a few header fields, an empty line, and the picture in base64. All of that is
one value for the outbox, and must come back to the byte. A picture that is packed away beside others like it is stored
as its pixels, because pictures of one board have most pixels in common and nothing of what they are compressed to.
"""

import binascii
import struct
import zlib
from hashlib import sha256
from typing import Final, NamedTuple

LEVEL: Final = 5
"""How hard zlib compresses the pictures in our mails. Others are packed away as they are."""

_LINE: Final = 76
"""Characters in a line of base64, as in all our mails."""
_EMPTY_LINE: Final = b"\r\n\r\n"
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_PIXELS: Final = b"IDAT"
_END: Final = b"\x00\x00\x00\x00IEND\xaeB`\x82"
_MOST: Final = 16_000_000
"""Bytes of pixels in the largest picture that is stored as pixels."""


class SharedPart(NamedTuple):
    """What mails share, as it is stored. `encoded` says that the content is in base64 in the mail."""

    head: str
    content: bytes
    encoded: bool


def take_apart(part: bytes) -> SharedPart:
    """A part of a mail as it is stored first: a picture as it was drawn."""
    head, line, body = part.rpartition(_EMPTY_LINE)
    plain = _decode(body) if head.isascii() else None
    if plain is None:
        return SharedPart("", part, encoded=False)
    return SharedPart((head + line).decode("ascii"), plain, encoded=True)


def put_together(stored: SharedPart) -> bytes:
    """The same part as it is in the mail."""
    return stored.head.encode("ascii") + (_encode(stored.content) if stored.encoded else stored.content)


def _decode(content: bytes) -> bytes | None:
    """What is in base64 in a mail; None if it is not, or if writing it again would not give the same bytes."""
    try:
        plain = binascii.a2b_base64(content)
    except binascii.Error:
        return None
    return plain if _encode(plain) == content else None


def _encode(content: bytes) -> bytes:
    packed = binascii.b2a_base64(content, newline=False)
    return b"\r\n".join([packed[at : at + _LINE] for at in range(0, len(packed), _LINE)])


class Pixels(NamedTuple):
    """A picture that was taken apart: its file without the pixels, and the pixels."""

    frame: bytes
    pixels: bytes


def split_picture(png: bytes) -> Pixels | None:
    """A picture as its pixels. None if it is not one of ours, so that it could not be made again to the byte."""
    before, name, rest = png.partition(_PIXELS)
    if not (name and png.startswith(_SIGNATURE) and png.endswith(_END)):
        return None
    unpacking = zlib.decompressobj()
    try:
        pixels = unpacking.decompress(rest[: -len(_END) - 4], _MOST)
    except zlib.error:
        return None
    found = Pixels(before[:-4] + _END, pixels)
    return found if join_picture(found) == png else None


def join_picture(picture: Pixels) -> bytes:
    """The file of a picture, as it was drawn."""
    return _write_file(picture, _pack_here(picture.pixels))


def _write_file(picture: Pixels, packed: bytes) -> bytes:
    check = zlib.crc32(packed, zlib.crc32(_PIXELS))
    size, check_sum = struct.pack(">I", len(packed)), struct.pack(">I", check)
    return b"".join((picture.frame[: -len(_END)], size, _PIXELS, packed, check_sum, _END))


def restore_picture(head: str, picture: Pixels, digest: str) -> bytes:
    """A part with a picture that was stored as pixels, as it is in the mail that has this digest for it."""
    for pack in (_pack_here, _pack_as_always):
        part = put_together(SharedPart(head, _write_file(picture, pack(picture.pixels)), encoded=True))
        if sha256(part).hexdigest() == digest:
            return part
    raise ValueError("not the picture that was stored")


def _pack_here(pixels: bytes) -> bytes:
    return zlib.compress(pixels, LEVEL)


def _pack_as_always(pixels: bytes) -> bytes:
    """The same bytes on every machine: the zlib of this one need not be the one that compressed the picture."""
    from pbem.store.deflate import deflate  # needed where zlib was replaced since, and takes a hundred times as long

    return deflate(pixels)
