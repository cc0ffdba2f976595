"""The kinds of value that a setting may have: each parses what TOML gives and formats a value as TOML.

A kind checks the form only. Whether a server answers or a folder can be written is for `pbem doctor` to find out.
Also here: secrets that cannot be printed by accident, and mistakes in the settings as values.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final, Generic, Protocol, TypeVar, final

from pbem.settings.durations import format_duration, parse_duration

MASK: Final = "<secret>"


@final
class Secret:
    """A password or key. Only `reveal` shows it; logs, tracebacks and reprs show a mask."""

    __slots__ = ("_words", "file")

    def __init__(self, words: str, file: Path | None = None) -> None:
        self._words = words
        self.file = file
        """The file it was read from; None if it came from the environment."""

    def reveal(self) -> str:
        """The secret itself, for the place that needs it."""
        return self._words

    def __str__(self) -> str:
        return MASK

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(MASK, spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._words == self._words

    def __hash__(self) -> int:
        return hash((Secret, self._words))

    def __reduce__(self) -> str:
        raise TypeError("a secret is not pickled")


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake and where it is. `key` is dotted, such as `out.port`; for the whole file it is the file's name."""

    key: str
    mistake: str
    advice: str

    def __str__(self) -> str:
        return f"{self.key}: {self.mistake}; {self.advice}"


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong with a value, and what to write instead. The reader adds where it is."""

    mistake: str
    advice: str


T = TypeVar("T")

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""How Python represents bytes that are not text; they cannot be written to a file."""


class ValueKind(Protocol[T]):
    """What a value must be. `parse` gets the TOML value, `format` returns the TOML text of one."""

    def parse(self, value: object, /) -> T | Mistake:
        """The value, or the mistake."""

    def format(self, value: T, /) -> str:
        """The value as the file would have it."""


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `example` is shown when something else was written."""

    example: str
    form: str = r"[^\x00-\x1f\x7f]+"
    what: str = "text in quotes"

    def parse(self, value: object, /) -> str | Mistake:
        """One line of text in the right form."""
        if isinstance(value, str) and re.fullmatch(self.form, value) and not _SURROGATE.search(value):
            return value
        return Mistake(f"{_show(value)} is not {self.what}", f"write for example {self.format(self.example)}")

    def format(self, value: str, /) -> str:
        """In double quotes."""
        return json.dumps(value, ensure_ascii=False)


_ADDRESS_FORM: Final = r"[^\s@<>()\[\],;:\\\"]+@[A-Za-z0-9\u0080-\U0010ffff.-]+"

MAIL_ADDRESS: Final = Text("caravan@example.org", _ADDRESS_FORM, "a mail address in quotes")
HOST: Final = Text("mail.example.org", r"[A-Za-z0-9.:_-]+", "the name or number of a server, in quotes")


@dataclass(frozen=True, slots=True)
class OrEmpty(Generic[T]):
    """Another kind, or nothing, which is written as empty quotes."""

    kind: ValueKind[T]

    def parse(self, value: object, /) -> T | Mistake | None:
        """None for empty quotes, else a value of the other kind."""
        return None if value == "" else self.kind.parse(value)

    def format(self, value: T | None, /) -> str:
        """Empty quotes for nothing."""
        return '""' if value is None else self.kind.format(value)


@dataclass(frozen=True, slots=True)
class ListOf(Generic[T]):
    """A list of values of another kind."""

    kind: ValueKind[T]
    example: tuple[T, ...]

    def parse(self, value: object, /) -> tuple[T, ...] | Mistake:
        """All of them, or what is wrong with the first that is not of the kind."""
        if not isinstance(value, list):
            return Mistake(f"{_show(value)} is not a list", f"write for example {self.format(self.example)}")
        found: list[T] = []
        for one in value:
            read = self.kind.parse(one)
            if isinstance(read, Mistake):
                return read
            found.append(read)
        return tuple(found)

    def format(self, value: Sequence[T], /) -> str:
        """In square brackets."""
        return f"[{', '.join(map(self.kind.format, value))}]"


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number within bounds; `example` is a sensible one."""

    least: int
    most: int
    example: int

    def parse(self, value: object, /) -> int | Mistake:
        """A TOML integer. `true` is not one, although Python says so."""
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        return Mistake(
            f"{_show(value)} is not a whole number from {self.least} to {self.most}",
            f"write for example {self.example}",
        )

    def format(self, value: int, /) -> str:
        """In digits."""
        return str(value)


@dataclass(frozen=True, slots=True)
class TrueOrFalse:
    """`true` or `false`."""

    def parse(self, value: object, /) -> bool | Mistake:
        """A TOML boolean, without quotes."""
        return (
            value
            if isinstance(value, bool)
            else Mistake(f"{_show(value)} is neither true nor false", "write true or false")
        )

    def format(self, value: bool, /) -> str:
        """As TOML has it."""
        return "true" if value else "false"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def parse(self, value: object, /) -> str | Mistake:
        """Exactly one of them."""
        if isinstance(value, str) and value in self.words:
            return value
        return Mistake(f"{_show(value)} is not known", f"write one of {', '.join(map(self.format, self.words))}")

    def format(self, value: str, /) -> str:
        """In double quotes."""
        return json.dumps(value)


LONGEST: Final = timedelta(days=36_500)
"""A hundred years: more than anybody needs, and still little enough to subtract from today."""


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time, at least one second unless `none` is allowed, and not beyond `most`."""

    none: bool = False
    most: timedelta = LONGEST

    def parse(self, value: object, /) -> timedelta | Mistake:
        """Such as "3d" or "1h30m"."""
        span = parse_duration(value) if isinstance(value, str) else None
        if span is None or not (span or self.none):
            return Mistake(f"{_show(value)} is not a length of time", 'write for example "3d", "12h", "1h30m" or "45s"')
        if span > self.most:
            return Mistake(f"{_show(value)} is too long", f"write at most {self.format(self.most)}")
        return span

    def format(self, value: timedelta, /) -> str:
        """In double quotes."""
        return f'"{format_duration(value)}"'


@dataclass(frozen=True, slots=True)
class WholeDays:
    """A number of whole days, or none."""

    def parse(self, value: object, /) -> timedelta | Mistake:
        """Such as "21d" or "3w"; part of a day would be dropped silently, so it is refused."""
        span = parse_duration(value) if isinstance(value, str) else None
        if span is None or span % timedelta(days=1):
            return Mistake(f"{_show(value)} is not a number of whole days", 'write for example "21d", or "0d" for none')
        if span > LONGEST:
            return Mistake(f"{_show(value)} is too long", f"write at most {self.format(LONGEST)}")
        return span

    def format(self, value: timedelta, /) -> str:
        """In double quotes."""
        return f'"{value.days}d"'


@dataclass(frozen=True, slots=True)
class FilePath:
    """A file or folder; a relative path starts from the folder of the settings."""

    example: str

    def parse(self, value: object, /) -> Path | Mistake:
        """A path; whether it exists is not checked here."""
        if isinstance(value, str) and value and "\0" not in value:
            return Path(value).expanduser()
        return Mistake(f"{_show(value)} is not the name of a file or folder", f'write for example "{self.example}"')

    def format(self, value: Path, /) -> str:
        """In double quotes, with forward slashes."""
        return json.dumps(value.as_posix(), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class TimeZone:
    """A time zone by its name."""

    def parse(self, value: object, /) -> str | Mistake:
        """A name that the time zone database knows."""
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            return ZoneInfo(value).key if isinstance(value, str) else _unknown_zone(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return _unknown_zone(value)

    def format(self, value: str, /) -> str:
        """In double quotes."""
        return json.dumps(value)


def _unknown_zone(value: object) -> Mistake:
    return Mistake(f"{_show(value)} is not a known time zone", 'write for example "UTC" or "Europe/Berlin"')


@dataclass(frozen=True, slots=True)
class SecretFile:
    """A secret, which is never in the settings file: another file or the environment holds it."""

    def parse(self, value: object, /) -> Secret | Mistake | None:
        """Empty quotes mean no secret; anything else is in the wrong place."""
        return None if value == "" else Mistake("a secret must not be in this file", "name a file that holds it")

    def format(self, value: Secret | None, /) -> str:
        """Never the secret."""
        return '""' if value is None else f'"{value}"'


def _show(value: object) -> str:
    """A value as it was written, cut to a readable length."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:39]}…"
