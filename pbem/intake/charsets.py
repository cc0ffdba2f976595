"""Bytes to characters: the character sets that mails are written in, and no others.

Python knows many more codecs, some of them not for text (and one quadratic), so names are looked up here only.
UTF-7 is left out: it hides characters from everyone who looks at the bytes.
"""

import re
from typing import Final

_NUMBERED: Final = {
    **{f"iso-8859-{number}": f"iso8859_{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"windows-{number}": f"cp{number}" for number in range(1250, 1259)},
    **{f"cp{number}": f"cp{number}" for number in (437, 850, 852, 855, 862, 866, *range(1250, 1259))},
}

_CODECS: Final = _NUMBERED | {
    "utf-8": "utf_8",
    "utf8": "utf_8",
    "utf-16": "utf_16",
    "utf-16le": "utf_16_le",
    "utf-16be": "utf_16_be",
    # What calls itself Latin-1 (or -9, Turkish) is in practice the larger set of the same family.
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-8-i": "iso8859_8",
    "iso-8859-8-e": "iso8859_8",
    "iso-8859-11": "iso8859_11",
    "tis-620": "tis_620",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5",
    "shift-jis": "shift_jis",
    "iso-2022-jp": "iso2022_jp",
    "euc-jp": "euc_jp",
    "euc-kr": "euc_kr",
    "ks-c-5601-1987": "cp949",
}

_UNSAID: Final = frozenset({"", "us-ascii", "ascii", "ansi-x3.4-1968", "unknown-8bit", "x-unknown", "8bit"})
"""Names under which bytes beyond ASCII are most likely UTF-8."""

_HIDING: Final = frozenset({"utf-7", "utf7", "x-utf-7", "unicode-1-1-utf-7"})

_SEEN_PLAINLY: Final = re.compile(rb"[\t\n\r\x20-\x7e]*")


def read_characters(data: bytes, charset: str) -> str | None:
    """The text, or None where the character set is not one that we read.

    A byte that fits no character becomes U+FFFD: it is no move in any game, so the player is asked. Plain ASCII
    needs no charset to be right, and many programs write a wrong one.
    """
    name = charset.strip().lower().replace("_", "-")
    if name in _HIDING:
        return None
    if name in _UNSAID:
        return data.decode("utf-8", "replace")
    if name in _CODECS:
        return data.decode(_CODECS[name], "replace")
    return data.decode("ascii") if _SEEN_PLAINLY.fullmatch(data) else None
