"""How much of a mail is taken, checked on its bytes before anything is parsed.

The numbers are far above what a player's answer needs and far below what could keep a reader busy. Everything
that later modules do is at most proportional to what passes here.
"""

from typing import Final

from pbem.mail.reading.unreadable import Unreadable

KIB: Final = 1024

MAIL: Final = 256 * KIB
HEADER_BLOCK: Final = 32 * KIB
HEADERS: Final = 100
HEADER: Final = 998  # the longest line a mail may have; ours are unfolded first
RESULTS: Final = 4 * KIB  # Authentication-Results: large providers write more than one line's worth
HOPS: Final = 50
NESTING: Final = 5
PARTS: Final = 20
TEXT: Final = 64 * KIB
LINES: Final = 2_000
MARKUP_DEPTH: Final = 400
WORDS: Final = 8 * KIB
LINES_OF_WORDS: Final = 200


def settle_line_ends(raw: bytes) -> bytes | Unreadable:
    """The mail with every line ended by one line feed, or why its bytes are not read.

    Mails arrive with CRLF from the network and with LF from a pipe or a mailbox. One that has both, or a carriage
    return alone, is how a second mail is smuggled inside a first: two servers see its lines differently.
    """
    if len(raw) > MAIL:
        return Unreadable("too-large", f"{len(raw)} bytes, at most {MAIL}")
    if not raw.strip():
        return Unreadable("empty", f"{len(raw)} bytes of nothing")
    if b"\0" in raw:
        return Unreadable("odd-bytes", f"a NUL at byte {raw.index(0)}")
    if b"\r" not in raw:
        return raw
    pairs = raw.count(b"\r\n")
    if raw.count(b"\r") != pairs:
        return Unreadable("odd-line-ends", "a carriage return stands alone")
    if raw.count(b"\n") != pairs:
        return Unreadable("odd-line-ends", "some lines end with CRLF and some with LF")
    return raw.replace(b"\r\n", b"\n")
