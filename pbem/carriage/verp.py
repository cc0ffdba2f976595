"""Envelope senders that name the recipient, so that a bounce says by its address alone whom it is about."""

from typing import Final

_MARK: Final = "+bounce-"
_LONGEST: Final = 64


def write_verp(post: str, recipient: str) -> str:
    """`caravan+bounce-anna=example.net@example.org`; our plain address where that would be too long or not ASCII."""
    mailbox, _, home = post.rpartition("@")
    local = f"{mailbox}{_MARK}{'='.join(recipient.rsplit('@', 1))}"
    return f"{local}@{home}" if len(local) <= _LONGEST and local.isascii() else post


def read_verp(post: str, address: str) -> str | None:
    """Whom a bounce to this address is about, if the address says so."""
    mailbox, _, home = post.rpartition("@")
    local, _, domain = address.rpartition("@")
    if domain.lower() != home.lower() or not local.lower().startswith(f"{mailbox}{_MARK}".lower()):
        return None
    name, sign, place = local[len(mailbox) + len(_MARK) :].rpartition("=")
    return f"{name}@{place}" if sign and name and place else None
