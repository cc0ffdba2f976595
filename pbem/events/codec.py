"""Payloads of events to and from the data that is stored, hashed and printed in records.

The data of an event is an object of strings, whole numbers, lists and objects; its canonical bytes are hashed into the
chain and must never change. `decode` is strict: what it takes, `encode` gives back exactly, and what does not have the
shape of its kind is refused. So it serves the store and the verifier alike, which trust nothing that they read.

In games of the second form names and free words are sealed: data hold the seals, payloads the texts where they are
known, and a placeholder where they are not. There only notes may hold fields that this version has no name for.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from dataclasses import Field as DataField
from datetime import date
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

from pbem.events.kinds import KINDS, GameOpened, PressSent, is_unknown_note
from pbem.events.payload import FIRST_FORM, MAY_LACK, ONLY_IN, SECOND_FORM, WHO, WIRE_NAME, Payload
from pbem.events.post_kinds import MovePencilled, Note
from pbem.events.told import EVERYBODY, NAME, SEALED_TEXTS, Told, find_seals, name_field, placeholder

FORMS: Final = (FIRST_FORM, SECOND_FORM)
"""The forms of proof that are known here."""
_UNKNOWN: Final = "unknown"
"""The field of a payload that holds what this version has no name for."""


class MalformedEventError(ValueError):
    """Data that is not what its kind of event must be."""


class Field(NamedTuple):
    """How one field of a payload is written."""

    name: str
    wire_name: str
    shape: str
    """What the data hold: the name of one of the shapes below."""
    lacking_in: tuple[int, ...]
    """The forms of proof in which the data may leave it out; then the payload has None."""
    names_who: bool
    """Whether it names a seat, or seats."""
    forms: tuple[int, ...] = FORMS
    """The forms of proof that have it."""

    @property
    def optional(self) -> bool:
        """Whether the data may leave it out in some form that has it."""
        return bool(self.lacking_in)


class _Shape(NamedTuple):
    """One type of value: how it is checked and read, and how it is written. `read` raises ValueError or TypeError."""

    read: Callable[[object], object]
    write: Callable[[Any], object]


def _expect(kind: type) -> Callable[[object], object]:
    """A reader that takes values of exactly one type, so that True is not a number."""

    def read(value: object) -> object:
        if type(value) is not kind:
            raise TypeError(f"not {kind.__name__}")
        return value

    return read


def _same(value: object) -> object:
    return value


def _read_date(value: object) -> date:
    if type(value) is not str:
        raise TypeError("not a string")
    day = date.fromisoformat(value)
    if day.isoformat() != value:
        raise ValueError("a date has one form only")
    return day


def _write_date(day: date) -> str:
    return day.isoformat()


def _read_strings(value: object) -> tuple[str, ...]:
    if type(value) is not list or not all(type(each) is str for each in value):
        raise TypeError("not a list of strings")
    return tuple(value)


def _read_texts(value: object) -> object:
    if type(value) is not dict or not all(type(each) is str for each in value.values()):
        raise TypeError("not an object of strings")
    return value


_SHAPES: Final[Mapping[str, _Shape]] = {
    "string": _Shape(_expect(str), _same),
    "number": _Shape(_expect(int), _same),
    "yes or no": _Shape(_expect(bool), _same),
    "date": _Shape(_read_date, _write_date),
    "strings": _Shape(_read_strings, list),
    "texts by name": _Shape(_read_texts, dict),
    "values by name": _Shape(_expect(dict), dict),
}

_SHAPE_OF: Final[Mapping[object, str]] = {
    str: "string",
    int: "number",
    bool: "yes or no",
    date: "date",
    tuple[str, ...]: "strings",
    Mapping[str, str]: "texts by name",
    Mapping[str, object]: "values by name",
}


@cache
def fields_of(kind: str) -> tuple[Field, ...]:
    """The fields of a kind of event, in their order."""
    payload = KINDS[kind]
    hints, plain = get_type_hints(payload, include_extras=True), get_type_hints(payload)
    return tuple(
        Field(
            each.name,
            each.metadata.get(WIRE_NAME, each.name),
            _SHAPE_OF[_without_none(plain[each.name])],
            _lacking_in(each),
            _names_who(hints[each.name]),
            (each.metadata[ONLY_IN],) if ONLY_IN in each.metadata else FORMS,
        )
        for each in fields(payload)
        if each.name != _UNKNOWN
    )


def _lacking_in(each: DataField[Any]) -> tuple[int, ...]:
    """The forms in which a field may be left out; one of a single form, or with a mark, is optional only there."""
    usual = FORMS if each.default is not MISSING and ONLY_IN not in each.metadata else ()
    return tuple(each.metadata.get(MAY_LACK, usual))


def _without_none(hint: object) -> object:
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (each for each in get_args(hint) if each is not NoneType)
    return hint


def _names_who(hint: object) -> bool:
    if get_origin(hint) is Annotated:
        return WHO in get_args(hint)
    return any(map(_names_who, get_args(hint)))


def encode(payload: Payload, told: Mapping[str, Told] | None = None) -> dict[str, Any]:
    """The data of an event: what its hash covers, and what the store and records keep.

    `told` are its sealed texts by field; in a game of the first form there are none.
    """
    if isinstance(payload, Note):
        return {**payload.data}
    data = {
        field.wire_name: _SHAPES[field.shape].write(value)
        for field in fields_of(payload.kind)
        if (value := getattr(payload, field.name)) is not None
    }
    if isinstance(payload, GameOpened) and payload.people is not None:
        seals = {seat: told[name_field(seat)].seal for seat in payload.people} if told else {}
        del data["names"]
        data["people"] = {seat: {"id": person, NAME: seals.get(seat, "")} for seat, person in payload.people.items()}
    elif told:
        data |= {field: each.seal for field, each in told.items()}
    return {**data, **payload.unknown} if payload.unknown else data


def form_of(data: object) -> int:
    """The form of proof that the data of the first event of a game name."""
    proof = data.get("proof") if isinstance(data, dict) else None
    form = proof.get("form", FIRST_FORM) if isinstance(proof, dict) else FIRST_FORM
    if (
        type(form) is not int
        or form not in FORMS
        or (form == FIRST_FORM and isinstance(proof, dict) and "form" in proof)
    ):
        raise MalformedEventError("the game has a form of proof that is not known here")
    return form


def decode(kind: str, data: object, *, form: int = FIRST_FORM, texts: Mapping[str, str] | None = None) -> Payload:
    """The payload that some data are; MalformedEventError if they do not have the shape of their kind and form.

    `texts` are the sealed texts that are known, by field.
    """
    if type(data) is not dict:
        raise MalformedEventError(f"the data of {kind} are not an object")
    form = form_of(data) if kind == GameOpened.KIND else form
    if form == SECOND_FORM and is_unknown_note(kind):
        return Note(kind, data)
    payload = KINDS.get(kind)
    if payload is None or form < payload.SINCE:
        raise MalformedEventError(f"{kind} is no kind of event that is known here")
    rest = _with_texts(kind, data, texts or {}) if form == SECOND_FORM else dict(data)
    values = dict[str, Any]()
    for field in fields_of(kind):
        if field.wire_name in rest and (form in field.forms or (payload is GameOpened and field.name == "names")):
            try:
                values[field.name] = _SHAPES[field.shape].read(rest.pop(field.wire_name))
            except (TypeError, ValueError):
                raise MalformedEventError(f"{field.wire_name} of {kind} is no {field.shape}") from None
        elif field.wire_name in rest:
            raise MalformedEventError(f"{kind} has no {field.wire_name} in this form")
        elif form in field.forms and form not in field.lacking_in:
            raise MalformedEventError(f"{kind} has no {field.wire_name}")
    if rest and form == SECOND_FORM:  # words could stand there that nobody can forget
        raise MalformedEventError(f"{kind} has no {min(rest)} in this form")
    if rest:
        values[_UNKNOWN] = rest
    return payload(**values)


_ID: Final = re.compile(r"[a-z2-7]{12}")
_ALWAYS_SEALED: Final = (*(kind for kind, field in SEALED_TEXTS.items() if field == NAME), MovePencilled.KIND)
"""Kinds of which what is sealed cannot be empty."""


def _with_texts(kind: str, data: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """The data of an event of the second form with the texts, or their placeholders, in place of the seals."""
    seals = find_seals(kind, data)
    shown = {field: texts.get(field, placeholder(field, seal)) for field, seal in seals.items()}
    if kind == GameOpened.KIND:
        return _with_names(data, shown)
    field = SEALED_TEXTS.get(kind)
    if field is not None and field not in seals and (data.get(field) != "" or kind in _ALWAYS_SEALED):
        raise MalformedEventError(f"{field} of {kind} is no seal")
    person = data.get("id")
    if field == NAME and (type(person) is not str or _ID.fullmatch(person) is None):
        raise MalformedEventError(f"id of {kind} is no id of a person")
    if kind == PressSent.KIND and data.get("to") != EVERYBODY and seals:
        return {name: value for name, value in data.items() if name != field}  # private words stand in no payload
    return {**data, **shown}


def _with_names(data: Mapping[str, Any], shown: Mapping[str, str]) -> dict[str, Any]:
    """The data of the event that opens a game, with names and ids by seat."""
    people, seats = data.get("people"), data.get("seats")
    if "names" in data or type(people) is not dict or type(seats) is not list:
        raise MalformedEventError("opened does not say who sits where")
    if not all(type(seat) is str for seat in seats) or people.keys() != set(seats):
        raise MalformedEventError("people of opened are not those of its seats")
    for seat, person in people.items():
        if type(person) is not dict or person.keys() != {"id", NAME} or name_field(seat) not in shown:
            raise MalformedEventError("somebody of opened is no person")
        if type(person["id"]) is not str or _ID.fullmatch(person["id"]) is None:
            raise MalformedEventError("id of opened is no id of a person")
    ids = {seat: people[seat]["id"] for seat in seats}
    return {**data, "names": {seat: shown[name_field(seat)] for seat in seats}, "people": ids}
