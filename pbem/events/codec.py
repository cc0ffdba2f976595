"""Payloads of events to and from the data that is stored, hashed and printed in records.

The data of an event is an object of strings, whole numbers, lists and objects; its canonical bytes are hashed into the
chain and must never change. `decode` is strict: what it takes, `encode` gives back exactly, and what does not have the
shape of its kind is refused. So it serves the store and the verifier alike, which trust nothing that they read.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import date
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

from pbem.events.kinds import KINDS, WHO, WIRE_NAME, Payload

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
    optional: bool
    """Whether the data may leave it out; then the payload has None."""
    names_who: bool
    """Whether it names a seat, or seats."""


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
            each.default is not MISSING,
            _names_who(hints[each.name]),
        )
        for each in fields(payload)
        if each.name != _UNKNOWN
    )


def _without_none(hint: object) -> object:
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (each for each in get_args(hint) if each is not NoneType)
    return hint


def _names_who(hint: object) -> bool:
    if get_origin(hint) is Annotated:
        return WHO in get_args(hint)
    return any(map(_names_who, get_args(hint)))


def encode(payload: Payload) -> dict[str, Any]:
    """The data of an event: what its hash covers, and what the store and records keep."""
    data = {
        field.wire_name: _SHAPES[field.shape].write(value)
        for field in fields_of(payload.KIND)
        if (value := getattr(payload, field.name)) is not None
    }
    return {**data, **payload.unknown} if payload.unknown else data


def decode(kind: str, data: object) -> Payload:
    """The payload that some data are; MalformedEventError if they do not have the shape of their kind."""
    payload = KINDS.get(kind)
    if payload is None:
        raise MalformedEventError(f"{kind} is no kind of event that is known here")
    if type(data) is not dict:
        raise MalformedEventError(f"the data of {kind} are not an object")
    rest, values = dict(data), dict[str, Any]()
    for field in fields_of(kind):
        if field.wire_name in rest:
            try:
                values[field.name] = _SHAPES[field.shape].read(rest.pop(field.wire_name))
            except (TypeError, ValueError):
                raise MalformedEventError(f"{field.wire_name} of {kind} is no {field.shape}") from None
        elif not field.optional:
            raise MalformedEventError(f"{kind} has no {field.wire_name}")
    if rest:
        values[_UNKNOWN] = rest
    return payload(**values)
