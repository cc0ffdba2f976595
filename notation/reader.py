"""From lines to records, one game at a time.

Most lines of most records are plain and canonical: turns made of pieces that were all read before, or lines that one
regular expression out of the grammar recognises as such. All others are read word by word (`turns.py`). Both ways mean
the same, and no text makes this module raise: what cannot be read is in the faults of the Reading of its game. How much
text a game may have is limited here; annotations count apart from everything else.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple

from engine.game import CHANCE
from notation import chunks, headers
from notation.chunks import BOM, HEADER, NEW_GAME, Chunk, LineSource, is_blank, record_parser
from notation.explain import FaultLog
from notation.faults import Fault
from notation.headers import quote
from notation.lalr.parser import Unexpected
from notation.lookalikes import literals
from notation.phrases import Phrases, cache_phrase, phrases
from notation.record import SEAT, Entry, Record, Remark
from notation.table_words import WORDS, table
from notation.turns import ParsedHead, put_above, read_headers, read_line, read_remark


class Size(NamedTuple):
    """Characters of a text besides its annotations, and those of the annotations."""

    plain: int
    annotations: int


def measure(text: str) -> Size:
    """The size of a text."""
    if "[%" not in text:
        return Size(len(text), 0)
    sizes = [len(each) for each in literals(text) if each.startswith("[%")]
    return Size(len(text) - sum(sizes), sum(max(size, chunks.ANNOTATION) for size in sizes))


_EXAMPLES: Final = "through-the-desert"
"""The game of which the rules of the notation give examples."""

_NOT_UTF8: Final = re.compile("[\ud800-\udfff]")
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_make_entry: Final[Callable[[tuple[object, ...]], Entry]] = partial(tuple.__new__, Entry)
"""An Entry of all its parts, in a third of the time that a named tuple takes: an archive has millions of them."""


class Reading(NamedTuple):
    """One game of a file: its record, or the faults that kept it from being one. `line` is where it begins."""

    record: Record | None
    faults: tuple[Fault, ...]
    line: int


class _Head(NamedTuple):
    """The beginning of a turn, ``13. red``: its number and seat, and what is known of all that may follow."""

    number: int
    name: str
    known: Mapping[str, tuple[object, ...]]
    recall: Callable[[str], tuple[object, ...] | None]


@lru_cache(maxsize=64)
def _heads(key: str | None) -> dict[str, _Head]:
    """The beginnings of turns that were read in games called `key`."""
    return {}


class GameInHand:
    """A game that is being read."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.is_given_up = False
        """Set when there is too much of something: the rest of the game is passed over."""
        self._headers: list[tuple[str, str, Chunk]] = []
        self._game: str | None = None
        self._entries: list[Entry] = []
        self._loose: list[Remark] = []
        """Remarks that wait for the entry below them."""
        self._unheard: list[Chunk] = []
        """Lines of remarks before it is known which game is played: their variations may be of it."""
        self._faults: list[Fault] = []
        self._voices: dict[str, ParsedHead] = {}
        self._heads: dict[str, _Head] = {}
        self._has_turns = False
        self._after_blank = False
        self._room = chunks.GAME
        self._margin = chunks.ANNOTATIONS

    @property
    def is_empty(self) -> bool:
        """True while nothing has been read."""
        return not (self._headers or self._entries or self._loose or self._unheard or self._faults)

    def ends_before(self, header: str) -> bool:
        """Whether a line of headers belongs to the next game: after turns, or with a new Format after a blank line."""
        return self._has_turns or (self._after_blank and bool(self._headers) and NEW_GAME.match(header) is not None)

    def take_blank(self) -> None:
        """Take an empty line."""
        self._after_blank = True

    def take_known(self, turn: str, line: int) -> bool:
        """Take a turn that begins and goes on like others that were read before; False for any other line."""
        head, _, phrase = turn.partition(": ")
        begun = self._heads.get(head)
        size = len(turn)
        if begun is None or self._loose or size > self._room or size > chunks.LINE:
            return False
        number, name, known, recall = begun
        moves = known.get(phrase) or recall(phrase)
        if moves is None:
            return False
        self._entries.append(_make_entry((number, name, moves, (), line)))
        self._room -= size
        return True

    def take_turn(self, turn: str, remarks: str, line: int) -> bool:
        """Take a turn in plain form, with the remarks after it; False when it must be read carefully after all."""
        size, beside = measure(remarks)
        size += len(turn)
        too_long = len(turn) + len(remarks) > chunks.LINE or size > self._room or beside > self._margin
        if self._loose or self._unheard or too_long:
            return False
        number, _, said = turn.partition(". ")
        who, _, phrase = said.partition(": ")
        name, known, reader = self._voices.get(who) or self._voice(who)
        if remarks:
            if not remarks.isprintable():
                return False
            phrase = phrase.rstrip()
        moves = reader.read(phrase) if reader is not None else None
        if reader is None or moves is None or isinstance(moves, Unexpected):
            return False
        spoken = _read_remarks(remarks, len(moves)) if remarks else ()
        self._entries.append(_make_entry((int(number), name, moves, spoken, line)))
        self._heads = _heads(self._key)
        cache_phrase(self._heads, f"{number}. {who}", _Head(int(number), name, known, reader.read_cached))
        self._room -= size
        self._margin -= beside
        self._has_turns = True
        return True

    def take_headers(self, chunk: Chunk, *, plain: bool) -> None:
        """Take a line of headers."""
        self._after_blank = False
        if not self._has_room(chunk):
            return
        if plain and len(chunk.text) <= chunks.LINE:
            name, _, value = chunk.text[1:-2].partition(' "')
            self._headers.append((name, value, chunk))
            return
        fault_log = self._fault_log(chunk)
        if self._is_sound(chunk, fault_log):
            self._headers += [(name, value, chunk) for name, value in read_headers(chunk, fault_log)]

    def take_line(self, chunk: Chunk) -> None:
        """Take a chunk of turns and remarks, in any form."""
        self._after_blank = False
        if not self._has_room(chunk):
            return
        before = len(self._faults)
        fault_log = self._fault_log(chunk)
        if chunk.fault:
            fault_log.unclosed(chunk.fault, chunk.at)
        elif self._is_sound(chunk, fault_log):
            self._take_remarks_and_turns(chunk, fault_log)
        self._has_turns = self._has_turns or bool(self._entries) or len(self._faults) > before
        if len(self._faults) >= chunks.FAULTS:
            self._give_up(chunk, "NT-F5")

    def _take_remarks_and_turns(self, chunk: Chunk, fault_log: FaultLog) -> None:
        if self._unheard and self._key is not None:
            self._hear()
        before = len(self._faults)
        entries, remarks = read_line(chunk, self._voice, fault_log)
        if entries:
            # Headers are over: the game is known by now, or never.
            self._hear()
            self._entries += put_above(self._loose, entries)
            self._loose = []
        elif self._key is not None or self._entries:
            self._loose += remarks
        elif len(self._faults) == before:
            self._unheard.append(chunk)

    def _hear(self) -> None:
        """Read the remarks that stood above the headers, by the notation of the game that these have named."""
        unheard, self._unheard = self._unheard, []
        for chunk in unheard:
            self._loose += read_line(chunk, self._voice, self._fault_log(chunk)).remarks

    def reading(self) -> Reading:
        """What has become of the game."""
        self._hear()
        named = self._named_headers()
        faults = tuple(sorted(self._faults, key=lambda fault: (fault.line, fault.column)))
        record = (
            None if faults else Record(headers.sort_headers(named.items()), tuple(self._entries), tuple(self._loose))
        )
        return Reading(record, faults, self.line)

    @property
    def _key(self) -> str | None:
        """What the Game header says, once it was read."""
        if self._game is None:
            self._game = next((value for name, value, _ in self._headers if name.lower() == "game"), None)
        return self._game

    @property
    def _reader(self) -> Phrases | None:
        return None if self._key is None else phrases(self._key)

    def _voice(self, who: str) -> ParsedHead:
        """Who is meant by a word before the colon, and how to read what follows it."""
        voice = self._voices.get(who)
        if voice is None:
            reader = table(who, self._key) if who in WORDS else self._reader
            name = who if reader is None or who in (*WORDS, CHANCE) else reader.seat(who)
            voice = ParsedHead(name, {} if reader is None else reader.known, reader)
            if self._key is not None:
                self._voices[who] = voice
        return voice

    def _named_headers(self) -> dict[str, str]:
        """The headers under their proper names, with faults for those that cannot stand."""
        given: dict[str, str] = {}
        proper = headers.proper_names(self._key)
        for written, value, chunk in self._headers:
            name = proper.get(written) or proper.get(written.lower(), written)
            if name[: len(SEAT)].lower() == SEAT.lower():
                name = SEAT + self._voice(name[len(SEAT) :].lower()).name
            if name in given:
                example = f"[{name} {quote(given[name])}]"
                self._fault_log(chunk).note("NT-H2", chunk.text.find("[") + 1, read=written, example=example)
                continue
            given[name] = value
            if name == "Format" and value != headers.FORMAT:
                self._fault_log(chunk).note("NT-H3", chunk.text.find('"') + 1, read=value, expected=(headers.FORMAT,))
        return given

    def _is_sound(self, chunk: Chunk, fault_log: FaultLog) -> bool:
        """Whether the chunk is made of lines and characters that a record may hold."""
        begin = 0
        for line in chunk.text.split("\n"):
            if len(line) > chunks.LINE:
                fault_log.note("NT-F3", begin + chunks.LINE, read="")
                return False
            begin += len(line) + 1
        foreign = _NOT_UTF8.search(chunk.text)
        control = _CONTROL.search(chunk.text)
        if foreign:
            byte = ord(foreign[0]) & 0xFF
            fault_log.note("NT-F1", foreign.start(), read=f"byte {byte:02x}", expected=("UTF-8 text",))
        elif control:
            fault_log.note("NT-F2", control.start(), read=f"character {ord(control[0])}")
        return not foreign and not control

    def _has_room(self, chunk: Chunk) -> bool:
        """Whether the chunk still fits into a game; if it does not, the game is given up."""
        size, beside = measure(chunk.text)
        self._room -= size
        self._margin -= beside
        fits = self._room >= 0 and self._margin >= 0
        if not fits and not self.is_given_up:
            self._give_up(chunk, "NT-F4")
        return fits

    def _give_up(self, chunk: Chunk, code: str) -> None:
        self._fault_log(chunk).note(code, 0, read="", last=True)
        self.is_given_up = True

    def _fault_log(self, chunk: Chunk) -> FaultLog:
        """A list for the faults of a chunk. The rules' own examples are of one game; another shows its own."""
        reader = None if self._key == _EXAMPLES else self._reader
        return FaultLog(chunk, self._faults, example="" if reader is None else f"1. red: {reader.book.example}")


def _read_remarks(text: str, at: int) -> tuple[Remark, ...]:
    return tuple([read_remark(word, at) for word in _remark().findall(text)])


@cache
def _remark() -> re.Pattern[str]:
    return re.compile(record_parser().regexp("COMMENT", "ANNOTATION", "GLYPH"))


def read_text(text: str) -> list[Reading]:
    """All games in a text."""
    return list(read_games(text.split("\n")))


def read_games(lines: Iterable[str]) -> Iterator[Reading]:
    """The games in some lines, one after the other; only the one being read is held in memory.

    Nothing that is read refers to itself, so who reads an archive may switch the garbage collector off meanwhile.
    """
    return iter(GameStream(lines))


class GameStream:
    """The games in some lines, or in a piece of them: those that begin in line `first` or later and before `until`.

    A piece must begin with a game, and its lines go on behind it, because its last game may. `no_comment_ends_before`
    is what the piece before it has left; together with `next_line` it makes pieces mean what the whole means.
    """

    def __init__(
        self, lines: Iterable[str], *, first: int = 1, until: int | None = None, no_comment_ends_before: int = 0
    ) -> None:
        self._source = LineSource(lines, first, no_comment_ends_before)
        self._first = first
        self._until = until
        self.next_line: int | None = first
        """Where the game begins that follows the one given last; None after the last one of all."""

    @property
    def no_comment_ends_before(self) -> int:
        """The line up to which it is known that no comment ends."""
        return self._source.no_comment_ends_before

    def __iter__(self) -> Iterator[Reading]:
        source = self._source
        is_plain = re.compile(record_parser().regexp("PLAIN_HEADER")).fullmatch
        game = GameInHand(self._first)
        for line in source.lines:
            if line is None:
                break
            if game.take_known(line, source.number):
                continue
            line = line.removeprefix(BOM)
            if HEADER.match(line):
                if game.ends_before(line):
                    self.next_line = source.number
                    yield game.reading()
                    if self._until is not None and source.number >= self._until:
                        return
                    game = GameInHand(source.number)
                    source.single = False
                game.take_headers(Chunk(source.number, line), plain=is_plain(line) is not None)
            elif is_blank(line):
                game.take_blank()
            elif not _take_plain(game, line, source.number) and not game.is_given_up:
                game.take_line(source.gather(line))
        self.next_line = None
        if not game.is_empty:
            yield game.reading()


def _take_plain(game: GameInHand, line: str, number: int) -> bool:
    """Give a game a turn in plain form, with or without remarks after it; False when it must be read carefully."""
    found = _plain_turn()(line)
    return found is not None and game.take_turn(found[1], found[2] or "", number)


@cache
def _plain_turn() -> Callable[[str], re.Match[str] | None]:
    """Recognises a turn in plain form, and parts its remarks from it."""
    turn, remarks = record_parser().regexp("PLAIN_TURN"), record_parser().regexp("PLAIN_REMARKS")
    return re.compile(f"({turn})({remarks})?").fullmatch
