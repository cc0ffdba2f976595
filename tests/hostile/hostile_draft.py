"""A sound mail to the post, to be spoilt: every trap is made from one that would otherwise count."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from tests.old_tickets import format_old_address


@dataclass(frozen=True)
class Target:
    """Whom a hostile mail is aimed at: a post, a seat whose turn it is, and a move that would be legal."""

    address: str = "caravan@example.org"
    authserv_id: str = "mail.example.org"
    key: bytes = b"a key that no stranger ever knows"
    game: str = "sirocco-7"
    seat: str = "red"
    turn: int = 13
    epoch: int = 0
    sender: str = "anna@example.net"
    orders: str = "lilac F4, salmon C9"

    @property
    def reply_to(self) -> str:
        """The address with a good ticket for the seat's turn."""
        return format_old_address(
            self.key, self.address, game=self.game, seat=self.seat, turn=self.turn, epoch=self.epoch
        )

    @property
    def home(self) -> str:
        """The sender's domain."""
        return self.sender.rpartition("@")[2]


Header = tuple[str, str | bytes]
Trap = Callable[[random.Random, Target], bytes]


@dataclass(frozen=True)
class Draft:
    """A mail as headers and a body, written out without any care for what they hold."""

    headers: tuple[Header, ...]
    body: bytes
    line_end: bytes = b"\r\n"

    def put(self, name: str, value: str | bytes) -> "Draft":
        """The draft with a header replaced, or added where there was none."""
        kept = tuple(header for header in self.headers if header[0].lower() != name.lower())
        return replace(self, headers=(*kept, (name, value)))

    def add(self, name: str, value: str | bytes) -> "Draft":
        """The draft with one more header."""
        return replace(self, headers=(*self.headers, (name, value)))

    def drop(self, name: str) -> "Draft":
        """The draft without a header."""
        return replace(self, headers=tuple(header for header in self.headers if header[0].lower() != name.lower()))

    def top(self, name: str, value: str | bytes) -> "Draft":
        """The draft with a header above all others."""
        return replace(self, headers=((name, value), *self.headers))

    def text(self, text: str | bytes) -> "Draft":
        """The draft with another body."""
        return replace(self, body=text.encode() if isinstance(text, str) else text)

    def raw(self) -> bytes:
        """The mail as bytes."""
        lines = [
            name.encode() + b": " + (value if isinstance(value, bytes) else value.encode())
            for name, value in self.headers
        ]
        whole = b"\n".join([*lines, b"", self.body])
        return whole.replace(b"\n", self.line_end)


def vouched(target: Target, domain: str = "") -> str:
    """What the post's own server writes about a mail that it believes."""
    home = domain or target.home
    return (
        f"{target.authserv_id}; dkim=pass header.d={home} header.s=s1 header.b=Ab12; "
        f"spf=pass smtp.mailfrom=someone@{home}; dmarc=pass header.from={home}"
    )


def sound(rng: random.Random, target: Target) -> Draft:
    """A mail that would be obeyed."""
    number = rng.randrange(10**12)
    return Draft(
        (
            ("Return-Path", f"<{target.sender}>"),
            ("Received", f"from mx.{target.home} by {target.authserv_id} with ESMTPS id {number:x}"),
            ("Authentication-Results", vouched(target)),
            ("MIME-Version", "1.0"),
            ("Date", "Mon, 16 Nov 2026 10:40:00 +0000"),
            ("From", f"Anna <{target.sender}>"),
            ("To", f"Caravan Post <{target.reply_to}>"),
            ("Subject", "Re: your turn"),
            ("Message-ID", f"<{number}@{target.home}>"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ),
        f"{target.orders}\n".encode(),
    )


def from_a_stranger(rng: random.Random, target: Target) -> Draft:
    """The same from Mallory, who got hold of the reply address."""
    return (
        sound(rng, target)
        .put("From", "Mallory <mallory@evil.example>")
        .put("Return-Path", "<mallory@evil.example>")
        .put("Authentication-Results", vouched(target, "evil.example"))
    )


def bundle(boundary: str, parts: Iterable[bytes], *, closed: bool = True) -> bytes:
    """The body of a multipart; each part with its own header."""
    inside = b"".join(b"--" + boundary.encode() + b"\n" + part + b"\n" for part in parts)
    return inside + (b"--" + boundary.encode() + b"--\n" if closed else b"")


def plain(text: str | bytes) -> bytes:
    """A part of plain text."""
    return b"Content-Type: text/plain; charset=utf-8\n\n" + (text.encode() if isinstance(text, str) else text)
