"""Addresses, parsed so strictly that no other program can read them differently.

`From: alice@example.org <mallory@evil.example>` names Alice to one program and Mallory to another. So exactly one
plain address is accepted, with at most a name before it: no comments, groups, routes or quoted mailboxes. The name is
never read as the sender: in quotation marks it may say anything, even another address of the same person. Without them
an address in it must be the very same, as some programs write it: `From: 'anna@example.net' <anna@example.net>`.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from pbem.mail.reading.limits import Unreadable

_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\U0010ffff-]"
_MAILBOX: Final = re.compile(rf"{_ATOM}++(?:\.{_ATOM}++)*+")
_LABEL: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
_WORD: Final = r"[^\s\"<>(),:;@]"
_FROM: Final = re.compile(r'(?!\s*+\.)((?:"(?:[^"\\]|\\.)*+"|[^"<>(),:;\\])*+)<([^<>]*+)>')
_IN_QUOTES: Final = re.compile(r'"(?:[^"\\]|\\.?)*+(?:"|\Z)', re.DOTALL)
_LIKE_ADDRESS: Final = re.compile(rf"(?<!{_WORD}){_WORD}++@{_WORD}++")


def parse_address(text: str) -> str | None:
    """A plain address with its domain in lower case and ASCII; None for anything odd.

    All scripts are accepted (RFC 6531), but only characters that normalisation does not change, so that a look-alike
    never turns into the character it resembles.
    """
    mailbox, _, home = text.rpartition("@")
    if len(mailbox.encode()) > 64 or not _MAILBOX.fullmatch(mailbox) or "=?" in mailbox:
        return None
    if not text.isascii() and not _is_normalized(text):
        return None
    labels = [_read_label(label) for label in home.lower().split(".")]
    domain = ".".join(filter(None, labels))
    return f"{mailbox}@{domain}" if all(labels) and len(domain) <= 253 else None


def parse_sender(values: list[bytes]) -> str | Unreadable:
    """The address of the one From line."""
    if len(values) > 1:
        return Unreadable("two-senders", f"{len(values)} From lines")
    if not values or values[0].strip() in (b"", b"<>"):
        return Unreadable("no-sender", "the From line is missing or empty")
    try:
        text = values[0].decode("utf-8")
    except UnicodeDecodeError:
        return Unreadable("doubtful-sender", "the From line is not readable text")
    named = _FROM.fullmatch(text)
    name, plain = (named[1], named[2]) if named else ("", text)
    address = parse_address(plain)
    if address is None:
        return Unreadable("doubtful-sender", f"not one plain address: {text[:80]!r}")
    bare = [word for word in _IN_QUOTES.sub(" ", name).split() if "@" in word]
    others = [word for word in bare if (parse_address(word.strip("'")) or "").lower() != address.lower()]
    if others:
        return Unreadable("doubtful-sender", f"another address stands before it: {others[0][:80]!r}")
    return address


def addresses_in(line: str) -> list[str]:
    """Everything that looks like an address in a line of text, in order; good enough to find our own."""
    return [found.strip("'*[].|") for found in _LIKE_ADDRESS.findall(line)]


def addresses_of(values: Iterable[bytes]) -> list[str]:
    """Everything that looks like an address in some header lines."""
    return [found for value in values for found in addresses_in(value.decode("utf-8", "replace"))]


def _is_normalized(text: str) -> bool:
    if unicodedata.normalize("NFKC", text) != text:
        return False
    return all(sign.isascii() or unicodedata.category(sign)[0] in "LMN" for sign in text)


def _read_label(label: str) -> str | None:
    """One label of a domain in ASCII."""
    if not label.isascii() and len(label) <= 63:
        try:
            packed = label.encode("idna")
            # Two versions of IDNA encode some characters differently; such a domain could be two domains.
            label = packed.decode("ascii") if packed.decode("idna") == label else ""
        except UnicodeError:
            return None
    return label if _LABEL.fullmatch(label) else None
