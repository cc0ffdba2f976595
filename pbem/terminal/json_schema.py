"""JSON Schemas (draft 2020-12) made from Python types: typed dictionaries, dataclasses, named tuples and plain types.

A dataclass means what `dataclasses.asdict` makes of it, a named tuple in a `Merged` what `_asdict` does. Only typed
dictionaries and merged types are named in a schema: those names are public, names of classes inside the post are not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from inspect import cleandoc
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: Final = {str: "string", int: "integer", bool: "boolean", float: "number", NoneType: "null"}

Schema = dict[str, Any]


@dataclass(frozen=True)
class Document:
    """What a command prints with --json: results of these types, then totals, then problems.

    Or `whole`: an object of its own shape. A command that fails prints no results and its problems.
    """

    results: "tuple[type | Merged, ...]" = ()
    totals: type | None = None
    whole: type | None = None


class Merged(NamedTuple):
    """The keys of several types in one object."""

    name: str
    parts: tuple[type, ...]


def make_schema(title: str, document: Document) -> Schema:
    """The schema of a document."""
    writer = _Writer()
    failure: Schema = _closed({"results": {"type": "array"}, "problems": _array({"type": "string"})}, required=True)
    if document.whole is not None:
        shape: Schema = {"anyOf": [writer.schema_of(document.whole), failure]}
    else:
        items = [writer.schema_of(each) for each in document.results]
        properties = {"results": _array(items[0] if len(items) == 1 else {"anyOf": items})}
        if document.totals is not None:
            properties |= writer.properties_of(document.totals)
        properties["problems"] = _array({"type": "string"})
        shape = _closed(properties, required=("results", "problems"))
    schema = {"$schema": DIALECT, "title": title, **shape}
    return {**schema, "$defs": dict(sorted(writer.definitions.items()))} if writer.definitions else schema


def make_value_schema(title: str, kind: type) -> Schema:
    """The schema of one value, such as a line of a file."""
    writer = _Writer()
    schema = {"$schema": DIALECT, "title": title, **writer.schema_of(kind)}
    return {**schema, "$defs": dict(sorted(writer.definitions.items()))}


class _Writer:
    """Writes schemas of types, and collects those of named types in `definitions`."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def schema_of(self, kind: Any) -> Schema:
        """The schema of one type."""
        if kind in _PLAIN:
            return {"type": _PLAIN[kind]}
        if kind in (Any, object):
            return {}
        if isinstance(kind, Merged) or is_typeddict(kind):
            return self._named(kind)
        if is_dataclass(kind):
            return _closed(self.properties_of(kind), required=True)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return {"enum": [each.value for each in kind]}
        origin, arguments = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            return {"anyOf": [self.schema_of(each) for each in arguments]}
        if origin is Literal:
            return {"enum": list(arguments)}
        if origin is NotRequired:
            return self.schema_of(arguments[0])
        if origin is tuple and arguments[-1] is not ...:
            return {"type": "array", "prefixItems": [self.schema_of(each) for each in arguments], "items": False}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.schema_of(arguments[1])}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return _array(self.schema_of(arguments[0]))
        raise TypeError(f"{kind!r} has no JSON Schema")

    def properties_of(self, kind: Any) -> dict[str, Schema]:
        """The schema of every key of a typed dictionary, a dataclass or a named tuple."""
        hints = get_type_hints(kind)
        names = [each.name for each in fields(kind)] if is_dataclass(kind) else list(hints)
        return {name: self.schema_of(hints[name]) for name in names}

    def _named(self, kind: Any) -> Schema:
        parts = kind.parts if isinstance(kind, Merged) else (kind,)
        name = kind.name if isinstance(kind, Merged) else kind.__name__
        if name not in self.definitions:
            self.definitions[name] = {}  # before its parts, for types that contain themselves
            properties: dict[str, Schema] = {}
            for part in parts:
                properties |= self.properties_of(part)
            optional = {key for part in parts for key in getattr(part, "__optional_keys__", ())}
            about = {"description": " ".join(cleandoc(kind.__doc__ or "").split())} if is_typeddict(kind) else {}
            required = tuple(key for key in properties if key not in optional)
            self.definitions[name] = {**about, **_closed(properties, required=required)}
        return {"$ref": f"#/$defs/{name}"}


def _closed(properties: dict[str, Schema], *, required: tuple[str, ...] | Literal[True]) -> Schema:
    """An object with these properties and no others."""
    names = list(properties) if required is True else list(required)
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def _array(items: Schema) -> Schema:
    return {"type": "array", "items": items}
