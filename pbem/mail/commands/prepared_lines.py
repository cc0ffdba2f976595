"""A line of a letter in the game's own words: with what only its table knows put in.

Places written in letters of another alphabet, players' names, a place without its verb, a die that was left out.
"""

import re
from collections.abc import Sequence
from itertools import islice, product, takewhile
from typing import Any, Final

from engine.game import GameRules, Seat
from notation import write_moves
from notation.phrases import Phrases, phrases
from notation.speech import is_word_of_moves
from pbem.mail.commands.move_spans import NAME, PLACE, TAKES, Span, begins, find_spans, masked
from pbem.mail.commands.parse_moves import looks_like_moves
from pbem.mail.commands.player_names import find_player
from pbem.tables.play import Pending

_MOST_NAMES: Final = 8
_MOST_GAPS: Final = 2
_PREFIXED: Final = re.compile(r"(?<!\w)([\u05d5\u05de\u05dc\u05d1\u05d4])-(?=[A-Z][0-9]{1,2}(?!\w))", re.IGNORECASE)
"""A Hebrew letter that is written together with the space after it, by a hyphen; a way between two has two of them."""
_ANNOUNCED: Final = re.compile(r"((?:^|(?<=[.!?] ))\w+):(?= [0-9])")
"""A verb with a colon after it: ``offer: 1 ore for 1 wool``."""
_IN_WORDS: Final = re.compile(r"[0-9] ?[^\W\d_]++-? ?[A-Z][0-9]", re.IGNORECASE)  # so a die may stand anywhere
_LOOKS_AND_SOUNDS: Final = dict[str, str](
    zip(
        "\u0412\u0421\u041d\u0420\u0423\u0425\u0410\u0415\u041a\u041c\u041e\u0422\u0391"
        "\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
        re.findall(r"\w+", "BV-CS-HN-PR-YU-XH-A-E-K-M-O-T-A-BV-E-Z-HI-I-K-M-N-O-PR-T-YU-XH"),
        strict=True,
    )
)
"""Cyrillic and Greek letters, each with the Latin one it looks like and the one it sounds like."""
_LOOK_ALIKE: Final = re.compile(rf"(?<!\w)([{''.join(_LOOKS_AND_SOUNDS)}])(?=0?([0-9]{{1,2}})(?!\w))", re.IGNORECASE)


def prepare(game: GameRules, text: str, pending: Pending | None) -> str:
    """A line with what only this table knows put into the game's own words: places in other letters, and names."""
    reader = phrases(game.key)
    text = _PREFIXED.sub(r"\1 ", text) if len(_PREFIXED.findall(text)) == 1 else text
    if pending is None or reader is None:
        return text
    text = _LOOK_ALIKE.sub(lambda found: _latin(found, pending), text)
    text = _ANNOUNCED.sub(lambda found: found[1] if looks_like_moves(game, found[1]) else found[0], text)
    return _fill_gaps(game, reader, _put_bare(reader, _put_seats(game, reader, text, pending), pending), pending)


def _latin(found: re.Match[str], pending: Pending) -> str:
    """The only letter that makes a place of this board; where there are two, the letter stays."""
    letters = [each for each in _LOOKS_AND_SOUNDS[found[1].upper()] if f"{each}{int(found[2])}" in pending.places]
    return letters[0] if len(letters) == 1 else found[1]


def _put_seats(game: GameRules, reader: Phrases, text: str, pending: Pending) -> str:
    """The text with a seat for each player's name where a move goes on with it."""
    found = (
        (name, seat)
        for name in (NAME.finditer(text) if pending.names else ())
        if (seat := find_player(name[0], pending.names))
        and (name[0].lower() in pending.names or not is_word_of_moves(game.key, name[0]))
    )
    called = list(islice(found, _MOST_NAMES))
    first = begins(reader).search(text) if called else None
    if first is None or first.start() >= called[-1][0].start():
        return text
    # All at once: each look for moves takes time, and a move that asks two players needs both names as seats.
    spans = find_spans(reader, _with_seats(text, called))
    kept, shift = list[tuple[re.Match[str], Seat]](), 0
    for name, seat in called:
        at = name.start() + shift
        shift += len(seat) - len(name[0])
        kept += [(name, seat)] if any(span.start < at < span.end for span in spans) else []
    return _with_seats(text, kept)


def _with_seats(text: str, called: Sequence[tuple[re.Match[str], Seat]]) -> str:
    for name, seat in reversed(called):
        text = f"{text[: name.start()]}{seat}{text[name.end() :]}"
    return text


def _put_bare(reader: Phrases, text: str, pending: Pending) -> str:
    """The text with the word for a move before a place that stands alone, if that move is legal: ``place`` P18."""
    named = [found for found in PLACE.finditer(text) if found[0].upper() in pending.places] if reader.book.bare else []
    if len({found[0].upper() for found in named}) != 1:
        return text
    if spans := find_spans(reader, masked(text)):
        return _put_verb(text, spans, reader.book.bare.format(named[0][0].upper()), pending)
    order = reader.book.bare.format(named[0][0].upper())
    verb, _, _ = order.partition(" ")
    # A place that stands alone while such moves are made, and is taken, is refused with that reason.
    is_meant = pending.allows(order) or (named[0][0] == text and any(each.startswith(verb) for each in pending.forms()))
    return f"{text[: named[0].start()]}{order}{text[named[0].end() :]}" if is_meant else text


def _put_verb(text: str, spans: Sequence[Span], order: str, pending: Pending) -> str:
    """The text with the word for a move where somebody *takes* a place: *I take P18*, while stones are placed."""
    first, last = spans[0], spans[-1]
    is_taken = len(spans) == len(first.moves) == 1 and TAKES.match(text, first.start) is not None
    if not is_taken or pending.allows(text[first.start : last.end]) or not pending.allows(order):
        return text
    return f"{text[: first.start]}{order}{text[last.end :]}"


def _fill_gaps(game: GameRules, reader: Phrases, text: str, pending: Pending) -> str:
    """The text with what was left out of a move, if only one thing makes the turn legal."""
    gaps = [found.start() for found in re.finditer(reader.book.gap, text, re.IGNORECASE)] if reader.book.gap else []
    has_die = gaps and _IN_WORDS.search(text) and re.search(rf"(?<!\w)(?:{reader.parser.regexp('NUMBER')})", text)
    if has_die or not pending.fills or not 0 < len(gaps) <= _MOST_GAPS:
        return text

    def fill(fillers: Sequence[str]) -> tuple[str, tuple[Any, ...]]:
        filled = text
        for gap, filler in reversed(list(zip(gaps, fillers, strict=True))):
            filled = f"{filled[:gap]}{filler}{filled[gap:]}"
        return filled, tuple(move for span in find_spans(reader, masked(filled)) for move in span.moves)

    def is_legal(moves: Sequence[Any]) -> bool:
        return bool(moves) and pending.allows(write_moves(game, tuple(moves)))

    choices = reader.book.fillers
    firsts: Sequence[str] = choices
    if len(gaps) > 1:
        # Moves are judged one after the other, so what makes the first of them illegal need not be tried any further.
        apart = {first: [fill((first, *rest))[1] for rest in ((choices[0],), (choices[-1],))] for first in choices}
        same = {
            first: takewhile(lambda pair: pair[0] == pair[1], zip(*both, strict=False)) for first, both in apart.items()
        }
        firsts = [first for first, pairs in same.items() if is_legal([move for move, _ in pairs])]
    tried = (fill(fillers) for fillers in product(firsts, *[choices] * (len(gaps) - 1)))
    legal = [filled for filled, moves in tried if is_legal(moves)]
    return legal[0] if len(legal) == 1 else text
