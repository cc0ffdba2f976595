"""A player's own words: what stands inside a fence, or above the mail that is answered.

Words between and below quotations count where none stand above. Quoted text is never anyone's order.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from pbem.mail.format import closes_fence, opens_fence
from pbem.mail.identity import PostIdentity
from pbem.mail.reading.quotes import mark_quotes
from pbem.mail.reading.text_lines import Line, Mark, typed

_WIDE_GAP: Final = re.compile(r"\n{3,}")
_ECHOES: Final = 8
_ECHO_LENGTH: Final = 120


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What the player wrote, and the first line of each thing that was not taken as his words."""

    words: str
    cut: tuple[str, ...]


def find_own_words(lines: Iterable[Line], post: PostIdentity) -> OwnWords:
    """Sort the lines of an answer into what its writer wrote and the rest."""
    marked = mark_quotes(lines, post)
    chosen = _inside_fences(marked) or _above_quotes(marked) or _among_quotes(marked)
    kept = "\n".join(marked[at].text.strip() for at in chosen)
    return OwnWords(_WIDE_GAP.sub("\n\n", typed(kept)).strip("\n"), _echo(marked, frozenset(chosen)))


def _inside_fences(lines: list[Line]) -> list[int]:
    """The places of unquoted lines inside fences. A fence left open ends with the player's own text."""
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


def _above_quotes(lines: list[Line]) -> list[int]:
    """The places of own lines before the first quotation."""
    first = next((at for at, line in enumerate(lines) if line.mark is Mark.QUOTED), len(lines))
    return _up_to_signoff(lines, range(first))


def _among_quotes(lines: list[Line]) -> list[int]:
    """The places of all own lines, wherever they stand."""
    return _up_to_signoff(lines, range(len(lines)))


def _up_to_signoff(lines: list[Line], places: range) -> list[int]:
    """The places of own lines, up to a word that ends the orders; none if all of them are blank."""
    own = [at for at in places if lines[at].mark is Mark.OWN]
    end = next((number for number, at in enumerate(own) if closes_fence(lines[at].text)), len(own))
    return own[:end] if any(lines[at].text.strip() for at in own[:end]) else []


def _echo(lines: list[Line], chosen: frozenset[int]) -> tuple[str, ...]:
    """The first line of each stretch that was not taken."""
    first_lines: list[str] = []
    written = [at for at, line in enumerate(lines) if line.text.strip(" >")]
    for taken, places in groupby(written, key=lambda at: at in chosen or lines[at].mark):
        if taken is not True:
            first_lines.append(lines[next(places)].text.strip()[:_ECHO_LENGTH])
    return tuple(first_lines[:_ECHOES])
