"""The text of a mail: which parts hold it, and the text as lines.

Plain text is preferred, because it says what the mail means without its looks. HTML is read where plain text is
missing or only points to the HTML, and where words are struck out in it: plain text shows them as if they were not.
"""

import re
from collections.abc import Iterable, Iterator
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
_PICTURE: Final = re.compile(r"(?<=base64,)[A-Za-z0-9+/=%\s]{80,}+")


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a mail as lines, and as one string for its digest."""

    lines: tuple[TextLine, ...]
    cut_short: bool = False
    """Whether the text goes on beyond what is read."""
    shown: tuple[TextLine, ...] = ()
    """The same in HTML, where plain text was read instead: many programs show only that."""

    @property
    def text(self) -> str:
        """All lines, as a reader sees them."""
        return "\n".join(line.text for line in self.lines)


def read_body(mail: Part, *, cuts: bool = False) -> Body | Unreadable:
    """The text of a mail; empty if it has none, which is no mistake.

    A text that is too long is not read, or with `cuts` as far as the limits go.
    """
    lines: list[TextLine] = []
    room, cut_short = limits.TEXT, False
    for part in _texts(mail):
        text = _read_text(part)
        if isinstance(text, Unreadable):
            return text
        source = _without_pictures(text) if part.content.kind == "text/html" else text
        longest = _longest_markup(source) if part.content.kind == "text/html" else limits.TEXT
        cut_short = cut_short or len(source) > longest
        if cut_short and not cuts:
            return Unreadable("text-too-long", f"{len(source)} characters, at most {longest}")
        for line in _read_lines(part, source, longest):
            if isinstance(line, Unreadable):
                return line
            if len(line.text) > room or len(lines) == limits.LINES:
                cut_short = True
                break
            lines.append(line)
            room -= len(line.text)
        if cut_short and not cuts:
            return Unreadable("text-too-long", f"more than {limits.TEXT} characters or {limits.LINES} lines")
        if cut_short:
            break
    return Body(tuple(lines), cut_short, _read_shown(mail))


def _read_shown(part: Part) -> tuple[TextLine, ...]:
    """The HTML beside the plain text that is read; nothing if there is none, or if it is too long to be compared."""
    if part.content.attached:
        return ()
    if part.content.kind == "multipart/alternative":
        chosen = _best(part.inside)
        others = [text for choice in part.inside for text in _texts(choice) if text.content.kind == "text/html"]
        if not others or any(text.content.kind == "text/html" for text in chosen):
            return ()
        return tuple(line for other in others for line in _compared_lines(other))[: limits.LINES]
    return tuple(line for inner in part.inside for line in _read_shown(inner))


def _compared_lines(part: Part) -> Iterator[TextLine]:
    """The lines of HTML that is short enough to be compared, and can be read."""
    text = _read_text(part)
    source = "" if isinstance(text, Unreadable) else _without_pictures(text)
    if len(source) <= _longest_markup(source):
        for line in _read_lines(part, source, limits.MARKUP):
            if not isinstance(line, Unreadable):
                yield line


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


def _without_pictures(source: str) -> str:
    """HTML without the pictures that are written into it, such as those of a mail of ours that is quoted."""
    return _PICTURE.sub("", source) if "base64," in source else source


def _longest_markup(source: str) -> int:
    """How many characters of HTML are read: each tag takes time, however short it is."""
    *read, rest = source.split("<", limits.TAGS + 1)
    return min(limits.MARKUP, len(source) - len(rest) - 1) if len(read) > limits.TAGS else limits.MARKUP


def _read_lines(part: Part, source: str, longest: int) -> Iterable[TextLine | Unreadable]:
    """The lines of a text, as far as it is read. A line that is not whole could say something else, and is left out."""
    if part.content.kind == "text/html":
        lines = html_lines(source[:longest])
        if isinstance(lines, Unreadable):
            return [lines]
        return lines[:-1] if len(source) > longest else lines
    text = source if len(source) <= longest else source[:longest].rpartition("\n")[0]
    flowed = part.content.parameter("format") == "flowed"
    if flowed:
        text = join_flowed(text, keep_blank=part.content.parameter("delsp") != "yes")
    return plain_lines(text, flowed=flowed)
