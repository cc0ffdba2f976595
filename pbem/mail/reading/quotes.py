"""The player's own words in an answer: which lines are quoted, which are a signature, and which are left.

We wrote the mail that is quoted, and that helps more than knowing how programs quote: our mark and our address show
where it begins, in any language. The rest is known by its form: lines with >, a paragraph with a date and a colon at
its end, lines of dashes or underscores. The few phrases that depend on the language are in
`templates/locale/<code>/mail-programs.toml`; a missing phrase costs a player a question, never a wrong move. In doubt
too much is cut and the player is asked. Words inside a fence count, or else those above the quoted mail, or else those
between and below quotations. Quoted text is never a command.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from pbem.locale.languages import LANGUAGE_CODES, locale_folder
from pbem.mail.format import DASH, closes_fence, ends_point, is_reply_mark, opens_fence
from pbem.mail.reading.addresses import addresses_in
from pbem.mail.reading.text_lines import Mark, TextLine, typed_text
from pbem.mail.reply_address import PostIdentity


class ProgramPhrases(NamedTuple):
    """What mail programs write by themselves, in all our languages together."""

    signature: re.Pattern[str]
    forwarding: re.Pattern[str]
    header_from: frozenset[str]
    header_when: frozenset[str]
    header_about: frozenset[str]


@cache
def program_phrases() -> ProgramPhrases:
    """The phrases of `mail-programs.toml` in the folders of all languages, gathered when the first letter is read."""
    lists: dict[str, list[str]] = {name: [] for name in ("signatures", "forwarding", "from", "when", "about")}
    for code in LANGUAGE_CODES:
        path = locale_folder(code) / "mail-programs.toml"
        for name, phrases in tomllib.loads(path.read_text("utf-8")).items() if path.is_file() else ():
            lists[name] += phrases
    return ProgramPhrases(
        re.compile(rf"(?:{'|'.join(lists['signatures'])}).{{0,90}}", re.IGNORECASE),
        re.compile("|".join(lists["forwarding"]), re.IGNORECASE),
        frozenset(lists["from"]),
        frozenset(lists["when"]),
        frozenset(lists["about"]),
    )


_HEADER: Final = re.compile(r"[*_ ]{0,3}([^\W\d_]{2,12})\s?[*_]{0,2}\s?:[*_]{0,2}(?=\s|$)")


def is_program_signature(line: str) -> bool:
    """Whether a line is what a phone or a mail program adds by itself."""
    return program_phrases().signature.fullmatch(line.strip(" *_[<(")) is not None


def announces_forwarding(line: str) -> bool:
    """Whether a line says that a forwarded mail follows."""
    return program_phrases().forwarding.fullmatch(line.strip(" *_:")) is not None


def begins_header_block(lines: list[str]) -> bool:
    """Whether the first line and those after it are the headers of another mail: who, when, and to whom or about what.

    One line alone is not enough: a player may write "From: E4".
    """
    phrases = program_phrases()
    found = _HEADER.match(lines[0]) if lines else None
    if found is None or found[1].lower() not in phrases.header_from:
        return False
    names = {header[1].lower() for line in lines[1:] if (header := _HEADER.match(line))}
    return not names.isdisjoint(phrases.header_when) and not names.isdisjoint(phrases.header_about)


_RULED: Final = re.compile(rf"_{{5,}}+|{DASH}{{4,}}+.{{1,200}}?{DASH}{{4,}}+")
_SIGNATURE: Final = re.compile(r"--|[\u2013\u2014]")
_LABELLED: Final = re.compile(r"[*_ ]{0,3}[^\W\d_][^:@\d]{0,24}:")
_DATED: Final = re.compile(r"\b\d{4}\b|\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{2,4}")
_DIGIT: Final = re.compile(r"\d")

_ATTRIBUTION: Final = 5  # lines; longer paragraphs are someone's prose
_ATTRIBUTION_LENGTH: Final = 400
_HEADERS_AHEAD: Final = 7


def mark_quotes(lines: Iterable[TextLine], post: PostIdentity) -> list[TextLine]:
    """The lines of an answer to one of our mails, with everything that the writer did not write marked."""
    return _cut_signatures(_cut_attributions(_cut_answered_mail(list(lines), post), post))


def _cut_answered_mail(lines: list[TextLine], post: PostIdentity) -> list[TextLine]:
    """Mark everything from the first line that can only begin the mail that is answered."""
    before_quote = _stand_before_quotes(lines)
    for at, line in enumerate(lines):
        if line.mark is Mark.OWN and line.text:
            if _begins_answered_mail(lines, at, post):
                return _quoted_from(lines, at - _is_broken_first_line(lines, at))
            introduced = 0 if at in before_quote else _lines_of_attribution(lines, at, post)
            first = at - introduced + 1
            if any(_names_us(line.text, post) for line in lines[first : at + 1]):
                return _quoted_from(lines, first)
    return lines


def _is_broken_first_line(lines: list[TextLine], at: int) -> bool:
    """Whether the line above our mark is the beginning of our first line, broken by a mail program."""
    return at > 0 and is_reply_mark(lines[at].text) and ends_point(lines[at - 1].text)


def _stand_before_quotes(lines: list[TextLine]) -> frozenset[int]:
    """The numbers of lines before a quoted line: there the quote has an end mark too."""
    written = [at for at, line in enumerate(lines) if line.text]
    return frozenset(at for at, after in pairwise(written) if lines[after].mark is Mark.QUOTED)


def _quoted_from(lines: list[TextLine], first: int) -> list[TextLine]:
    return lines[:first] + [TextLine(text, Mark.QUOTED) for text, _ in lines[first:]]


def _begins_answered_mail(lines: list[TextLine], at: int, post: PostIdentity) -> bool:
    text = lines[at].text.strip()
    if is_reply_mark(text) or announces_forwarding(text):
        return True
    if _RULED.fullmatch(text.strip("*")):
        return not (opens_fence(text) or closes_fence(text))
    if _LABELLED.match(text) is None:
        return False
    return _names_us(text, post) or begins_header_block([line.text for line in lines[at : at + _HEADERS_AHEAD]])


def _names_us(text: str, post: PostIdentity) -> bool:
    return "@" in text and any(map(post.owns, addresses_in(text)))


def _cut_attributions(lines: list[TextLine], post: PostIdentity) -> list[TextLine]:
    """Mark the words "On such a day so-and-so wrote:" before each quotation."""
    for at in range(1, len(lines)):
        if lines[at].mark is Mark.QUOTED and lines[at - 1].mark is Mark.OWN:
            above = at - 1
            while above > 0 and not lines[above].text and lines[above].mark is Mark.OWN:
                above -= 1
            for number in range(above, above - _lines_of_attribution(lines, above, post), -1):
                lines[number] = TextLine(lines[number].text, Mark.QUOTED)
    return lines


def _lines_of_attribution(lines: list[TextLine], last: int, post: PostIdentity) -> int:
    """How many lines, up from `last`, say who wrote the quotation that follows; programs break them anywhere."""
    if not lines[last].text.rstrip(" *").endswith(":"):
        return 0
    dated = likely = 0
    text = ""
    for count in range(1, min(_ATTRIBUTION, last + 1) + 1):
        line = lines[last - count + 1]
        if not line.text.strip() or line.mark is not Mark.OWN:
            break
        text = f"{line.text} {text}"
        said = _without_addresses(text)
        if len(text) > _ATTRIBUTION_LENGTH:
            break
        if _DATED.search(said):
            dated = count
            break
        if not likely and (_DIGIT.search(said) or _names_us(line.text, post)):
            likely = count
    return dated or likely


def _without_addresses(text: str) -> str:
    """The text without words with an @: the code in our address is full of digits."""
    return " ".join(word for word in text.split() if "@" not in word)


def _cut_signatures(lines: list[TextLine]) -> list[TextLine]:
    """Mark from a line of two dashes to the next quotation, and the signatures of programs."""
    signing = False
    for at, line in enumerate(lines):
        if line.mark is Mark.QUOTED:
            signing = False
        elif line.mark is Mark.OWN:
            signing = signing or _SIGNATURE.fullmatch(line.text.strip()) is not None
            if signing or is_program_signature(line.text):
                lines[at] = TextLine(line.text, Mark.SIGNATURE)
    return lines


_WIDE_GAP: Final = re.compile(r"\n{3,}")
_ECHOES: Final = 8
_ECHO_LENGTH: Final = 120


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What the player wrote, and the first line of each stretch that was left out."""

    words: str
    cut: tuple[str, ...]
    at_end: bool
    """Whether nothing that was left out stands below them, or there are none."""


def find_own_words(lines: Iterable[TextLine], post: PostIdentity) -> OwnWords:
    """Divide the lines of an answer into the writer's own words and the rest."""
    marked = mark_quotes(lines, post)
    chosen = _inside_fences(marked) or _above_quotes(marked) or _among_quotes(marked)
    kept = "\n".join(marked[at].text.strip() for at in chosen)
    below = marked[chosen[-1] + 1 :] if chosen else ()
    return OwnWords(
        _WIDE_GAP.sub("\n\n", typed_text(kept)).strip("\n"),
        _echo(marked, frozenset(chosen)),
        at_end=not any(line.text for line in below),
    )


def _inside_fences(lines: list[TextLine]) -> list[int]:
    """The numbers of unquoted lines inside fences. An open fence ends with the player's own text."""
    inside: list[int] = []
    fenced = False
    for at, line in enumerate(lines):
        if line.mark is not Mark.OWN:
            fenced = fenced and line.mark is not Mark.QUOTED
        elif opens_fence(line.text):
            fenced = True
        elif fenced and closes_fence(line.text):
            fenced = False
        elif fenced:
            inside.append(at)
    return inside if any(lines[at].text.strip() for at in inside) else []


def _above_quotes(lines: list[TextLine]) -> list[int]:
    """The numbers of own lines before the first quotation."""
    first = next((at for at, line in enumerate(lines) if line.mark is Mark.QUOTED), len(lines))
    return _up_to_signoff(lines, range(first))


def _among_quotes(lines: list[TextLine]) -> list[int]:
    """The numbers of all own lines."""
    return _up_to_signoff(lines, range(len(lines)))


def _up_to_signoff(lines: list[TextLine], places: range) -> list[int]:
    """The numbers of own lines up to a word that ends the commands; none if all are blank."""
    own = [at for at in places if lines[at].mark is Mark.OWN]
    end = next((number for number, at in enumerate(own) if closes_fence(lines[at].text)), len(own))
    return own[:end] if any(lines[at].text.strip() for at in own[:end]) else []


def _echo(lines: list[TextLine], chosen: frozenset[int]) -> tuple[str, ...]:
    """The first line of each stretch that was left out."""
    first_lines: list[str] = []
    written = [at for at, line in enumerate(lines) if line.text.strip(" >")]
    for taken, places in groupby(written, key=lambda at: at in chosen or lines[at].mark):
        if taken is not True:
            first_lines.append(lines[next(places)].text.strip()[:_ECHO_LENGTH])
    return tuple(first_lines[:_ECHOES])
