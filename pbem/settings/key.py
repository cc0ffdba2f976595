"""A key of the settings: its kind, its default and its sentence in the manual, all at the field that holds it."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pbem.settings.kinds import Hidden, Kind

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

_ABOUT: Final = "about"


@dataclass(frozen=True, slots=True)
class Key:
    """What may be written under one name in one section."""

    name: str
    kind: Kind[Any]
    default: Any
    about: str

    @property
    def hidden(self) -> bool:
        """Whether it is a secret, given by a file or the environment."""
        return isinstance(self.kind, Hidden)

    @property
    def written(self) -> str:
        """The name under which the file has it: a secret is named by the file that holds it."""
        return f"{self.name}_file" if self.hidden else self.name

    @property
    def example(self) -> str:
        """The default as TOML."""
        return str(self.kind.write(self.default))


def key(kind: Kind[T], default: T, about: str) -> T:
    """A field of a section. `about` is one or two plain sentences, printed in the manual and in a new file."""
    return dataclasses.field(default=default, metadata={_ABOUT: (kind, about)})


def keys_of(section: "type[DataclassInstance]") -> Iterator[Key]:
    """Every key of a section, in order."""
    for field in dataclasses.fields(section):
        kind, about = field.metadata[_ABOUT]
        yield Key(field.name, kind, field.default, about)
