"""The words of a record that a refusal is about: which line, and from where to where in it.

The user's own line is quoted where it is at hand and plain enough to point into, else the entry as it would be
written in canonical form.
"""

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from notation.lalr.automaton import Unexpected
from notation.phrases import Phrases, phrases
from notation.table_words import WORDS, table

if TYPE_CHECKING:
    from engine.game import Game
    from notation.record import Entry, Record
    from pbem.archive.source import Source
    from pbem.judging.refusal import Refusal

_REMARK: Final = re.compile(r"[{(\[!?$]")
"""What begins something beside the moves."""
_BETWEEN: Final = " \t,;"


class Quote(NamedTuple):
    """A line of text and the part of it that is meant.

    `column` counts from 1; 0 says that the text is not the user's own line but its canonical form.
    """

    line: int
    column: int
    text: str
    start: int
    length: int


def quote(refusal: "Refusal", record: "Record", source: "Source", first: int) -> Quote:
    """The words that a refusal is about, in a record whose text begins in line `first`."""
    if refusal.entry is None:
        return _quote_header(refusal.header, source, first)
    entry = refusal.entry
    reader = _reader(record, entry)
    text = source.quote(entry.line)
    span = _span(reader, entry, refusal.move, text) if text is not None else None
    if text is None or span is None:
        return _canonical(reader, entry._replace(number=refusal.turn), refusal.move)
    start, end = span
    return Quote(entry.line, start + 1, text, start, end - start)


def quote_phrase(game: "Game[Any]", entry: "Entry", move: int | None) -> Quote:
    """An entry that stands in no file, with one of its moves meant."""
    return _canonical(phrases(game.key), entry, move)


def _quote_header(name: str | None, source: "Source", first: int) -> Quote:
    number = first
    while (text := source.quote(number)) is not None and text.lstrip().startswith("["):
        if name is None or re.match(rf"\s*\[\s*{re.escape(name)}\b", text, re.IGNORECASE):
            return Quote(number, 1, text, 0, len(text))
        number += 1
    return Quote(first, 0, f"[{name}]" if name else "", 0, 0)


def _reader(record: "Record", entry: "Entry") -> Phrases | None:
    return table(entry.who) if entry.who in WORDS else phrases(record.header("Game") or "")


def _span(reader: Phrases | None, entry: "Entry", move: int | None, text: str) -> tuple[int, int] | None:
    """Where a move (or the whole entry) stands in its line, or None when the line is not that plain."""
    if move is None:
        return len(text) - len(text.lstrip()), len(text.rstrip())
    head, _, rest = text.partition(":")
    placed = reader.place(_REMARK.split(rest)[0]) if reader is not None else None
    if placed is None or isinstance(placed, Unexpected) or placed.moves[: move + 1] != entry.moves[: move + 1]:
        return None
    start = placed.ends[move - 1] if move else 0
    start += len(rest[start:]) - len(rest[start:].lstrip(_BETWEEN))
    return len(head) + 1 + start, len(head) + 1 + placed.ends[move]


def _canonical(reader: Phrases | None, entry: "Entry", move: int | None) -> Quote:
    head = f"{entry.number}. {entry.who}: "
    whole = _phrase(reader, entry.moves)
    start, end = 0, len(whole)
    if move is not None:
        before, through = (_phrase(reader, entry.moves[:count]) for count in (move, move + 1))
        if whole.startswith(through) and through.startswith(before):
            start, end = len(through) - len(through[len(before) :].lstrip(_BETWEEN)), len(through)
    return Quote(entry.line, 0, head + whole, len(head) + start, end - start)


def _phrase(reader: Phrases | None, moves: tuple[Any, ...]) -> str:
    return reader.book.phrase(moves) if reader is not None and moves else ""
