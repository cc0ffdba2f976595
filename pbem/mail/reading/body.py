"""The text of a mail: which parts hold it, and the text as lines.

Plain text is preferred, because it says what the mail means without its looks. HTML is read where plain text is
missing or only points to the HTML, and where words are struck out in it: plain text shows them as if they were not.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.mail.reading import limits
from pbem.mail.reading.encoding import decode_text, decode_transfer
from pbem.mail.reading.html import html_lines, may_strike_out
from pbem.mail.reading.limits import Unreadable
from pbem.mail.reading.parts import Part
from pbem.mail.reading.text_lines import TextLine, join_flowed, plain_lines

_STUB: Final = 300  # characters; a longer text that mentions HTML says something itself
_MENTIONS_HTML: Final = re.compile(r"\bhtml\b", re.IGNORECASE)
_SAYS_SOMETHING: Final = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a mail as lines, and as one string for its digest."""

    lines: tuple[TextLine, ...]
    shown: tuple[TextLine, ...] = ()
    """The same in HTML, where plain text was read instead: many programs show only that."""

    @property
    def text(self) -> str:
        """All lines, as a reader sees them."""
        return "\n".join(line.text for line in self.lines)


def read_body(mail: Part) -> Body | Unreadable:
    """The text of a mail; empty if it has none, which is no mistake."""
    lines: list[TextLine] = []
    size = 0
    for part in _texts(mail):
        read = _read_lines(part)
        if isinstance(read, Unreadable):
            return read
        lines += read
        size += sum(len(line.text) for line in read)
        if size > limits.TEXT or len(lines) > limits.LINES:
            return Unreadable("text-too-long", f"{size} characters, {len(lines)} lines")
    return Body(tuple(lines), _read_shown(mail))


def _read_shown(part: Part) -> tuple[TextLine, ...]:
    """The HTML beside the plain text that is read; nothing if there is none, or if it is too long to be compared."""
    if part.content.attached:
        return ()
    if part.content.kind == "multipart/alternative":
        chosen = _best(part.inside)
        others = [text for choice in part.inside for text in _texts(choice) if text.content.kind == "text/html"]
        if not others or any(text.content.kind == "text/html" for text in chosen):
            return ()
        read = [lines for other in others if isinstance(lines := _read_lines(other), list)]
        return tuple(line for lines in read for line in lines)[: limits.LINES]
    return tuple(line for inner in part.inside for line in _read_shown(inner))


def _texts(part: Part) -> Iterator[Part]:
    """The parts to read, in order."""
    if part.content.attached:
        return
    if not part.inside:
        if part.content.kind in ("text/plain", "text/html"):
            yield part
    elif part.content.kind == "multipart/alternative":
        yield from _best(part.inside)
    else:
        for inner in part.inside:
            yield from _texts(inner)


def _best(choices: tuple[Part, ...]) -> list[Part]:
    """Of several forms of one text the plain one, unless it is a stub or shows words that the HTML strikes out."""
    readable = [texts for choice in choices if (texts := list(_texts(choice)))]
    plain = [texts for texts in readable if all(text.content.kind == "text/plain" for text in texts)]
    marked_up = next((texts for texts in readable if texts not in plain), [])
    if plain and not (marked_up and (all(map(_is_stub, plain[0])) or any(map(_strikes_out, marked_up)))):
        return plain[0]
    return marked_up


def _is_stub(part: Part) -> bool:
    text = _read_text(part)
    if isinstance(text, Unreadable):
        return False
    return not _SAYS_SOMETHING.search(text) or (len(text) < _STUB and _MENTIONS_HTML.search(text) is not None)


def _strikes_out(part: Part) -> bool:
    text = _read_text(part) if part.content.kind == "text/html" else ""
    return isinstance(text, str) and may_strike_out(text)


def _read_text(part: Part) -> str | Unreadable:
    content = part.content
    data = decode_transfer(part.data, content.encoding)
    if data is None:
        return Unreadable("odd-encoding", f"{content.encoding[:40] or 'no'} encoding")
    text = decode_text(data, content.parameter("charset"))
    return Unreadable("odd-charset", content.parameter("charset")[:40]) if text is None else text


def _read_lines(part: Part) -> list[TextLine] | Unreadable:
    text = _read_text(part)
    if isinstance(text, Unreadable):
        return text
    if part.content.kind == "text/html":
        return html_lines(text)
    if len(text) > limits.TEXT:
        return Unreadable("text-too-long", f"{len(text)} characters, at most {limits.TEXT}")
    flowed = part.content.parameter("format") == "flowed"
    if flowed:
        text = join_flowed(text, keep_blank=part.content.parameter("delsp") != "yes")
    return list(plain_lines(text, flowed=flowed))
