"""Bytes to characters: the character sets that mails are written in, and no others.

Python knows many more codecs, some of them not for text (and one quadratic), so names are looked up here only.
UTF-7 is left out: it hides characters from everyone who looks at the bytes.
"""

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
