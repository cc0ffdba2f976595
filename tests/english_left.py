"""English words that a mail in another language still has: the same mail is written in English, and both are compared.

Whatever stands in both is left over, unless it is a name, a code, what somebody wrote, or a word that both languages
have. So a sentence that nobody has translated is found by its words, wherever it stands: in the subject, in the text
part, in the HTML with its alt texts, or in the answers that buttons have already written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from email import message_from_bytes
from email.header import decode_header, make_header
from html.parser import HTMLParser
from typing import Any, Final, cast
from urllib.parse import unquote

from pbem.mail.writing.mime import Mail

WORD: Final = re.compile(r"(?<![^\W\d_])[A-Za-z]{3,}(?![^\W\d_])")
"""Words of fewer letters are the same in too many languages, and no sentence has only those."""

NAMES: Final = frozenset(
    [
        *("caravan", "post", "sirocco", "nomadi", "shy", "well"),  # ours, the game's id, and names of games
        *("utc", "gmt", "html", "mail"),  # mail is Dutch, too, and stands in addresses
        *("europe", "warsaw", "lisbon"),  # time zones as examples, which have the same name for all computers
        *("pbem", "verify", "restore", "turns", "docs", "playing"),  # the program, its record files and its documents
        *("haikara", "lent", "matalalla", "lilca", "lider"),  # words of no language of ours, for an example
    ]
)
"""Names and codes that are the same in every language."""

CODES: Final = re.compile(
    r"\b[A-Z]{2}-[A-Z]\d+"  # rules
    r"|\[[A-Z]\w*(?:\.\w+)? \"[^\"]*\"\]"  # headers of a record in the examples of rules: a record is a file
    r"|\bLMYGS?\b|\b[LMYGS]{3,5}\b"  # the letters of camels
    r"|\b[0-9a-f]{8,64}\b"
    r"|[\w.+-]+@[\w.-]+"
    r"|(?:promised|opened) \S+ [^\n]*[0-9a-f]{64}[^\n]*"
    r"|pbem (?:case|restore)(?: (?:sirocco-\S+|--\S+|[a-z]+=NAME:ADDRESS|WHY|CASE|open|rule|close|substitute))*"
    r"|sirocco-[\w.-]+"
    r"|(?<=[Rr]ulebook, )[^;.]+|(?<=Russian, )[^;.]+"  # chapters of rulebooks, by their names in the English mail
)


def _words_of(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


HEROES: Final = _words_of(
    "mormont marsh tarly yarwyck thorne melisandre mance benjen ygritte yoren qhorin tormund",
    "jeor bowen samwell othell alliser rayder stark halfhand catan",
)
"""Names that are written with the same letters in Dutch and Polish."""

SHARED: Final[Mapping[str, frozenset[str]]] = {
    "he": frozenset(),
    "ru": frozenset(),
    # Polish has some words in common with English, and some that only look alike: ten is this, same is alone.
    "pl": HEROES | _words_of("start stop plan program bank patrol auto errata ten was same"),
    # Dutch has many: for things of games and mails, months, and some that only look alike: die is which, met is with,
    # held is hero.
    "nl": HEROES
    | _words_of(
        "water mint palm oases start winter clan wildling gift hand plan stop code letter letters route routes variant",
        "effect moment maker zone zones markers west auto errata mails mailbox sorry open win rest later score",
        "database deadline deadlines server bytes codes",
    )
    | _words_of("jan feb apr jun jul aug sep nov dec april september november december")
    | _words_of("die met even held had was over stand week begin bank land per camp"),
}
"""Words that a language has in common with English."""


class _Page(HTMLParser):
    """Everything of a page that somebody reads, hears or sends."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []
        self._is_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_style = tag == "style"
        for name, value in attrs:
            if name in ("alt", "title", "aria-label"):
                self.read.append(value or "")
            elif name == "href" and (value or "").startswith("mailto:"):
                self.read.append(
                    unquote((value or "").partition("?")[2]).replace("&body=", "\n").replace("subject=", "")
                )

    def handle_endtag(self, tag: str) -> None:
        self._is_style = False

    def handle_data(self, data: str) -> None:
        if not self._is_style:
            self.read.append(data)


def parts_to_read(mail: Mail, proofs: Iterable[str] = ()) -> dict[str, str]:
    """The subject and both parts of a mail as they are read; the text ends where the first of `proofs` begins."""
    found = {}
    message = message_from_bytes(mail.raw)
    found["subject"] = str(make_header(decode_header(message["Subject"])))
    for part in message.walk():
        if part.get_content_maintype() != "text" or part.get_filename() is not None:
            continue
        text = cast("bytes", part.get_payload(decode=True)).decode("utf-8").replace("\r\n", "\n")
        if part.get_content_subtype() == "html":
            page = _Page()
            page.feed(text)
            text = "\n".join(page.read)
        else:
            for proof in proofs:
                text = text.partition(f"\n{proof}")[0]
        found[part.get_content_type()] = text
    return found


def english_left(
    english: str, told: str, code: str, *, names: Iterable[str] = (), said: Iterable[str] = ()
) -> set[str]:
    """The words that two texts share and that should not be there; `said` is what somebody wrote."""
    own = {word.lower() for name in names for word in WORD.findall(name)} | NAMES | SHARED[code]
    theirs, ours = (_words(_without(text, said)) for text in (english, told))
    return {word for word in theirs & ours if word not in own}


def _words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)}


def _without(text: str, said: Iterable[str]) -> str:
    flat = " ".join(re.sub(r"^\|\s*", "", line) for line in text.splitlines())
    flat = CODES.sub(" ", re.sub(r"\s+", " ", re.sub("[\u2066-\u2069\u200e\u200f]", "", flat)))
    for words in sorted({" ".join(line.split()) for each in said for line in each.splitlines()}, key=len, reverse=True):
        if len(words) > 2:
            flat = flat.replace(words, " ")
    return flat


SAID: Final = frozenset({"words", "note", "reason", "cut", "beside", "text", "letter", "name"})
"""Fields that hold what somebody wrote."""
_QUOTED: Final = re.compile(r'"([^"]{3,})"')
"""What a player said inside a move."""
_LEFT_OUT: Final = frozenset({"position", "game", "chain", "moves", "seed"})


def said_in(*values: Any) -> Iterator[str]:
    """What people wrote, anywhere in an occasion or a table."""
    seen: set[int] = set()
    stack: list[tuple[str, Any]] = [("", value) for value in values]
    while stack:
        name, value = stack.pop()
        if isinstance(value, str):
            if name in SAID:
                yield value
            yield from _QUOTED.findall(value)
            continue
        if value is None or isinstance(value, (int, bytes, type)) or callable(value) or id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Mapping):
            stack += [
                (name if not isinstance(key, str) or key not in SAID else key, each) for key, each in value.items()
            ]
        elif isinstance(value, (tuple, list, set, frozenset)) and not hasattr(value, "_fields"):
            stack += [(name, each) for each in value]
        elif hasattr(value, "_fields"):
            stack += [(key, getattr(value, key)) for key in value._fields if key not in _LEFT_OUT]
        elif is_dataclass(value):
            stack += [(each.name, getattr(value, each.name)) for each in fields(value) if each.name not in _LEFT_OUT]
