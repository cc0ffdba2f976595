"""What a key of `post.toml` is: a field of a section, with its kind, its default and what it does."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pbem.settings.kinds import SecretFile, ValueKind

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


T = TypeVar("T")

_ABOUT: Final = "about"


@dataclass(frozen=True, slots=True)
class SettingKey:
    """What may be written under one name in one section."""

    name: str
    kind: ValueKind[Any]
    default: Any
    about: str

    @property
    def hidden(self) -> bool:
        """Whether it is a secret, given by a file or the environment."""
        return isinstance(self.kind, SecretFile)

    @property
    def written(self) -> str:
        """The name in the file: for a secret, the key that names the file with it."""
        return f"{self.name}_file" if self.hidden else self.name

    @property
    def example(self) -> str:
        """The default as TOML."""
        return str(self.kind.format(self.default))


def setting(kind: ValueKind[T], default: T, about: str) -> T:
    """A field of a section. `about` is one or two plain sentences for the manual and a new file."""
    return dataclasses.field(default=default, metadata={_ABOUT: (kind, about)})


def keys_of(section: "type[DataclassInstance]") -> Iterator[SettingKey]:
    """Every key of a section, in order."""
    for held in dataclasses.fields(section):
        kind, about = held.metadata[_ABOUT]
        yield SettingKey(held.name, kind, held.default, about)
