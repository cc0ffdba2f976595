"""Who sits at the table, as a legend or a score table shows them, and players' own words made safe to show.

A name comes from a letter or a record and may hold anything. Control characters break markup, and characters
that turn the reading direction let one name pose as another or scramble a board: each is replaced by a visible
sign, never silently dropped. Escaping is left to the templates.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.game import Seat, View
from pbem.render.options import DrawOptions

if TYPE_CHECKING:
    from collections.abc import Sequence


SIGN: Final = "\N{REPLACEMENT CHARACTER}"
LONGEST: Final = 40
"""Longer names are cut with an ellipsis."""
FIRST, LAST = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
LEFT = "\N{LEFT-TO-RIGHT ISOLATE}"
LTR_MARK = "\N{LEFT-TO-RIGHT MARK}"
_TURNED: Final = ("R", "AL")
MOST_MARKS: Final = 2
"""Accents upon one letter; further ones are dropped, for they only pile up."""

_RTL_LETTER: Final = re.compile("[\u0590-\u08ff]")
_PIECE: Final = re.compile(r'(?! )(?:[^,;"]|"(?:[^"\\]|\\.)*")+')
"""A move, between commas that are not in what a player said."""

_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS: Final = frozenset("\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
"""Format characters that Persian names and emoji need; they turn nothing."""


def show_name(name: str, longest: int = LONGEST) -> str:
    """Write a name on one line, with a visible sign for every character that must not pass."""
    line = " ".join(name.split())
    if line.isascii() and line.isprintable():
        return shorten(line, longest)
    shown: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", line):
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            shown.append(SIGN if category in _UNSAFE and character not in _JOINERS else character)
    return shorten("".join(shown), longest)


def isolate(text: str, *, rtl: bool) -> str:
    """A text kept apart from the sentence around it if it runs the other way; `rtl` says how the sentence runs."""
    return f"{FIRST}{text}{LAST}" if is_rtl(text) != rtl else text


def show_words(words: str, longest: int = LONGEST, *, rtl: bool) -> str:
    """What a player said, as a sentence of ours may repeat it; escaping is still to come."""
    return isolate(show_name(words, longest), rtl=rtl)


def show_order(text: str, *, rtl: bool) -> str:
    """An order inside a sentence. Where that runs from right to left, moves without a word of it run the other way."""
    if not rtl or not text:
        return text
    if not _RTL_LETTER.search(text):
        return f"{LEFT}{text}{LAST}"
    return _PIECE.sub(lambda piece: piece[0] if _RTL_LETTER.search(piece[0]) else f"{LEFT}{piece[0]}{LAST}", text)


def show_number(number: object, *, rtl: bool) -> str:
    """A number in a sentence: where that runs from right to left, its sign would be taken to the other side."""
    text = str(number)
    return f"{LTR_MARK}{text}" if rtl and text.startswith(("-", "+")) else text


def is_rtl(text: str) -> bool:
    """True if the first letter with a direction is written from right to left."""
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((direction in _TURNED for direction in directions if direction in ("L", *_TURNED)), False)


def shorten(text: str, longest: int) -> str:
    """Cut a text that is too long, and show that it was cut."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class ShownPlayer:
    """A seat with its player's name, its points (None: not shown) and its standing.

    The name is empty when it is unknown, or when it only repeats the seat.
    """

    seat: Seat
    name: str
    points: int | None
    due: bool
    won: bool


@dataclass(frozen=True, slots=True)
class PointSource:
    """Where points came from, and how many each seat has from there, in seat order."""

    name: str
    points: tuple[int, ...]


def list_players(view: View, options: DrawOptions) -> list[ShownPlayer]:
    """All seats in seat order; a view that does not name them leaves it to the score, or to the names."""
    score = options.score
    scored = {tally.seat: score.shown(tally.seat) for tally in score.tallies} if score else {}
    seats: Sequence[Seat] = view.get("seats") or tuple(scored) or tuple(options.names)
    due = view.get("to_act", ())
    return [
        ShownPlayer(
            seat,
            name=_name(seat, options),
            points=scored.get(seat),
            due=seat in due,
            won=score is not None and seat in score.winners,
        )
        for seat in seats
    ]


def _name(seat: Seat, options: DrawOptions) -> str:
    name = show_name(options.names.get(seat, ""))
    return "" if name.casefold() == seat else name


def list_sources(options: DrawOptions) -> list[PointSource]:
    """The rows of a score table; empty when no score may be shown."""
    tallies = options.score.tallies if options.score else ()
    names = dict.fromkeys(line.source for tally in tallies for line in tally.lines)
    return [
        PointSource(
            name,
            tuple(sum(line.points for line in tally.lines if line.source == name) for tally in tallies),
        )
        for name in names
    ]
