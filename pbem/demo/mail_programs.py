"""How mail programs answer a mail, and a folder that shows a player's mails as files and pages.

Programs differ in what they quote, where, and in which format. The folder numbers mails as they came; pictures that
several mails bring are kept once.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage, Message
from email.utils import format_datetime
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final

_QUOTED: Final = 40
"""How many lines of a mail are quoted."""


@dataclass(frozen=True, slots=True)
class PlayerReply:
    """An answer before a mail program has formatted it."""

    words: str
    to_what: "Message[str, str]"
    at: datetime


Program = Callable[[EmailMessage, PlayerReply], None]
"""Writes the body of an reply."""


def desktop_reply(mail: EmailMessage, reply: PlayerReply) -> None:
    """Plain text, with the whole mail quoted below."""
    mail["User-Agent"] = "Desk Mail 115"
    mail.set_content(f"{reply.words}\n\n{_quote(reply)}\n")


def webmail_reply(mail: EmailMessage, reply: PlayerReply) -> None:
    """Text and HTML, with the mail quoted in both."""
    mail.set_content(f"{reply.words}\n\n{_quote(reply)}\n")
    shown = "<br>".join(escape(line) for line in reply.words.splitlines())
    quoted = "<br>".join(escape(line) for line in _text_of(reply.to_what).splitlines()[:_QUOTED])
    mail.add_alternative(
        f'<div dir="ltr">{shown}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f"{escape(_attribution(reply))}<br></div><blockquote>{quoted}</blockquote></div>\n",
        subtype="html",
    )


def phone_reply(mail: EmailMessage, reply: PlayerReply) -> None:
    """A few words, an automatic signature, and no quote."""
    mail.set_content(f"{reply.words}\n\n--\u0020\nSent from my phone\n", cte="base64")


def bottom_reply(mail: EmailMessage, reply: PlayerReply) -> None:
    """A few lines of the mail first, and the answer below."""
    said = "\n".join(f"> {line}" for line in _text_of(reply.to_what).splitlines()[2:6])
    mail.set_content(f"{_attribution(reply)}\n{said}\n\n{reply.words}\n")


PROGRAMS: Final = (desktop_reply, webmail_reply, phone_reply, bottom_reply)


def _attribution(reply: PlayerReply) -> str:
    return f"On {reply.at:%a, %d %b %Y at %H:%M}, {reply.to_what['From']} wrote:"


def _quote(reply: PlayerReply) -> str:
    lines = _text_of(reply.to_what).splitlines()[:_QUOTED]
    return "\n".join([_attribution(reply), *(f"> {line}".rstrip() for line in lines)])


def _text_of(mail: "Message[str, str]") -> str:
    for part in mail.walk():
        if part.get_content_type() == "text/plain":
            content = part.get_payload(decode=True)
            return content.decode("utf-8").replace("\r\n", "\n") if isinstance(content, bytes) else ""
    return ""


def address_reply(reply: PlayerReply, *, name: str, address: str, number: int) -> EmailMessage:
    """An answer with all its headers, and without a body yet."""
    asked, mail = reply.to_what, EmailMessage()
    subject = "".join(str(asked["Subject"]).splitlines())  # a long one is folded
    mail["From"] = f"{name} <{address}>"
    mail["To"] = str(asked["Reply-To"] or asked["From"])
    mail["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    mail["Date"] = format_datetime(reply.at)
    mail["Message-ID"] = f"<{number}.{reply.at:%Y%m%d%H%M%S}@{address.rpartition('@')[2]}>"
    mail["In-Reply-To"] = str(asked["Message-ID"])
    mail["References"] = f"{asked['References']} {asked['Message-ID']}"
    return mail


_CID: Final = re.compile(r"cid:([^\"'\s)]+)")


class MailFolder:
    """All mails from and to one player, in one folder.

    All players share the folder `pictures`. `label` says what kind of mail a Message-ID belongs to.
    """

    def __init__(self, folder: Path, pictures: Path, label: Callable[[str], str]) -> None:
        self._folder = folder
        self._label = label
        self._pictures = pictures
        self._number = 0
        folder.mkdir(parents=True)
        pictures.mkdir(exist_ok=True)

    def put_received(self, path: Path, mail: "Message[str, str]") -> None:
        """Add a mail that came, as a file and as a page."""
        name = self._next(self._label(str(mail["Message-ID"])))
        _link_or_copy(path, name.with_suffix(".eml"))
        page = next((part for part in mail.walk() if part.get_content_type() == "text/html"), None)
        if page is not None:
            text = _content(page).decode("utf-8")
            name.with_suffix(".html").write_text(self._link_pictures(text, mail), "utf-8")

    def put_written(self, raw: bytes) -> Path:
        """Add a letter that the player wrote."""
        path = self._next("written").with_suffix(".eml")
        path.write_bytes(raw)
        return path

    def find(self, kind: str) -> list[Path]:
        """All pages of one kind, oldest first."""
        return sorted(self._folder.glob(f"*-{kind}.html"))

    def _next(self, kind: str) -> Path:
        self._number += 1
        return self._folder / f"{self._number:03}-{kind}"

    def _link_pictures(self, page: str, mail: "Message[str, str]") -> str:
        places = {}
        for part in mail.walk():
            if part.get_content_type() == "image/png" and part["Content-ID"]:
                content = _content(part)
                path = self._pictures / f"{sha256(content).hexdigest()[:16]}.png"
                if not path.exists():
                    path.write_bytes(content)
                places[str(part["Content-ID"]).strip(" <>")] = f"../{path.parent.name}/{path.name}"
        return _CID.sub(lambda found: places.get(found[1], found[0]), page)


def _link_or_copy(path: Path, other: Path) -> None:
    """The same file under another name; a copy, where hard links do not work."""
    try:
        other.hardlink_to(path)
    except OSError:
        other.write_bytes(path.read_bytes())


def _content(part: "Message[str, str]") -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""
