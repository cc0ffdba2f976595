"""A record as JSON and back, with nothing lost: what a program reads that shall not need our grammars.

Moves are their canonical clauses, so every language can split and compare them. Reading goes through text to the one
reader of records: there is no second grammar, and whoever writes JSON by hand may write as leniently as in a letter.
What has no place in a record is listed, never dropped in silence.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, NotRequired, TypedDict

from notation import ABOVE, ANNOTATION, COMMENT, GLYPH, VARIATION, Entry, Record, Remark, Words, read_text
from notation.faults import Fault, printable
from notation.headers import brace, quote
from notation.phrasebook import Phrasebook, find_phrasebook
from notation.table_words import BOOK, WORDS

FORM: Final = "caravan-post-record/1"
"""What the key `form` says; a later form that a reader of this one would misread has another number."""


class RemarkInJson(TypedDict):
    """Something said beside the game, and one of four kinds of it.

    `at` counts the entry's moves that stand before it: 0 before the first move, -1 above the entry itself. `glyph` is
    a sign such as `!?` or `$10`, `annotation` what stands between `[%` and `]`, `variation` what might have been
    played.
    """

    at: int
    comment: NotRequired[str]
    glyph: NotRequired[str]
    annotation: NotRequired[str]
    variation: NotRequired["list[EntryInJson]"]


class EntryInJson(TypedDict):
    """A turn, chance settled, or a word of the table such as `end`; `moves` are canonical clauses."""

    turn: int | None
    who: str
    moves: list[str]
    remarks: NotRequired[list[RemarkInJson]]


class RecordInJson(TypedDict):
    """One game. `headers` are pairs, because the order of seats is seat order; `afterword` follows the last entry."""

    form: str
    headers: list[tuple[str, str]]
    entries: list[EntryInJson]
    afterword: NotRequired[list[RemarkInJson]]


class Unmapped(NamedTuple):
    """Something that was given and has no place in a record: where it stood, and what it was."""

    place: str
    what: str


class JsonReading(NamedTuple):
    """The record that JSON tells, or why it tells none, each reason with its place; and what was left out."""

    record: Record | None
    problems: tuple[str, ...] = ()
    unmapped: tuple[Unmapped, ...] = ()


def record_to_json(record: Record) -> RecordInJson:
    """A record as plain data."""
    game = record.header("Game")
    book = None if game is None else find_phrasebook(game)
    made: RecordInJson = {
        "form": FORM,
        "headers": list(record.headers),
        "entries": [_entry(entry, book) for entry in record.entries],
    }
    if record.afterword:
        made["afterword"] = _remarks(record.afterword, book)
    return made


def clauses(entry: Entry, book: Phrasebook | None) -> list[str]:
    """Every move of an entry by itself, in canonical form."""
    spoken = BOOK if entry.who in WORDS else book
    return [move.text if isinstance(move, Words) or spoken is None else spoken.phrase((move,)) for move in entry.moves]


def _entry(entry: Entry, book: Phrasebook | None) -> EntryInJson:
    made: EntryInJson = {"turn": entry.number, "who": entry.who, "moves": clauses(entry, book)}
    if entry.remarks:
        made["remarks"] = _remarks(entry.remarks, book)
    return made


def _remarks(remarks: Iterable[Remark], book: Phrasebook | None) -> list[RemarkInJson]:
    return [_remark(remark, book) for remark in remarks]


def _remark(remark: Remark, book: Phrasebook | None) -> RemarkInJson:
    if remark.kind == VARIATION:
        return {"at": remark.at, "variation": [_entry(entry, book) for entry in remark.value]}
    if remark.kind == COMMENT:
        return {"at": remark.at, "comment": remark.value}
    return {"at": remark.at, "glyph": remark.value} if remark.kind == GLYPH else _annotation(remark)


def _annotation(remark: Remark) -> RemarkInJson:
    return {"at": remark.at, "annotation": remark.value}


def record_from_json(given: object) -> JsonReading:
    """The record that plain data tell."""
    text = _Text()
    try:
        text.take(given)
    except _Misshapen as wrong:
        return JsonReading(None, (str(wrong),), tuple(text.unmapped))
    readings = read_text(text.text)
    faults = [fault for reading in readings for fault in reading.faults]
    if faults:
        return JsonReading(None, tuple(map(text.explain, faults)), tuple(text.unmapped))
    record = readings[0].record if len(readings) == 1 else Record() if not readings else None
    if record is None or (len(record.headers), len(record.entries)) != (text.headers, text.entries):
        return JsonReading(None, ("it is not one game",), tuple(text.unmapped))
    return JsonReading(record, (), tuple(text.unmapped))


class _Misshapen(Exception):  # noqa: N818 - it is what the data are
    """Raised inside this module where data are not of the form; callers get it as a value."""


_WHO: Final = re.compile(r"[*]|[^\W\d][\w-]*")
_NAME: Final = re.compile(r"[^\W\d][\w.-]*")
_GLYPH: Final = re.compile(r"!!|!\?|\?!|\?\?|!|\?|[$][0-9]{1,3}")
_ANNOTATION: Final = re.compile(r"[^\]\\\n]*(?:\\[^\n][^\]\\\n]*)*")
_CLAUSE: Final = re.compile(r"(?:[^\s{}()\[\]!?$|\"]|[ \t]|\"(?:[^\"\\\n]|\\[^\n])*\")+")
_KINDS: Final = (COMMENT, GLYPH, ANNOTATION, VARIATION)


class _Text:
    """The text of a record that is put together from data, and the place in the data that each line is from."""

    def __init__(self) -> None:
        self.unmapped: list[Unmapped] = []
        self.headers = 0
        self.entries = 0
        self._lines: list[str] = []
        self._places: list[str] = []

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self._lines)

    def explain(self, fault: Fault) -> str:
        """A fault, with its place in the data."""
        before = 0
        for line, place in zip(self._lines, self._places, strict=True):
            before += line.count("\n") + 1
            if fault.line <= before:
                return f"{place}: {fault.code} {fault.rule.name}: {printable(fault.read) or 'it ends too early'}"
        return f"{fault.code} {fault.rule.name}"

    def take(self, given: object) -> None:
        """Take a game."""
        game = self._object(given, "the game", ("form", "headers", "entries", "afterword"))
        if game.get("form") != FORM:
            raise _Misshapen(f"the game: its form is {game.get('form')!r}; this reader knows {FORM}")
        for number, pair in enumerate(_list(game.get("headers"), "headers"), start=1):
            self._header(pair, f"header {number}")
        self._add("", "headers")
        for number, entry in enumerate(_list(game.get("entries"), "entries"), start=1):
            self.entries += 1
            self._entry(entry, f"entry {number}")
        for remark in self._placed(game.get("afterword", []), "afterword"):
            self._add(remark.text, "afterword")

    def _header(self, pair: object, place: str) -> None:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(isinstance(each, str) for each in pair):
            raise _Misshapen(f"{place}: a header is a pair of texts, its name and its value")
        name, value = pair
        self.headers += 1
        self._add(f"[{_matching(_NAME, name, f'{place}: name')} {quote(value)}]", place)

    def _entry(self, given: object, place: str) -> None:
        line, above = self._line(given, place)
        for remark in above:
            self._add(remark, place)
        self._add(line, place)

    def _line(self, given: object, place: str) -> tuple[str, list[str]]:
        """An entry as a line, and the remarks that stand above it."""
        entry = self._object(given, place, ("turn", "who", "moves", "remarks"))
        turn = entry.get("turn")
        if turn is not None and (not isinstance(turn, int) or isinstance(turn, bool) or not 0 <= turn < 1_000_000):
            raise _Misshapen(f"{place}: turn {turn!r} is no number of a turn")
        who = _matching(_WHO, entry.get("who"), f"{place}: who")
        moves = [
            _matching(_CLAUSE, each, f"{place}, move {number}")
            for number, each in enumerate(_list(entry.get("moves"), f"{place}: moves"), start=1)
        ]
        remarks = self._placed(entry.get("remarks", []), place)
        if wrong := [remark for remark in remarks if not ABOVE <= remark.at <= len(moves)]:
            raise _Misshapen(f"{place}: a remark stands at {wrong[0].at}, but there are {len(moves)} moves")
        text = f"{who}:" if turn is None else f"{turn}. {who}:"
        for at in range(len(moves) + 1):
            text += (f"{', ' if at > 1 else ' '}{moves[at - 1]}") if at else ""
            text += "".join(f" {remark.text}" for remark in remarks if remark.at == at)
        return text, [remark.text for remark in remarks if remark.at == ABOVE]

    def _placed(self, given: object, place: str) -> list["_Placed"]:
        remarks = enumerate(_list(given, f"{place}: remarks"), start=1)
        return [self._remark(each, f"{place}, remark {number}") for number, each in remarks]

    def _remark(self, given: object, place: str) -> "_Placed":
        remark = self._object(given, place, ("at", *_KINDS))
        kinds = [kind for kind in _KINDS if kind in remark]
        at = remark.get("at")
        if len(kinds) != 1 or not isinstance(at, int) or isinstance(at, bool):
            raise _Misshapen(f"{place}: a remark has a place `at` and one of {', '.join(_KINDS)}")
        value = remark[kinds[0]]
        if kinds[0] == VARIATION:
            return _Placed(at, self._variation(value, place))
        if not isinstance(value, str):
            raise _Misshapen(f"{place}: its {kinds[0]} is no text")
        return _Placed(at, _WRITE[kinds[0]](value, place))

    def _variation(self, given: object, place: str) -> str:
        told = []
        for number, entry in enumerate(_list(given, place), start=1):
            line, above = self._line(entry, f"{place}, entry {number}")
            told.append(" ".join([*above, line]))
        return f"({' | '.join(told)})"

    def _object(self, given: object, place: str, known: tuple[str, ...]) -> Mapping[str, Any]:
        """What `place` holds, with what is not known there put on the list."""
        if not isinstance(given, dict):
            raise _Misshapen(f"{place}: is no object")
        self.unmapped += [
            Unmapped(place, f"{printable(key)}: {_brief(given[key])}") for key in given if key not in known
        ]
        return given

    def _add(self, line: str, place: str) -> None:
        self._lines.append(line)
        self._places.append(place)


class _Placed(NamedTuple):
    """A remark as text, and how many moves stand before it."""

    at: int
    text: str


_WRITE: Final[dict[str, Callable[[str, str], str]]] = {
    COMMENT: lambda value, _: brace(value),
    GLYPH: lambda value, place: _matching(_GLYPH, value, f"{place}: glyph"),
    ANNOTATION: lambda value, place: f"[%{_matching(_ANNOTATION, value, f'{place}: annotation')}]",
}


def _matching(pattern: re.Pattern[str], value: object, place: str) -> str:
    if not isinstance(value, str) or pattern.fullmatch(value) is None:
        raise _Misshapen(f"{place}: {_brief(value)} cannot stand there")
    return value


def _list(given: object, place: str) -> list[Any]:
    if not isinstance(given, list | tuple):
        raise _Misshapen(f"{place}: is no list")
    return list(given)


def _brief(value: object) -> str:
    said = printable(repr(value))
    return said if len(said) <= 60 else f"{said[:59]}…"


def unmapped_lines(name: str, unmapped: Iterable[Unmapped]) -> Iterator[str]:
    """The list of what was left out, one line each: ``games.json, game 3, entry 12: rating: 1500``."""
    return (f"{name}, {each.place}: {each.what}" for each in unmapped)
