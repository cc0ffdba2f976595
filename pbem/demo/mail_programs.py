"""How people's mail programs answer a mail: what they quote, where, and in which clothes.

A shelf: one player's correspondence as files, numbered as it came, each mail also as a page for the browser.

A mail brings its pictures along; on the shelf they stand once, in a folder beside, and the pages refer to them there.
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
"""Lines of a mail that are quoted; few people cut them shorter, and none needs more."""


@dataclass(frozen=True, slots=True)
class PlayerReply:
    """An answer before any program has dressed it."""

    words: str
    to_what: "Message[str, str]"
    at: datetime


Program = Callable[[EmailMessage, PlayerReply], None]
"""Writes the body of an answer."""


def desktop_reply(mail: EmailMessage, answer: PlayerReply) -> None:
    """Plain text, with the whole mail quoted below."""
    mail["User-Agent"] = "Desk Mail 115"
    mail.set_content(f"{answer.words}\n\n{_quote(answer)}\n")


def webmail_reply(mail: EmailMessage, answer: PlayerReply) -> None:
    """Text and HTML, with the mail quoted in both."""
    mail.set_content(f"{answer.words}\n\n{_quote(answer)}\n")
    shown = "<br>".join(escape(line) for line in answer.words.splitlines())
    quoted = "<br>".join(escape(line) for line in _text_of(answer.to_what).splitlines()[:_QUOTED])
    mail.add_alternative(
        f'<div dir="ltr">{shown}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f"{escape(_attribution(answer))}<br></div><blockquote>{quoted}</blockquote></div>\n",
        subtype="html",
    )


def phone_reply(mail: EmailMessage, answer: PlayerReply) -> None:
    """A few words, a signature that nobody wrote, and no quote."""
    mail.set_content(f"{answer.words}\n\n--\u0020\nSent from my phone\n", cte="base64")


def bottom_reply(mail: EmailMessage, answer: PlayerReply) -> None:
    """A little of the mail first, and the answer below it, as in the old days."""
    said = "\n".join(f"> {line}" for line in _text_of(answer.to_what).splitlines()[2:6])
    mail.set_content(f"{_attribution(answer)}\n{said}\n\n{answer.words}\n")


PROGRAMS: Final = (desktop_reply, webmail_reply, phone_reply, bottom_reply)


def _attribution(answer: PlayerReply) -> str:
    return f"On {answer.at:%a, %d %b %Y at %H:%M}, {answer.to_what['From']} wrote:"


def _quote(answer: PlayerReply) -> str:
    lines = _text_of(answer.to_what).splitlines()[:_QUOTED]
    return "\n".join([_attribution(answer), *(f"> {line}".rstrip() for line in lines)])


def _text_of(mail: "Message[str, str]") -> str:
    for part in mail.walk():
        if part.get_content_type() == "text/plain":
            content = part.get_payload(decode=True)
            return content.decode("utf-8").replace("\r\n", "\n") if isinstance(content, bytes) else ""
    return ""


def address_reply(answer: PlayerReply, *, name: str, address: str, number: int) -> EmailMessage:
    """An answer with everything but its body: to whom, about what, to which mail."""
    asked, mail = answer.to_what, EmailMessage()
    subject = str(asked["Subject"])
    mail["From"] = f"{name} <{address}>"
    mail["To"] = str(asked["Reply-To"] or asked["From"])
    mail["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    mail["Date"] = format_datetime(answer.at)
    mail["Message-ID"] = f"<{number}.{answer.at:%Y%m%d%H%M%S}@{address.rpartition('@')[2]}>"
    mail["In-Reply-To"] = str(asked["Message-ID"])
    mail["References"] = f"{asked['References']} {asked['Message-ID']}"
    return mail


_CID: Final = re.compile(r"cid:([^\"'\s)]+)")


class MailFolder:
    """A folder. `pictures` is shared by the shelves of all players; `label` names a mail's kind by its Message-ID."""

    def __init__(self, folder: Path, pictures: Path, label: Callable[[str], str]) -> None:
        self._folder = folder
        self._label = label
        self._pictures = pictures
        self._number = 0
        folder.mkdir(parents=True)
        pictures.mkdir(exist_ok=True)

    def put_received(self, path: Path, mail: "Message[str, str]") -> None:
        """A mail that came, as it lies in the mailbox and as a page."""
        name = self._next(self._label(str(mail["Message-ID"])))
        _put_beside(path, name.with_suffix(".eml"))
        page = next((part for part in mail.walk() if part.get_content_type() == "text/html"), None)
        if page is not None:
            text = _content(page).decode("utf-8")
            name.with_suffix(".html").write_text(self._hang_pictures(text, mail), "utf-8")

    def put_written(self, raw: bytes) -> Path:
        """A letter of the player's own."""
        path = self._next("written").with_suffix(".eml")
        path.write_bytes(raw)
        return path

    def find(self, kind: str) -> list[Path]:
        """All pages of one kind, oldest first."""
        return sorted(self._folder.glob(f"*-{kind}.html"))

    def _next(self, kind: str) -> Path:
        self._number += 1
        return self._folder / f"{self._number:03}-{kind}"

    def _hang_pictures(self, page: str, mail: "Message[str, str]") -> str:
        places = {}
        for part in mail.walk():
            if part.get_content_type() == "image/png" and part["Content-ID"]:
                content = _content(part)
                path = self._pictures / f"{sha256(content).hexdigest()[:16]}.png"
                if not path.exists():
                    path.write_bytes(content)
                places[str(part["Content-ID"]).strip(" <>")] = f"../{path.parent.name}/{path.name}"
        return _CID.sub(lambda found: places.get(found[1], found[0]), page)


def _put_beside(path: Path, other: Path) -> None:
    """The same file under another name; a copy where the disk knows no such thing."""
    try:
        other.hardlink_to(path)
    except OSError:
        other.write_bytes(path.read_bytes())


def _content(part: "Message[str, str]") -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""
