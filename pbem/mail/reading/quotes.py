"""Which lines of an answer are quoted, and which are a signature.

We wrote the mail that is quoted, which is worth more than knowing how programs quote: our mark and our address
tell where it begins, in any language. The rest is shape: lines with >, a paragraph with a date that ends in a
colon before them, lines of dashes or underscores. In doubt too much is cut, and the player is asked.
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from pbem.mail.format import closes_fence, is_our_mark, opens_fence
from pbem.mail.identity import PostIdentity
from pbem.mail.reading import phrases
from pbem.mail.reading.addresses import addresses_in
from pbem.mail.reading.text_lines import Line, Mark

_DASH: Final = r"[-\u2010-\u2015\u2212]"
_RULED: Final = re.compile(rf"_{{5,}}+|{_DASH}{{4,}}+.{{1,200}}?{_DASH}{{4,}}+")
_SIGNATURE: Final = re.compile(r"--|[\u2013\u2014]")
_LABELLED: Final = re.compile(r"[*_ ]{0,3}[^\W\d_][^:@\d]{0,24}:")
_DATED: Final = re.compile(r"\b\d{4}\b|\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{2,4}")
_DIGIT: Final = re.compile(r"\d")

_ATTRIBUTION: Final = 5  # lines; longer paragraphs are someone's prose
_ATTRIBUTION_LENGTH: Final = 400
_HEADERS_AHEAD: Final = 7


def mark_quotes(lines: Iterable[Line], post: PostIdentity) -> list[Line]:
    """The lines of an answer to one of our mails, with all that its writer did not write himself marked so."""
    return _cut_signatures(_cut_attributions(_cut_answered_mail(list(lines), post), post))


def _cut_answered_mail(lines: list[Line], post: PostIdentity) -> list[Line]:
    """Everything from the first line that can only be the beginning of the mail that is answered."""
    before_quote = _stand_before_quotes(lines)
    for at, line in enumerate(lines):
        if line.mark is Mark.OWN and line.text:
            if _begins_answered_mail(lines, at, post):
                return _quoted_from(lines, at)
            introduced = 0 if at in before_quote else _lines_of_attribution(lines, at, post)
            first = at - introduced + 1
            if any(_names_us(line.text, post) for line in lines[first : at + 1]):
                return _quoted_from(lines, first)
    return lines


def _stand_before_quotes(lines: list[Line]) -> frozenset[int]:
    """The places of lines whose next neighbour is marked as quoted: there the end of the quote is marked too."""
    written = [at for at, line in enumerate(lines) if line.text]
    return frozenset(at for at, after in pairwise(written) if lines[after].mark is Mark.QUOTED)


def _quoted_from(lines: list[Line], first: int) -> list[Line]:
    return lines[:first] + [Line(text, Mark.QUOTED) for text, _ in lines[first:]]


def _begins_answered_mail(lines: list[Line], at: int, post: PostIdentity) -> bool:
    text = lines[at].text.strip()
    if is_our_mark(text) or phrases.announces_forwarding(text):
        return True
    if _RULED.fullmatch(text.strip("*")):
        return not (opens_fence(text) or closes_fence(text))
    if _LABELLED.match(text) is None:
        return False
    return _names_us(text, post) or phrases.begins_header_block([line.text for line in lines[at : at + _HEADERS_AHEAD]])


def _names_us(text: str, post: PostIdentity) -> bool:
    return "@" in text and any(map(post.owns, addresses_in(text)))


def _cut_attributions(lines: list[Line], post: PostIdentity) -> list[Line]:
    """The words "On such a day so-and-so wrote:" before each quotation."""
    for at in range(1, len(lines)):
        if lines[at].mark is Mark.QUOTED and lines[at - 1].mark is Mark.OWN:
            above = at - 1
            while above > 0 and not lines[above].text and lines[above].mark is Mark.OWN:
                above -= 1
            for number in range(above, above - _lines_of_attribution(lines, above, post), -1):
                lines[number] = Line(lines[number].text, Mark.QUOTED)
    return lines


def _lines_of_attribution(lines: list[Line], last: int, post: PostIdentity) -> int:
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
    """The text without words that hold an @: a ticket in our address is full of digits."""
    return " ".join(word for word in text.split() if "@" not in word)


def _cut_signatures(lines: list[Line]) -> list[Line]:
    """From a line of two dashes to the next quotation, and what programs sign with by themselves."""
    signing = False
    for at, line in enumerate(lines):
        if line.mark is Mark.QUOTED:
            signing = False
        elif line.mark is Mark.OWN:
            signing = signing or _SIGNATURE.fullmatch(line.text.strip()) is not None
            if signing or phrases.is_program_signature(line.text):
                lines[at] = Line(line.text, Mark.SIGNATURE)
    return lines
