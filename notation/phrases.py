"""One phrase: what a seat does in a turn, read by its game's grammar and written in canonical form.

A phrase is parsed once in a process and cached, piece by piece: there are millions of turns, but few things that a
camel can do. This module knows neither numbers nor seats nor remarks.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from notation.lalr.grammar import make_parser
from notation.lalr.parser import LalrParser, LexToken, Unexpected
from notation.lookalikes import plain
from notation.phrasebook import BARE_STANDING, STANDING, Phrasebook, find_phrasebook

_MEMORY: Final = 50_000
"""Pieces remembered before all are forgotten: enough for an archive, and some ten megabytes at most."""

_LONGEST: Final = 100
"""Characters in a piece that is worth remembering."""

_COMMA: Final = ", "
_LETTERS: Final = re.compile(r"[^\W\d_]{3,}")


class PlacedPhrase(NamedTuple):
    """Moves, and where each one ends in the text."""

    moves: tuple[Any, ...]
    ends: tuple[int, ...]


class Phrases:
    """Reads the phrases of one game.

    `known` caches what was read; code that reads many phrases looks there first and calls `read` for the rest.
    """

    def __init__(self, book: Phrasebook, *, start: str = "moves") -> None:
        self.book = book
        self.start = start
        self.known: dict[str, tuple[object, ...]] = {}
        self._seats: dict[str, str] = {}
        self._vocabularies: dict[tuple[str, ...], dict[str, str]] = {}

    @property
    def example(self) -> str:
        """A text that can be read from where this reader starts; a standing order is no move."""
        is_standing = self.start in (STANDING, BARE_STANDING)
        return (self.book.standing_example if is_standing else "") or self.book.example

    @cached_property
    def parser(self) -> LalrParser:
        """The parser of the game's grammar."""
        return make_parser(self.book.grammar, *self.book.starts)

    def read(self, text: str) -> tuple[object, ...] | Unexpected:
        """The moves of a phrase. Its pieces between commas mean the same alone (the rule of phrasebooks)."""
        moves: list[object] = []
        for piece in text.split(_COMMA):
            found = self.known.get(piece) or self._read_piece(piece)
            if isinstance(found, Unexpected):
                if piece == text:
                    return found
                break
            moves += found
        else:
            return tuple(moves)
        whole = self.parse(text)
        if isinstance(whole, Unexpected):
            return whole
        cache_phrase(self.known, text, whole.moves)
        return whole.moves

    def read_cached(self, text: str) -> tuple[object, ...] | None:
        """The moves of a phrase all of whose pieces were read before or are canonical, or None."""
        known, part = self.known, self.book.part
        moves: list[object] = []
        for piece in text.split(_COMMA):
            found = known.get(piece) or self._read_canonical(piece)
            if found is not None:
                moves += found
            elif part is None or len(parts := part(piece)) < 2:
                return None
            else:
                for each in parts:
                    found = known.get(each)
                    if found is None:
                        return None
                    moves += found
        return tuple(moves)

    def _read_piece(self, piece: str) -> tuple[object, ...] | Unexpected:
        """The moves of a piece that was not seen before, if it can be read alone."""
        canonical = self._read_canonical(piece)
        if canonical is not None:
            return canonical
        parts = self.book.part(piece) if self.book.part is not None else ()
        if len(parts) > 1:
            found = [self.known.get(part) or self._read_piece(part) for part in parts]
            if not any(isinstance(each, Unexpected) for each in found):
                return tuple([move for moves in found for move in moves])
        placed = self.parse(piece)
        if isinstance(placed, Unexpected):
            return placed
        cache_phrase(self.known, piece, placed.moves)
        return placed.moves

    def _read_canonical(self, piece: str) -> tuple[object, ...] | None:
        """The move of a piece that is in canonical form and needs no grammar, or None."""
        book = self.book
        if book.canonical is None or self.start != "moves":
            return None
        move = book.canonical(piece)
        if move is None or book.text(move) != piece:
            return None
        moves = (move,)
        cache_phrase(self.known, piece, moves)
        return moves

    def parse(self, text: str) -> PlacedPhrase | Unexpected:
        """The moves of a phrase and where they end."""
        read: PlacedPhrase | Unexpected = self.parser.parse(plain(text), self.start, self._build)
        return read

    def seat(self, word: str) -> str:
        """The seat that a word names; a word that names none comes back in small letters."""
        seat = self._seats.get(word)
        if seat is None:
            seat = word.lower()
            if "seat" in self.book.starts and seat not in self.book.values.values():
                read = self.parser.parse(plain(word), "seat", lambda _rule, parts, _end: self._value(parts[0]))
                seat = seat if isinstance(read, Unexpected) else read
            cache_phrase(self._seats, word, seat)
        return seat

    def vocabulary(self, kinds: tuple[str, ...]) -> Mapping[str, str]:
        """Words of some kinds, as the grammar itself spells them, each with the canonical word for it if it has one."""
        words = self._vocabularies.get(kinds)
        if words is None:
            words = self._vocabularies[kinds] = {}
            for terminal in filter(None, map(self.parser.terminals.get, kinds)):
                canonical = self.book.values.get(terminal.name)
                for word in _LETTERS.findall(terminal.regexp):
                    if re.fullmatch(terminal.regexp, word):
                        words[word] = canonical if isinstance(canonical, str) else word
        return words

    def _build(self, rule: str, parts: Sequence[Any], end: int) -> PlacedPhrase:
        make = self.book.moves.get(rule)
        if make is None:
            return parts[0] if len(parts) == 1 else _join(parts)
        made = make(*[self._value(part) for part in parts])
        if type(made) is not tuple:
            return PlacedPhrase((made,), (end,))
        return PlacedPhrase(made, tuple([part.end for part in parts[-len(made) :]]))

    def _value(self, token: LexToken) -> object:
        value = self.book.values.get(token.kind, token.text)
        return value(token.text) if callable(value) else value


def _join(parts: Iterable[PlacedPhrase]) -> PlacedPhrase:
    moves, ends = list[Any](), list[int]()
    for part in parts:
        moves += part.moves
        ends += part.ends
    return PlacedPhrase(tuple(moves), tuple(ends))


def cache_phrase(memory: dict[str, Any], text: str, meaning: object) -> None:
    """Cache what a text means; a cache that has become too large is emptied."""
    if len(text) > _LONGEST:
        return
    if len(memory) >= _MEMORY:
        memory.clear()
    memory[text] = meaning


@lru_cache(maxsize=64)
def phrases(key: str) -> Phrases | None:
    """The reader for the game called `key`, one in a process; None when it has no phrasebook."""
    book = find_phrasebook(key)
    return None if book is None else Phrases(book)
