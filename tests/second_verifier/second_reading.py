"""The text of a record, taken apart: headers, entries, and the annotations beside them.

Only canonical form is read, as far as it can be told without the games' grammars; the moves of an entry are a text.
What the annotations mean is not known here.
"""

import re
from typing import Any, NamedTuple, cast

from tests.second_verifier.second_writing import RecordError

LONGEST_LINE = 262_144
LONGEST_GAME = 2_097_152
ALL_ANNOTATIONS = 33_554_432
ONE_ANNOTATION = 128

HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9.\-_]*) "((?:[^"\\]|\\.)*)"\]\Z')
ENTRY = re.compile(r"([1-9][0-9]{0,5})\. ([a-z*]+): ")
ANNOTATION = re.compile(r"\[%([a-z]+) ((?:[^\]\\]|\\.)*)\]")
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
MOVES = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^"\[\]{}()!?$|])*')


class Annotation(NamedTuple):
    """`[%name text]`, the escapes taken out of the text, and its line."""

    name: str
    text: str
    line: int


class Entry(NamedTuple):
    """A turn, or what happened to the table: number, who, moves, and the annotations behind them."""

    number: int
    who: str
    moves: str
    annotations: list[Any]
    line: int


class Record(NamedTuple):
    """Headers in their order, and what stands below: entries, and annotations on lines of their own."""

    headers: list[Any]
    body: list[Any]


def read(text: Any) -> Any:
    """The record in a text; RecordError where it is not canonical."""
    lines = lines_of(text)
    gap = lines.index("") if "" in lines else len(lines)
    if gap + 1 >= len(lines) or "" in lines[gap + 1 :]:
        raise RecordError("form", gap + 1, "headers, an empty line and the game make a record")
    headers = [read_header(line, number) for number, line in enumerate(lines[:gap], 1)]
    if len({name.lower() for name, _ in headers}) != len(headers):
        raise RecordError("form", 1, "a header stands twice")
    return Record(headers, [read_line(line, number) for number, line in enumerate(lines[gap + 1 :], gap + 2)])


def lines_of(text: Any) -> Any:
    annotations = [len(found[0]) for found in ANNOTATION.finditer(text)]
    besides = sum(max(length, ONE_ANNOTATION) for length in annotations)
    if not text.endswith("\n") or len(text) - sum(annotations) > LONGEST_GAME or besides > ALL_ANNOTATIONS:
        raise RecordError("form", 1, "the text has no end, or none in sight")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise RecordError("form", 1, "the text is not UTF-8") from error
    lines = text[:-1].split("\n")
    for number, line in enumerate(lines, 1):
        if FORBIDDEN.search(line) or line.startswith("\ufeff") or len(line) > LONGEST_LINE:
            raise RecordError("form", number, "a character, or a number of them, that has no place in a record")
    return lines


def read_header(line: Any, number: Any) -> Any:
    found = HEADER.match(line)
    if not found or quoted(unquoted(found[2])) != f'"{found[2]}"':
        raise RecordError("form", number, "this is no header in canonical form")
    return found[1], unquoted(found[2])


def read_line(line: Any, number: Any) -> Any:
    """An entry, or an annotation that has the line for itself."""
    found = ENTRY.match(line)
    if not found:
        alone = read_annotations(line, number)
        if len(alone) != 1:
            raise RecordError("form", number, "this is neither an entry nor one annotation")
        return alone[0]
    moves = cast("re.Match[str]", MOVES.match(line, found.end()))[0]
    rest = line[found.end() + len(moves) :]
    if rest and moves.endswith(" "):
        moves = moves[:-1]
    elif rest:
        raise RecordError("form", number, "a blank stands between moves and annotations")
    if not moves or moves != moves.strip(" \t"):
        raise RecordError("form", number, "the moves of this entry are not in canonical form")
    return Entry(int(found[1]), found[2], moves, read_annotations(rest, number) if rest else [], number)


def read_annotations(text: Any, number: Any) -> Any:
    """The annotations that make up a text, with a blank between one and the next."""
    found, place = [], 0
    while True:
        one = ANNOTATION.match(text, place)
        if not one or not one[0].isascii():
            raise RecordError("form", number, "an annotation cannot be read")
        found.append(Annotation(one[1], plain(one[2], number), number))
        if one.end() == len(text):
            return found
        if text[one.end()] != " ":
            raise RecordError("form", number, "a blank stands between annotations")
        place = one.end() + 1


def plain(text: Any, number: Any) -> Any:
    """The inside of an annotation without its escapes."""
    if not re.fullmatch(r"(?:[^\\]|\\[\\\]])*", text):
        raise RecordError("form", number, "a backslash escapes nothing here")
    return re.sub(r"\\(.)", r"\1", text)


def escaped(text: Any) -> Any:
    """The inside of an annotation as it is written."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def unquoted(text: Any) -> Any:
    """What stands between quotation marks, without escapes."""
    return re.sub(r'\\(["\\n]|u(?!d[89a-f])[0-9a-f]{4})', character, text)


def character(found: Any) -> Any:
    sign = found[1]
    return chr(int(sign[1:], 16)) if sign[0] == "u" else "\n" if sign == "n" else sign


def quoted(text: Any) -> Any:
    """A text in quotation marks, as a writer writes it."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + '"'
