"""Looking for a secret in whatever leaves the house: as it is, and in every clothing that mail and the web know.

An output is taken apart first: a mail into its headers and parts as they are read, a picture into its chunks, an
archive into its files. What is found there is looked at as it is, without markup, and without the blanks, bars and line
ends that wrapping puts between. It knows nothing of posts and games: secrets are bytes.
"""

import base64
import html
import json
import quopri
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from email import message_from_bytes
from email.header import decode_header, make_header
from functools import cache
from io import BytesIO
from urllib.parse import quote_from_bytes

PNG = b"\x89PNG\r\n\x1a\n"
ZIP = b"PK\x03\x04"
ENOUGH = 12
"""Bytes that a spelling must have, as many as the code of a reply address: shorter ones turn up by themselves."""
LONG = 27
"""Bytes from which on a spelling is long. Any has a piece of half these lengths wherever one looks every so often."""
SMALL = 65_536
"""Bytes of pixels that are looked through. A greater picture was drawn; onlookers compare such pictures."""

_WRAPPING = re.compile(rb"(?:=\r?\n|[\s|>])+")
_TAG = re.compile(rb"<[^<>]*>")
_HEX = re.compile(rb"=[0-9A-F]{2}|%[0-9A-F]{2}")
_MAIL = re.compile(rb"[A-Z][A-Za-z-]*: [^\n]*\r\n(?:[A-Z][A-Za-z-]*: |[ \t])")


@cache
def spellings(secret: bytes) -> frozenset[bytes]:
    """A secret as it might be written, closed up."""
    forms = (secret, *_in_digits(secret), *_in_base64(secret), *_in_mail(secret), *_as_text(secret))
    written = {_close(each) for each in forms}
    if not all(len(each) >= ENOUGH for each in written):
        raise ValueError(f"too short to be looked for: {secret!r}")
    return frozenset(written)


def _in_digits(secret: bytes) -> Iterator[bytes]:
    for separator in ("", ":", "-", " "):
        digits = secret.hex(separator) if separator else secret.hex()
        yield from (digits.encode(), digits.upper().encode())
    yield secret[::-1].hex().encode()
    yield str(int.from_bytes(secret, "big")).encode()
    yield ", ".join(map(str, secret)).encode()


def _in_base64(secret: bytes) -> Iterator[bytes]:
    """However many bytes stand before it; what depends on its neighbours is left out."""
    for before in range(3):
        first, last = -(-before * 4 // 3), (before + len(secret)) * 4 // 3
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            yield encode(bytes(before) + secret)[first:last].rstrip(b"=")
    for before in range(5):
        first, last = -(-before * 8 // 5), (before + len(secret)) * 8 // 5
        digits = base64.b32encode(bytes(before) + secret)[first:last].rstrip(b"=")
        yield from (digits, digits.lower())


def _in_mail(secret: bytes) -> Iterator[bytes]:
    """Quoted-printable and percent-encoded: what must be, or everything; digits great or small."""
    quoted = quopri.encodestring(secret, quotetabs=True).replace(b"=\n", b"")
    for some in (
        quoted,
        quopri.encodestring(secret).replace(b"=\n", b""),
        quopri.encodestring(secret, quotetabs=True, header=True).replace(b"=\n", b""),
        quote_from_bytes(secret, safe="").encode(),
        quote_from_bytes(secret, safe="/:@!$&'()*+,;=").encode(),
        "".join(f"={byte:02X}" for byte in secret).encode(),
        "".join(f"%{byte:02X}" for byte in secret).encode(),
    ):
        yield some
        yield _HEX.sub(lambda found: found[0].lower(), some)


def _as_text(secret: bytes) -> Iterator[bytes]:
    """As programs print bytes, and text within JSON, HTML and annotations."""
    yield repr(secret)[2:-1].encode()
    yield "".join(f"\\x{byte:02x}" for byte in secret).encode()
    for text in (secret.decode("latin-1"), secret.decode("utf-8", "replace")):
        yield json.dumps(text)[1:-1].encode()
        yield json.dumps(json.dumps(text))[3:-3].encode()
        yield html.escape(text).encode()
        yield text.encode()
        yield re.sub(r"([\\\]])", r"\\\1", text).encode()


def _close(piece: bytes) -> bytes:
    return _WRAPPING.sub(b"", piece)


def layers(output: bytes) -> Iterator[bytes]:
    """An output and all that is inside it."""
    yield output
    if output.startswith(PNG):
        yield from _chunks(output)
    elif output.startswith(ZIP):
        with zipfile.ZipFile(BytesIO(output)) as archive:
            yield archive.comment
            for name in archive.namelist():
                yield from (name.encode(), archive.getinfo(name).extra, archive.getinfo(name).comment)
                yield from layers(archive.read(name))
    elif _MAIL.match(output):
        for part in message_from_bytes(output).walk():
            for name, value in part.items():
                yield f"{name}: {make_header(decode_header(value))}".encode()
            if isinstance(content := part.get_payload(decode=True), bytes):
                yield from layers(content)
    elif b"</" in output:
        yield html.unescape(_TAG.sub(b"", output).decode("utf-8", "replace")).encode()


def _chunks(picture: bytes) -> Iterator[bytes]:
    """The chunks of a PNG, those that are packed unpacked, and what follows its end."""
    at, pixels = len(PNG), b""
    while at + 12 <= len(picture):
        size, kind = int.from_bytes(picture[at : at + 4], "big"), picture[at + 4 : at + 8]
        content = picture[at + 8 : at + 8 + size]
        at += size + 12
        if kind == b"IDAT":
            pixels += content
            continue
        yield kind + content
        for start in (place.end() for place in re.finditer(rb"\0+", content)):
            try:
                yield zlib.decompress(content[start:])
            except zlib.error:
                continue
        if kind == b"IEND":
            break
    unpacker = zlib.decompressobj()
    drawn = unpacker.decompress(pixels)
    yield drawn[-SMALL:]
    yield unpacker.unused_data
    yield picture[at:]


class Haystack:
    """Outputs to look through, each layer of them once."""

    def __init__(self, outputs: Iterable[bytes] = ()) -> None:
        found: dict[bytes, None] = {}
        for output in outputs:
            found.update(dict.fromkeys(map(_close, layers(output))))
        self._hay = b"\0".join(found)

    def find(self, secrets: Mapping[str, bytes]) -> list[str]:
        """The names of secrets that stand in an output, each with a spelling that was found."""
        found: dict[str, bytes] = {}
        for width, sought in _by_width(secrets).items():
            hay = self._hay
            for at in range(0, len(hay), width):
                for name, spelling, before in sought.get(hay[at : at + width], ()):
                    if hay.startswith(spelling, at - before):
                        found.setdefault(name, spelling)
        return [f"{name}: {spelling[:80]!r}" for name, spelling in found.items()]


def _by_width(secrets: Mapping[str, bytes]) -> dict[int, dict[bytes, list[tuple[str, bytes, int]]]]:
    """The pieces of all spellings by their length: whoever looks every so many bytes meets one of them."""
    pieces: dict[int, dict[bytes, list[tuple[str, bytes, int]]]] = {}
    for name, secret in secrets.items():
        for spelling in spellings(secret):
            width = ((LONG if len(spelling) >= LONG else ENOUGH) + 1) // 2
            for before in range(width):
                place = pieces.setdefault(width, {}).setdefault(spelling[before : before + width], [])
                place.append((name, spelling, before))
    return pieces
