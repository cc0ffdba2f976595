"""What mail wraps its text in, undone: transfer encodings of bodies and encoded words of headers."""

import binascii
import re
from typing import Final

from pbem.mail.reading.charsets import read_characters

_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]*={0,2}")
_WORD: Final = re.compile(r"=\?([!-)+->@-~]{1,40})(?:\*[A-Za-z-]{1,20})?\?([bBqQ])\?([!->@-~]{0,500})\?=")
_BETWEEN_WORDS: Final = re.compile(r"(?<=\?=)[ \t]{1,80}(?==\?)")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")

_AS_IS: Final = frozenset({"", "7bit", "8bit", "binary"})


def unpack(data: bytes, encoding: str) -> bytes | None:
    """The bytes of a part without their transfer encoding; None where it cannot be undone in one way only."""
    match encoding:
        case "base64":
            return _from_base64(b"".join(data.split()))
        case "quoted-printable":
            return binascii.a2b_qp(data)
        case _:
            return data if encoding in _AS_IS else None


def is_packed(encoding: str) -> bool:
    """Whether a transfer encoding changes the bytes, which for a part with parts inside is forbidden."""
    return encoding not in _AS_IS


def read_words(value: bytes) -> str:
    """A header's value as one line of text for people: encoded words decoded, line breaks gone.

    Whatever hides in an encoded word stays text: what would start a new line becomes a blank.
    """
    text = value.decode("utf-8", "replace")
    if "=?" in text:
        text = _WORD.sub(_decode_word, _BETWEEN_WORDS.sub("", text))
    return _UNPRINTABLE.sub(" ", text).strip()


def _decode_word(found: re.Match[str]) -> str:
    charset, form, packed = found[1], found[2].lower(), found[3].encode("ascii")
    data = _from_base64(packed) if form == "b" else binascii.a2b_qp(packed, header=True)
    text = None if data is None else read_characters(data, charset)
    return found[0] if text is None else text


def _from_base64(packed: bytes) -> bytes | None:
    """Base64 read strictly, but for padding, which some programs leave away."""
    if not _BASE64.fullmatch(packed):
        return None
    bare = packed.rstrip(b"=")
    try:
        return binascii.a2b_base64(bare + b"=" * (-len(bare) % 4))
    except binascii.Error:
        return None
