"""A mail reduced to its header, for a letter that cannot be read: its writer can still be told so.

What kept the mail from being read is left out: the body, descriptions of it, lines that are not header lines. The rest
is then read like any other mail, with all checks of the sender. Nothing is ever played from it.
"""

import re
from collections.abc import Iterator
from typing import Final

from pbem.mail.reading import limits

_BODY: Final = b"\nnothing\n"
_FIELD: Final = re.compile(rb"([!-9;-~]{1,80}):")
_ABOUT_CONTENT: Final = (b"content-", b"mime-version")
_ONCE: Final = frozenset({b"subject", b"message-id", b"in-reply-to"})
_NEEDED: Final = frozenset({*_ONCE, *(b"from", b"to", b"cc", b"auto-submitted", b"precedence", b"return-path")})
_SENDER_LIKE: Final = (b"from", b"authentication-results")
"""A broken line that begins so may be what another program takes for the sender: then nobody is sure."""
_FIRST: Final = 60
_LONGEST: Final = 900


def keep_header(raw: bytes) -> bytes | None:
    """A short mail with the sender, the recipients and the marks of a mail, and no words; None if they are in doubt."""
    block = raw[: limits.HEADER_BLOCK].replace(b"\0", b"").replace(b"\r\n", b"\n").replace(b"\r", b" ")
    fields: list[tuple[bytes, bytes]] = []
    is_broken = False
    for line in block.lstrip(b"\n").partition(b"\n\n")[0].split(b"\n"):
        if line[:1] in (b" ", b"\t"):
            if fields and not is_broken:
                fields[-1] = (fields[-1][0], fields[-1][1] + b" " + line.strip())
            continue
        found = _FIELD.match(line)
        is_broken = found is None
        if found is not None:
            fields.append((found[1].lower(), line[found.end() :].strip()))
        elif line.strip().lower().startswith(_SENDER_LIKE):
            return None
    kept = [field for name, value in fields for field in _cut(name, value)]
    needed = [field for field in kept[_FIRST:] if field[0] in _NEEDED]
    lines = list(_without_repeats([*kept[:_FIRST], *needed[: limits.HEADERS - _FIRST]]))
    return b"".join(name + b": " + value + b"\n" for name, value in lines) + _BODY


def _cut(name: bytes, value: bytes) -> Iterator[tuple[bytes, bytes]]:
    """A header in pieces of a length that is read. What describes the content goes, unless it marks a report."""
    if name.startswith(_ABOUT_CONTENT) and not (name == b"content-type" and b"report" in value.lower()):
        return
    if len(value) <= _LONGEST or name not in (b"to", b"cc", b"subject"):
        yield name, value
    elif name == b"subject":
        yield name, value[:_LONGEST]
    else:
        yield from ((name, address.strip()) for address in value.split(b",")[: limits.PARTS])


def _without_repeats(fields: list[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    """Fields that may stand once; the same sender said twice is still one sender."""
    seen: set[object] = set()
    for name, value in fields:
        key = name if name in _ONCE else (name, value)
        if key not in seen or (name not in _ONCE and name != b"from"):
            yield name, value
        seen.add(key)
