"""How people's mail programs answer a mail: what they quote, where, and in which clothes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage, Message
from email.utils import format_datetime
from html import escape
from typing import Final

_QUOTED: Final = 40
"""Lines of a mail that are quoted; few people cut them shorter, and none needs more."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer before any program has dressed it."""

    words: str
    to_what: "Message[str, str]"
    at: datetime


Program = Callable[[EmailMessage, Answer], None]
"""Writes the body of an answer."""


def on_the_desk(mail: EmailMessage, answer: Answer) -> None:
    """Plain text, with the whole mail quoted below."""
    mail["User-Agent"] = "Desk Mail 115"
    mail.set_content(f"{answer.words}\n\n{_quote(answer)}\n")


def in_the_browser(mail: EmailMessage, answer: Answer) -> None:
    """Text and HTML, with the mail quoted in both."""
    mail.set_content(f"{answer.words}\n\n{_quote(answer)}\n")
    shown = "<br>".join(escape(line) for line in answer.words.splitlines())
    quoted = "<br>".join(escape(line) for line in _text_of(answer.to_what).splitlines()[:_QUOTED])
    mail.add_alternative(
        f'<div dir="ltr">{shown}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f"{escape(_attribution(answer))}<br></div><blockquote>{quoted}</blockquote></div>\n",
        subtype="html",
    )


def on_the_phone(mail: EmailMessage, answer: Answer) -> None:
    """A few words, a signature that nobody wrote, and no quote."""
    mail.set_content(f"{answer.words}\n\n--\u0020\nSent from my phone\n", cte="base64")


def under_the_quote(mail: EmailMessage, answer: Answer) -> None:
    """A little of the mail first, and the answer below it, as in the old days."""
    said = "\n".join(f"> {line}" for line in _text_of(answer.to_what).splitlines()[2:6])
    mail.set_content(f"{_attribution(answer)}\n{said}\n\n{answer.words}\n")


PROGRAMS: Final = (on_the_desk, in_the_browser, on_the_phone, under_the_quote)


def _attribution(answer: Answer) -> str:
    return f"On {answer.at:%a, %d %b %Y at %H:%M}, {answer.to_what['From']} wrote:"


def _quote(answer: Answer) -> str:
    lines = _text_of(answer.to_what).splitlines()[:_QUOTED]
    return "\n".join([_attribution(answer), *(f"> {line}".rstrip() for line in lines)])


def _text_of(mail: "Message[str, str]") -> str:
    for part in mail.walk():
        if part.get_content_type() == "text/plain":
            content = part.get_payload(decode=True)
            return content.decode("utf-8").replace("\r\n", "\n") if isinstance(content, bytes) else ""
    return ""


def address_answer(answer: Answer, *, name: str, address: str, number: int) -> EmailMessage:
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
