"""From records to canonical text: one way to write each thing, and every byte decided.

`read` after `write` gives the same record, `write` after `read` the canonical form of any text. Headers stand in
their order, then an empty line, then a line for each entry; what stands above an entry has lines of its own. Lines
are not wrapped.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from engine.game import GameRules
from notation import headers, table_words
from notation.headers import brace, quote
from notation.phrasebook import Phrasebook, find_phrasebook
from notation.record import ABOVE, ANNOTATION, COMMENT, GLYPH, VARIATION, Entry, Record, Remark, Words


def write_record(record: Record) -> str:
    """The canonical text of a record."""
    book = _book(record.header("Game"))
    top = [f"[{name} {quote(value)}]" for name, value in headers.sort_headers(record.headers)]
    body = [line for entry in record.entries for line in _lines(entry, book)]
    body += [_remark(remark, book) for remark in record.afterword]
    return "".join(f"{line}\n" for line in [*top, *([""] if top and body else []), *body])


def write_games(records: Iterable[Record]) -> Iterator[str]:
    """The canonical text of a file of several games, piece by piece: an empty line parts them."""
    for index, record in enumerate(records):
        yield ("\n" if index else "") + write_record(record)


def write_moves(game: GameRules, moves: Iterable[object]) -> str:
    """The canonical text of one turn: ``lilac F4, salmon C9``."""
    return _phrase(tuple(moves), _book(game.key))


def write_entry(entry: Entry, game: GameRules | None) -> str:
    """The canonical text of one entry, with all that is said about it."""
    return "\n".join(_lines(entry, _book(game.key if game else None)))


def _book(key: str | None) -> Phrasebook | None:
    return None if key is None else find_phrasebook(key)


def _lines(entry: Entry, book: Phrasebook | None) -> Iterator[str]:
    """The remarks above an entry, then the entry."""
    for remark in entry.remarks:
        if remark.at == ABOVE:
            yield _remark(remark, book)
    yield _line(entry, book)


def _line(entry: Entry, book: Phrasebook | None) -> str:
    """An entry: each remark right after the moves before it, signs like ! close to their move."""
    moves, written = entry.moves, 0
    spoken = table_words.BOOK if entry.who in table_words.WORDS else book
    text = f"{entry.who}:" if entry.number is None else f"{entry.number}. {entry.who}:"
    for remark in sorted(entry.remarks, key=lambda remark: remark.at):
        if remark.at == ABOVE:
            continue
        if remark.at > written:
            text += _joint(written) + _phrase(moves[written : remark.at], spoken)
            written = remark.at
            if remark.kind == GLYPH and not remark.value.startswith("$"):
                text += remark.value
                continue
        text += f" {_remark(remark, book)}"
    return text + _joint(written) + _phrase(moves[written:], spoken) if moves[written:] else text


def _joint(written: int) -> str:
    return ", " if written else " "


def _phrase(moves: tuple[Any, ...], book: Phrasebook | None) -> str:
    if book is None or isinstance(moves[0], Words):
        return ", ".join(str(move.text) for move in moves)
    return book.phrase(moves)


def _remark(remark: Remark, book: Phrasebook | None) -> str:
    if remark.kind == COMMENT:
        return brace(remark.value)
    if remark.kind == ANNOTATION:
        return f"[%{remark.value}]"
    if remark.kind == VARIATION:
        return "(" + " | ".join(" ".join(_lines(entry, book)) for entry in remark.value) + ")"
    return str(remark.value)
