"""Character sets, transfer encodings and encoded words: bytes of a mail to text.

Only the character sets that mails are written in: Python knows many more codecs, some of them not for text (and one
quadratic). UTF-7 is left out: it hides characters from everyone who looks at the bytes.
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
    # If nothing is given, or ASCII, or "unknown", bytes beyond ASCII are most likely UTF-8.
    **dict.fromkeys(("", "usascii", "ascii", "ansix3.41968", "unknown8bit", "unknown", "8bit"), "utf_8"),
    # Text labelled Latin-1 or Turkish is in practice in the larger Windows set of the same family.
    "iso88591": "cp1252",
    "latin1": "cp1252",
    "iso88599": "cp1254",
    # Hebrew has three labels for the order of characters; today it is always the order of reading.
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
"""Python's codec for each name, in lower case and without hyphens and underscores."""


def decode_text(data: bytes, charset: str) -> str | None:
    """The text, or None if we do not know the character set.

    A byte that is not a character becomes U+FFFD: no move has one, so the player is asked.
    """
    name = charset.strip().lower().removeprefix("x-").replace("-", "").replace("_", "")
    codec = _CODECS.get(name)
    return None if codec is None else data.decode(codec, "replace")


_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]*={0,2}")
_WORD: Final = re.compile(r"=\?([!-)+->@-~]{1,40})(?:\*[A-Za-z-]{1,20})?\?([bBqQ])\?([!->@-~]{0,500})\?=")
_BETWEEN_WORDS: Final = re.compile(r"(?<=\?=)[ \t]{1,80}(?==\?)")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")

_AS_IS: Final = frozenset({"", "7bit", "8bit", "binary"})


def decode_transfer(data: bytes, encoding: str) -> bytes | None:
    """The bytes of a part without their transfer encoding; None if they could be decoded in several ways."""
    match encoding:
        case "base64":
            return _from_base64(b"".join(data.split()))
        case "quoted-printable":
            return binascii.a2b_qp(data)
        case _:
            return data if encoding in _AS_IS else None


def is_encoded(encoding: str) -> bool:
    """Whether a transfer encoding changes the bytes, which is forbidden for a part with parts inside."""
    return encoding not in _AS_IS


def decode_words(value: bytes) -> str:
    """A header's value as one line of text: encoded words decoded, line breaks removed.

    Control characters inside an encoded word become blanks, so that it cannot start a new line.
    """
    text = value.decode("utf-8", "replace")
    if "=?" in text:
        text = _WORD.sub(_decode_word, _BETWEEN_WORDS.sub("", text))
    return _UNPRINTABLE.sub(" ", text).strip()


def _decode_word(found: re.Match[str]) -> str:
    charset, form, encoded = found[1], found[2].lower(), found[3].encode("ascii")
    data = _from_base64(encoded) if form == "b" else binascii.a2b_qp(encoded, header=True)
    text = None if data is None else decode_text(data, charset)
    return found[0] if text is None else text


def _from_base64(encoded: bytes) -> bytes | None:
    """Strict base64, except that the padding may be missing, as some programs omit it."""
    if not _BASE64.fullmatch(encoded):
        return None
    bare = encoded.rstrip(b"=")
    try:
        return binascii.a2b_base64(bare + b"=" * (-len(bare) % 4))
    except binascii.Error:
        return None
