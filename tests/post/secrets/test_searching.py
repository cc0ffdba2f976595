"""The searcher finds what was hidden from it, in every clothing: a search that finds nothing proves nothing else."""

import base64
import html
import io
import json
import quopri
import zipfile
import zlib
from collections.abc import Callable
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256
from urllib.parse import quote

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests.post.secrets.searching import PNG, Haystack, spellings

SECRETS = {"a key": sha256(b"key").digest(), "a value": b'["sirocco-7",6,"0","card fennec 6"]'}
FORMS: dict[str, Callable[[bytes], bytes]] = {
    "raw": bytes,
    "hex": lambda secret: secret.hex().encode(),
    "great hex": lambda secret: secret.hex().upper().encode(),
    "hex with colons": lambda secret: secret.hex(":").encode(),
    "base64": base64.b64encode,
    "base64 after one byte": lambda secret: base64.b64encode(b"x" + secret + b"yz"),
    "base64 after two bytes": lambda secret: base64.b64encode(b"xy" + secret + b"z"),
    "base64 for addresses": base64.urlsafe_b64encode,
    "base64 for addresses after two bytes": lambda secret: base64.urlsafe_b64encode(b"xy" + secret + b"z"),
    "base64 in lines": lambda secret: base64.encodebytes(b"much before it, so that a line ends inside: " + secret),
    "base32": base64.b32encode,
    "base32 after three bytes": lambda secret: base64.b32encode(b"xyz" + secret + b"z"),
    "quoted-printable": quopri.encodestring,
    "quoted-printable in lines": lambda secret: quopri.encodestring(b"x" * 60 + secret),
    "quoted-printable, all of it": lambda secret: "".join(f"={byte:02X}" for byte in secret).encode(),
    "quoted-printable for headers": lambda secret: quopri.encodestring(secret, quotetabs=True, header=True),
    "percent": lambda secret: quote(secret, safe="").encode(),
    "percent, small and all of it": lambda secret: "".join(f"%{byte:02x}" for byte in secret).encode(),
    "a number": lambda secret: str(int.from_bytes(secret, "big")).encode(),
    "a list of numbers": lambda secret: str(list(secret)).encode(),
    "as Python prints it": lambda secret: repr(secret).encode(),
    "JSON": lambda secret: json.dumps({"said": secret.decode("latin-1")}).encode(),
    "JSON in JSON": lambda secret: json.dumps(json.dumps({"said": secret.decode("latin-1")})).encode(),
    "HTML": lambda secret: html.escape(secret.decode("latin-1")).encode(),
}


def as_header(said: bytes) -> bytes:
    """A mail with something in a header that must be encoded."""
    return b"From: a@post.test\r\nX-Odd: " + Header(said.decode("latin-1"), "utf-8").encode().encode() + b"\r\n\r\n\r\n"


def as_mail(said: bytes, *, html: bool = False, encoding: str = "base64") -> bytes:
    mail = EmailMessage()
    mail["From"] = "a@post.test"
    mail["Subject"] = "a turn"
    mail.set_content("words\n")
    if html:
        mail.add_alternative(said.decode("latin-1"), subtype="html", cte=encoding)
    else:
        mail.add_attachment(said, maintype="application", subtype="octet-stream", filename="odd.bin")
    return mail.as_bytes(policy=SMTP)


def as_picture(said: bytes, *, packed: bool) -> bytes:
    text, made = PngInfo(), io.BytesIO()
    text.add_text("Comment", said.decode("latin-1"), zip=packed)
    Image.new("RGB", (9, 9)).save(made, "PNG", pnginfo=text)
    return made.getvalue()


def as_pixels(said: bytes) -> bytes:
    """A picture of one line, whose pixels are what is said."""
    packed = zlib.compress(b"\0" + said)
    size = len(said).to_bytes(4, "big") + (1).to_bytes(4, "big") + b"\x08\0\0\0\0"
    chunks = ((b"IHDR", size), (b"IDAT", packed[:9]), (b"IDAT", packed[9:]), (b"IEND", b""))
    return PNG + b"".join(
        len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")
        for kind, content in chunks
    )


def as_archive(said: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", said)
    return made.getvalue()


def as_wrapped(said: bytes) -> bytes:
    """As a letter wraps a long line behind bars."""
    return b"\r\n".join(b"|   " + said[at : at + 30] for at in range(0, len(said), 30))


def as_marked(said: bytes) -> bytes:
    """As a page might break a long word."""
    text = said.decode("latin-1")
    return b"<wbr/></p>".join(html.escape(text[at : at + 9]).encode("latin-1") for at in range(0, len(text), 9))


PLACES: dict[str, Callable[[bytes], bytes]] = {
    "bare": bytes,
    "among other words": lambda said: b"some words " + said + b" and more",
    "header": as_header,
    "attachment": as_mail,
    "HTML part": lambda said: as_mail(said, html=True),
    "HTML part in quoted-printable": lambda said: as_mail(said, html=True, encoding="quoted-printable"),
    "text of a picture": lambda said: as_picture(said, packed=False),
    "packed text of a picture": lambda said: as_picture(said, packed=True),
    "pixels": as_pixels,
    "behind a picture": lambda said: as_pixels(b"abc") + said,
    "picture in a mail": lambda said: as_mail(as_picture(said, packed=True)),
    "archive": as_archive,
    "archive in a mail": lambda said: as_mail(as_archive(said)),
    "wrapped": as_wrapped,
    "broken by markup": as_marked,
}


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("form", FORMS)
def test_a_secret_is_found_in_every_form(name: str, form: str) -> None:
    assert Haystack([b"before " + FORMS[form](SECRETS[name]) + b" behind"]).find(SECRETS)[0].startswith(name)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", ["hex", "base64", "percent, small and all of it"])
def test_a_secret_is_found_in_every_place(place: str, form: str) -> None:
    for name, secret in SECRETS.items():
        (found,) = Haystack([PLACES[place](FORMS[form](secret))]).find(SECRETS)
        assert found.startswith(name)


def test_bytes_as_they_are_are_found_wherever_bytes_can_stand() -> None:
    for place in ("bare", "attachment", "pixels", "behind a picture", "packed text of a picture", "archive in a mail"):
        for name, secret in SECRETS.items():
            (found,) = Haystack([PLACES[place](secret)]).find(SECRETS)
            assert found.startswith(name), place


def test_a_thing_that_is_not_there_is_not_found() -> None:
    other = {"another key": sha256(b"other").digest(), "another value": b'["sirocco-7",6,"0","card fennec 5"]'}
    hay = Haystack(
        PLACES[place](form(secret))
        for place in ("bare", "attachment")
        for form in FORMS.values()
        for secret in SECRETS.values()
    )
    assert sorted(found.split(":")[0] for found in hay.find(SECRETS)) == sorted(SECRETS)
    assert hay.find(other) == []


def test_what_is_too_short_to_be_looked_for_is_refused() -> None:
    with pytest.raises(ValueError, match="too short"):
        spellings(b"ore")


def test_a_broken_picture_hides_nothing() -> None:
    secret = SECRETS["a key"]
    broken = as_picture(secret.hex().encode(), packed=False)[:80]
    assert Haystack([broken + secret.hex().encode()]).find(SECRETS)
    assert Haystack([PNG + zlib.compress(b"") + secret]).find(SECRETS)
