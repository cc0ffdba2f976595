"""Remarks of people in a record: where they stand, how one is added or taken away, and what one means as text.

Everything here is pure, and gives a new record. What a proof is made of is not a remark of people and never changes.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from engine.game import CHANCE
from notation import ABOVE, ANNOTATION, COMMENT, GLYPH, VARIATION, WORDS, Entry, Record, Remark, read_text, write_entry
from notation.headers import brace, quote
from notation.record import SEAT
from notation.writer import write_record
from pbem.events.annotations import is_proof_annotation, parse_annotation
from pbem.judging.result import Refusal
from pbem.judging.variations import judge_variations

START: Final = "start"
LAST: Final = "end"
DIAGRAM: Final = "diagram"
"""The annotation that asks for a board after the moves before it; ``diagram no`` asks for none."""
NO_DIAGRAM: Final = f"{DIAGRAM} no"

HOW_TO_SAY: Final = (
    "20 is turn 20, 20.red the turn of red, 20.red/1 after its first move, #57 entry 57, or start or end"
)
_PLACE: Final = re.compile(
    r"(?:#(?P<entry>\d{1,7})|(?P<turn>\d{1,6})(?:\.(?P<who>[\w*-]{1,40}))?)(?:/(?P<at>\d{1,4}|above))?"
)
_ABOVE: Final = "above"


class Place(NamedTuple):
    """Where a remark stands: the entry, counted from 0, and how many of its moves stand before it.

    The entry after the last one is the end of the record.
    """

    entry: int
    at: int


class Placed(NamedTuple):
    """A remark of people with its place, and its number among all of the record, from 1."""

    number: int
    place: Place
    remark: Remark


def parse_place(text: str, record: Record) -> Place | str:
    """The place that words such as ``20.red/1`` name in a record; or what is wrong with them."""
    word = text.strip().lower()
    if word == START and record.entries:
        return Place(0, ABOVE)
    if word in (START, LAST):
        return Place(len(record.entries), ABOVE)
    found = _PLACE.fullmatch(word)
    if found is None:
        return f"{text!r} names no place: {HOW_TO_SAY}"
    if found["entry"] is not None:
        order = int(found["entry"]) - 1
        if not 0 <= order < len(record.entries):
            return f"there is no entry {found['entry']}; the record has {len(record.entries)}"
    else:
        named = [
            order
            for order, entry in enumerate(record.entries)
            if entry.number == int(found["turn"]) and found["who"] in (None, entry.who)
        ]
        if not named:
            return f"there is no entry {word.partition('/')[0]}; {HOW_TO_SAY}"
        played = [order for order in named if record.entries[order].who not in (CHANCE, *WORDS)]
        order = (played or named)[-1]
    moves = len(record.entries[order].moves)
    if found["at"] == _ABOVE:
        return Place(order, ABOVE)
    at = moves if found["at"] is None else int(found["at"])
    if at > moves:
        return f"entry {order + 1} has {moves} moves, so none is after move {at}"
    return Place(order, at)


def place_words(place: Place, record: Record) -> str:
    """A place in words that `parse_place` reads."""
    if place.entry == len(record.entries):
        return LAST
    entry = record.entries[place.entry]
    behind = place.at == len(entry.moves)
    return f"#{place.entry + 1}" + ("" if behind else f"/{_ABOVE if place.at == ABOVE else place.at}")


def is_own(remark: Remark) -> bool:
    """Whether people wrote a remark, and not the program that sealed the record."""
    return not is_proof_annotation(remark)


def own_remarks(record: Record) -> Iterator[Placed]:
    """The remarks of people, in the order of the record."""
    number = 0
    rows = [*((order, entry.remarks) for order, entry in enumerate(record.entries))]
    for order, remarks in [*rows, (len(record.entries), record.afterword)]:
        for remark in filter(is_own, remarks):
            number += 1
            yield Placed(number, Place(order, remark.at), remark)


def make_remark(kind: str, text: str, record: Record) -> Remark | str:
    """A remark of this kind, read by the one reader of records; or what is wrong with it."""
    written = {
        COMMENT: lambda: brace(text),
        GLYPH: lambda: text.strip(),
        ANNOTATION: lambda: "[%" + re.sub(r"([\\\]])", r"\\\1", text.strip()) + "]",
        VARIATION: lambda: f"({text.strip()})",
    }[kind]()
    readings = read_text(f"{_opening(record)}\n{written}\n")
    if faults := [fault for reading in readings for fault in reading.faults]:
        fault = faults[0]
        return f"{fault.code} {fault.rule.name}: {fault.read or 'it ends too early'}"
    [reading] = readings
    found = reading.record.afterword if reading.record is not None and not reading.record.entries else ()
    if len(found) != 1 or found[0].kind != kind:
        return f"{text!r} is not one {kind}"
    if not is_own(found[0]):
        return f"[%{found[0].value}] is part of proofs, and people cannot write it"
    return found[0]


def _opening(record: Record) -> str:
    """The headers that say how moves are to be read."""
    headers = ((name, value) for name, value in record.headers if name in ("Game", "Rules") or name.startswith(SEAT))
    return "".join(f"[{name} {quote(value)}]\n" for name, value in headers)


def add_remark(record: Record, place: Place, remark: Remark) -> Record | str:
    """The record with one remark more, behind those of people that stand there already; or why it cannot be there.

    A sign stands close to its move, before all others. A mark for a diagram takes the place of the other one.
    """
    remark = remark._replace(at=place.at)
    there = _at(record, place)
    if remark in there:
        return "it stands there already"
    kept = tuple(each for each in there if not (_is_mark(each) and _is_mark(remark)))
    close = remark.kind == GLYPH and not remark.value.startswith("$")
    own = [order for order, each in enumerate(kept) if each.at == place.at and is_own(each)]
    if close:
        earlier = [order for order in own if kept[order].kind == GLYPH]
        index = (
            earlier[-1] + 1 if earlier else next((i for i, each in enumerate(kept) if each.at >= place.at), len(kept))
        )
    elif own:
        index = own[-1] + 1
    else:
        index = next((i for i, each in enumerate(kept) if each.at >= place.at), len(kept))
    made = _with(record, place, (*kept[:index], remark, *kept[index:]))
    [again, *more] = read_text(write_record(made))
    if more or again.record != made:
        fault = next((f"{each.code} {each.rule.name}" for each in again.faults), "it would be read as something else")
        return f"it cannot stand there: {fault}"
    return made


def remove_remark(record: Record, number: int) -> Record | str:
    """The record without one of the remarks that `own_remarks` numbers."""
    found = next((each for each in own_remarks(record) if each.number == number), None)
    if found is None:
        return f"there is no remark {number} of people"
    numbers = {each.number: each for each in own_remarks(record) if each.place.entry == found.place.entry}
    order = list(numbers).index(number)
    there = _at(record, found.place)
    own = [index for index, each in enumerate(there) if is_own(each)]
    return _with(record, found.place, there[: own[order]] + there[own[order] + 1 :])


def without_own(record: Record) -> Record:
    """The record without the remarks of people."""
    entries = tuple(_sealed_only(entry) if entry.remarks else entry for entry in record.entries)
    return replace(record, entries=entries, afterword=tuple(each for each in record.afterword if not is_own(each)))


def _sealed_only(entry: Entry) -> Entry:
    return entry._replace(remarks=tuple(each for each in entry.remarks if not is_own(each)))


def wrong_variations(before: Record, after: Record) -> list[Refusal]:
    """What is wrong with variations of a record that another, of the same game, did not have."""
    known = [(each.code, str(each.verdict)) for each in judge_variations(before)]
    found = []
    for each in judge_variations(after):
        if (each.code, str(each.verdict)) in known:
            known.remove((each.code, str(each.verdict)))
        else:
            found.append(each)
    return found


def remark_text(remark: Remark, record: Record) -> str:
    """A remark as the record has it, without what encloses it."""
    if remark.kind != VARIATION:
        return str(remark.value)
    return " | ".join(write_entry(entry, record.game).replace("\n", " ") for entry in remark.value)


def diagram_mark(remark: Remark) -> bool | None:
    """Whether a remark asks for a board (True) or for none (False); None if it is no such mark."""
    name, said = parse_annotation(remark) or ("", "")
    return said.strip() != "no" if name == DIAGRAM else None


def _is_mark(remark: Remark) -> bool:
    return diagram_mark(remark) is not None


def _at(record: Record, place: Place) -> tuple[Remark, ...]:
    return record.afterword if place.entry == len(record.entries) else record.entries[place.entry].remarks


def _with(record: Record, place: Place, remarks: tuple[Remark, ...]) -> Record:
    if place.entry == len(record.entries):
        return replace(record, afterword=remarks)
    entries: list[Entry] = list(record.entries)
    entries[place.entry] = entries[place.entry]._replace(remarks=remarks)
    return replace(record, entries=tuple(entries))
