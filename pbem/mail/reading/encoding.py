"""Bytes to characters: the character sets that mails are written in, and no others.

Python knows many more codecs, some of them not for text (and one quadratic), so names are looked up here only.
UTF-7 is left out: it hides characters from everyone who looks at the bytes.

What mail wraps its text in, undone: transfer encodings of bodies and encoded words of headers.
"""

import binascii
import re
from typing import Final

_CODECS: Final = {
    **{f"iso8859{number}": f"iso8859_{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15, 16)},
    **{f"windows{number}": f"cp{number}" for number in range(1250, 1259)},
    **{f"cp{number}": f"cp{number}" for number in (437, 850, 852, 855, 862, 866, *range(1250, 1259))},
    "utf8": "utf_8",
    "utf16": "utf_16",
    "utf16le": "utf_16_le",
    "utf16be": "utf_16_be",
    # Where nothing is said, or ASCII, or "unknown", bytes beyond ASCII are most likely UTF-8.
    **dict.fromkeys(("", "usascii", "ascii", "ansix3.41968", "unknown8bit", "unknown", "8bit"), "utf_8"),
    # What calls itself Latin-1 or Turkish is in practice the larger set of the same family.
    "iso88591": "cp1252",
    "latin1": "cp1252",
    "iso88599": "cp1254",
    # Hebrew in its three directions of writing: the bytes are the same, and today always in the order of reading.
    "iso88598i": "iso8859_8",
    "iso88598e": "iso8859_8",
    "koi8r": "koi8_r",
    "koi8u": "koi8_u",
    "macintosh": "mac_roman",
    "maccyrillic": "mac_cyrillic",
    "tis620": "tis_620",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5",
    "shiftjis": "shift_jis",
    "iso2022jp": "iso2022_jp",
    "eucjp": "euc_jp",
    "euckr": "euc_kr",
    "ksc56011987": "cp949",
}
"""Python's codec for each name, in small letters and without hyphens and underscores."""


def read_characters(data: bytes, charset: str) -> str | None:
    """The text, or None where the character set is not one that we read.

    A byte that fits no character becomes U+FFFD: it is no move in any game, so the player is asked.
    """
    name = charset.strip().lower().removeprefix("x-").replace("-", "").replace("_", "")
    codec = _CODECS.get(name)
    return None if codec is None else data.decode(codec, "replace")


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
