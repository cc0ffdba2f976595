"""From a chunk to headers or entries, word by word.

Everything that is not plain canonical text comes here. The grammar of records says what a chunk is made of; this
module makes entries of it, asks the game's phrases for the moves and finds the place of each remark among them.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import filterfalse, groupby
from typing import Any, Final, NamedTuple

from notation.chunks import Chunk, record_parser
from notation.explain import FaultLog
from notation.headers import unbrace, unquote
from notation.lalr.parser import LexToken, Unexpected
from notation.lookalikes import plain
from notation.phrases import Phrases, PlacedPhrase
from notation.record import ABOVE, ANNOTATION, COMMENT, GLYPH, VARIATION, Entry, Remark, Words

_GLYPHS: Final = {"$1": "!", "$2": "?", "$3": "!!", "$4": "??", "$5": "!?", "$6": "?!"}
"""Judgements that have a sign as well as a number."""

_HEAD: Final = re.compile(r"([0-9]*)[ .]*(.*?) *:")
_BETWEEN: Final = " ,;"
"""What may stand around a phrase and says nothing."""


class ParsedHead(NamedTuple):
    """Who speaks in an entry: the seat's proper name, phrases that are known, and the reader of others, if any."""

    name: str
    known: Mapping[str, tuple[Any, ...]]
    reader: Phrases | None


class ParsedTurns(NamedTuple):
    """The entries of a line, or the remarks on a line that has none."""

    entries: tuple[Entry, ...] = ()
    remarks: tuple[Remark, ...] = ()


class _Node(NamedTuple):
    """A rule of the record's grammar, and what it was found to hold."""

    rule: str
    parts: Sequence[Any]

    @property
    def start(self) -> int:
        """Where it begins."""
        start: int = self.parts[0].start
        return start


def read_headers(chunk: Chunk, fault_log: FaultLog) -> list[tuple[str, str]]:
    """The headers of a chunk: names and values."""
    tree = record_parser().parse(plain(chunk.text), "headers", _node)
    if isinstance(tree, Unexpected):
        fault_log.misread_headers(tree)
        return []
    return [(name.text, unquote(value.text)) for name, value in (header.parts for header in tree.parts)]


def read_line(chunk: Chunk, voice: Callable[[str], ParsedHead], fault_log: FaultLog) -> ParsedTurns:
    """The entries and remarks of a chunk."""
    tree = record_parser().parse(plain(chunk.text), "line", _node)
    if isinstance(tree, Unexpected):
        fault_log.misread_line(tree)
        return ParsedTurns()
    return _LineParser(chunk, voice, fault_log).line(tree)


def read_remark(text: str, at: int) -> Remark:
    """A remark that is one word of the grammar: a comment, an annotation or a glyph."""
    if text[0] == "{":
        return Remark(at, COMMENT, unbrace(text))
    if text[0] == "[":
        return Remark(at, ANNOTATION, text[2:-1])
    if text[0] == "$":
        text = f"${int(text[1:])}"
    return Remark(at, GLYPH, _GLYPHS.get(text, text))


def put_above(remarks: Iterable[Remark], entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries, with remarks that stand above the first of them."""
    first, *others = entries
    return (first._replace(remarks=(*remarks, *first.remarks)), *others)


class _LineParser:
    """Reads the tree of one chunk."""

    def __init__(self, chunk: Chunk, voice: Callable[[str], ParsedHead], fault_log: FaultLog) -> None:
        self._chunk = chunk
        self._voice = voice
        self._fault_log = fault_log
        self._line_ends = [found.start() for found in re.finditer("\n", chunk.text)]

    def line(self, line: _Node) -> ParsedTurns:
        """The entries of a line. What stands before the first of them stands above it."""
        above = tuple(self._remarks(filterfalse(_is_turn, line.parts), lambda _: ABOVE))
        entries = [entry for entry in map(self._entry, filter(_is_turn, line.parts)) if entry is not None]
        return ParsedTurns(put_above(above, entries)) if entries else ParsedTurns((), above)

    def _entry(self, turn: _Node) -> Entry | None:
        head, *parts = turn.parts
        number, who = _head(head.text)
        name, _, reader = self._voice(who)
        words, remarks = list(filter(_is_word, parts)), list(filterfalse(_is_word, parts))
        placed = _spell_out(words, remarks) if reader is None else self._ask(reader, head, words)
        if placed is None:
            return None
        if not placed.moves:
            self._fault_log.note("NT-T2", head.end, read="", expected=("a move",))
            return None
        said = tuple(self._remarks(remarks, lambda part: bisect_right(placed.ends, part.start)))
        return Entry(number, name, placed.moves, said, self._chunk.line + bisect_right(self._line_ends, head.start))

    def _ask(self, reader: Phrases, head: LexToken, words: Sequence[LexToken]) -> PlacedPhrase | None:
        """The moves of a turn and where they end in the chunk. To the game, remarks between its words are blanks."""
        begin = words[0].start if words else head.end
        said = ""
        for word in words:
            said += " " * (word.start - begin - len(said)) + word.text
        phrase = said.strip(_BETWEEN)
        if not phrase:
            return PlacedPhrase((), ())
        begin += said.index(phrase)
        read = reader.parse(phrase)
        if isinstance(read, Unexpected):
            self._fault_log.misread_phrase(read, phrase, begin, reader=reader, head=" ".join(head.text.split()))
            return None
        return PlacedPhrase(read.moves, tuple(begin + end for end in read.ends))

    def _remarks(self, parts: Iterable[Any], place: Callable[[Any], int]) -> Iterator[Remark]:
        for part in parts:
            if isinstance(part, LexToken):
                yield read_remark(part.text, place(part))
            else:
                entries = self._variation(part)
                if entries:
                    yield Remark(place(part), VARIATION, entries)

    def _variation(self, variation: _Node) -> tuple[Entry, ...]:
        """The turns of a variation; remarks after the last one are the last one's."""
        entries: list[Entry] = []
        loose: list[Remark] = []
        told = self._fault_log.count
        for each in variation.parts[1:]:
            line = self.line(each)
            if line.entries:
                entries += put_above(loose, line.entries)
                loose = []
            else:
                loose += line.remarks
        if not entries:
            if self._fault_log.count == told:
                self._fault_log.note("NT-R4", variation.start, expected=("a turn between ( and )",))
            return ()
        last = entries.pop()
        after = tuple(remark._replace(at=len(last.moves)) for remark in loose)
        return (*entries, last._replace(remarks=last.remarks + after))


def _spell_out(words: Sequence[LexToken], remarks: Sequence[Any]) -> PlacedPhrase:
    """The words of an unknown game, as they stand; remarks separate them."""
    breaks = [remark.start for remark in remarks]
    runs = [list(run) for _, run in groupby(words, lambda word: bisect_right(breaks, word.start))]
    said = [(" ".join(word.text for word in run).strip(_BETWEEN), run[-1].end) for run in runs]
    return PlacedPhrase(tuple(Words(text) for text, _ in said if text), tuple(end for text, end in said if text))


def _head(text: str) -> tuple[int | None, str]:
    """The number and the seat at the beginning of a turn."""
    found = _HEAD.match(text)
    number, who = found.groups() if found else ("", text)
    return int(number) if number else None, who.lower()


def _is_turn(part: Any) -> bool:
    return isinstance(part, _Node) and part.rule != "variation"


def _is_word(part: Any) -> bool:
    return isinstance(part, LexToken) and part.kind == "WORD"


def _node(rule: str, parts: Sequence[Any], _end: int) -> _Node:
    return _Node(rule, parts)
