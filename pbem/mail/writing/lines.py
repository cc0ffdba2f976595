"""Lines that every mail server takes, whatever they say."""

from typing import Final

LONGEST: Final = 998
"""RFC 5322, 2.1.1."""


def find_flaw(raw: bytes) -> str:
    """What is wrong with some lines: each ends with both characters, is short enough, and holds no zero."""
    said = raw.replace(b"\r\n", b"")
    if b"\r" in said or b"\n" in said or b"\0" in said:
        return "a line ends in another way"
    if len(raw) > LONGEST and max(map(len, raw.split(b"\r\n"))) > LONGEST:
        return "a line is too long"
    return ""
