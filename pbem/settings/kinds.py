"""Lengths of time as people write them in a file: `3d`, `12h`, `1h30m`, `45s`.

A secret that cannot be printed by accident: its text form is `<secret>`.

What is wrong with the settings, as a value: where, what, and what to write instead.

The kinds of value that a setting may have: each reads what TOML gives and writes its default back.

A kind checks form only. Whether a server answers or a folder can be written is for `pbem doctor`.
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
    """A password or key. Only `reveal` gives it away; logs, tracebacks and reprs show a mask."""

    __slots__ = ("_words", "file")

    def __init__(self, words: str, file: Path | None = None) -> None:
        self._words = words
        self.file = file
        """Where it was read; None if it came otherwise."""

    def reveal(self) -> str:
        """The secret itself, for the one place that needs it."""
        return self._words

    def __str__(self) -> str:
        return MASK

    __repr__ = __str__

    def __format__(self, wish: str) -> str:
        return format(MASK, wish)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._words == self._words

    def __hash__(self) -> int:
        return hash((Secret, self._words))

    def __reduce__(self) -> str:
        raise TypeError("a secret is not pickled")


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake. `key` is dotted as in the manual, `out.port`; for the whole file it is the file's name."""

    key: str
    wrong: str
    write: str

    def __str__(self) -> str:
        return f"{self.key}: {self.wrong}; {self.write}"


@dataclass(frozen=True, slots=True)
class Mistake:
    """Why a value is not of its kind, and one that would be. The reader adds where it stood."""

    wrong: str
    write: str


T = TypeVar("T")

_NO_LETTER: Final = re.compile("[\ud800-\udfff]")
"""What stands for a byte that was no text; it cannot be written down."""


class ValueKind(Protocol[T]):
    """What a value must be. `read` gets the TOML value, `write` gives the TOML text of one."""

    def read(self, value: object, /) -> T | Mistake:
        """The value, or why it is none."""

    def write(self, value: T, /) -> str:
        """The value as it would stand in the file."""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of words; `example` is shown to those who write something else."""

    example: str
    form: str = r"[^\x00-\x1f\x7f]+"
    what: str = "text in quotes"

    def read(self, value: object, /) -> str | Mistake:
        """Any text of one line, if it has the right form."""
        if isinstance(value, str) and re.fullmatch(self.form, value) and not _NO_LETTER.search(value):
            return value
        return Mistake(f"{_show(value)} is not {self.what}", f"write for example {self.write(self.example)}")

    def write(self, value: str, /) -> str:
        """In double quotes."""
        return json.dumps(value, ensure_ascii=False)


_FORM_OF_ADDRESS: Final = r"[^\s@<>()\[\],;:\\\"]+@[A-Za-z0-9\u0080-\U0010ffff.-]+"

MAIL_ADDRESS: Final = Text("caravan@example.org", _FORM_OF_ADDRESS, "a mail address in quotes")
HOST: Final = Text("mail.example.org", r"[A-Za-z0-9.:_-]+", "the name or number of a server, in quotes")


@dataclass(frozen=True, slots=True)
class OrEmpty(Generic[T]):
    """Another kind, or nothing at all, which is written as empty quotes."""

    kind: ValueKind[T]

    def read(self, value: object, /) -> T | Mistake | None:
        """None for empty quotes, else what the other kind makes of it."""
        return None if value == "" else self.kind.read(value)

    def write(self, value: T | None, /) -> str:
        """Empty quotes for nothing."""
        return '""' if value is None else self.kind.write(value)


@dataclass(frozen=True, slots=True)
class ListOf(Generic[T]):
    """A list of another kind."""

    kind: ValueKind[T]
    example: tuple[T, ...]

    def read(self, value: object, /) -> tuple[T, ...] | Mistake:
        """All of them, or what is wrong with the first that is none."""
        if not isinstance(value, list):
            return Mistake(f"{_show(value)} is not a list", f"write for example {self.write(self.example)}")
        found: list[T] = []
        for one in value:
            read = self.kind.read(one)
            if isinstance(read, Mistake):
                return read
            found.append(read)
        return tuple(found)

    def write(self, value: Sequence[T], /) -> str:
        """In square brackets."""
        return f"[{', '.join(map(self.kind.write, value))}]"


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number within bounds; `example` is one that somebody could want."""

    least: int
    most: int
    example: int

    def read(self, value: object, /) -> int | Mistake:
        """A TOML integer; `true` is none, though Python thinks so."""
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        return Mistake(
            f"{_show(value)} is not a whole number from {self.least} to {self.most}",
            f"write for example {self.example}",
        )

    def write(self, value: int, /) -> str:
        """In digits."""
        return str(value)


@dataclass(frozen=True, slots=True)
class TrueOrFalse:
    """`true` or `false`."""

    def read(self, value: object, /) -> bool | Mistake:
        """A TOML boolean, without quotes."""
        return value if isinstance(value, bool) else Mistake(f"{_show(value)} is neither", "write true or false")

    def write(self, value: bool, /) -> str:
        """As TOML has it."""
        return "true" if value else "false"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, value: object, /) -> str | Mistake:
        """One of them, to the letter."""
        if isinstance(value, str) and value in self.words:
            return value
        return Mistake(f"{_show(value)} is not known", f"write one of {', '.join(map(self.write, self.words))}")

    def write(self, value: str, /) -> str:
        """In double quotes."""
        return json.dumps(value)


LONGEST: Final = timedelta(days=36_500)
"""A hundred years: more than anybody means, and still a time that can be counted back from today."""


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time, at least one second unless `none` is allowed, and not beyond `most`."""

    none: bool = False
    most: timedelta = LONGEST

    def read(self, value: object, /) -> timedelta | Mistake:
        """Such as "3d" or "1h30m"."""
        span = parse_duration(value) if isinstance(value, str) else None
        if span is None or not (span or self.none):
            return Mistake(f"{_show(value)} is not a length of time", 'write for example "3d", "12h", "1h30m" or "45s"')
        if span > self.most:
            return Mistake(f"{_show(value)} is too long", f"write at most {self.write(self.most)}")
        return span

    def write(self, value: timedelta, /) -> str:
        """In double quotes."""
        return f'"{format_duration(value)}"'


@dataclass(frozen=True, slots=True)
class WholeDays:
    """A number of whole days, or none."""

    def read(self, value: object, /) -> timedelta | Mistake:
        """Such as "21d" or "3w"; part of a day would be dropped without a word, so it is refused."""
        span = parse_duration(value) if isinstance(value, str) else None
        if span is None or span % timedelta(days=1):
            return Mistake(f"{_show(value)} is not a number of whole days", 'write for example "21d", or "0d" for none')
        if span > LONGEST:
            return Mistake(f"{_show(value)} is too long", f"write at most {self.write(LONGEST)}")
        return span

    def write(self, value: timedelta, /) -> str:
        """In double quotes."""
        return f'"{value.days}d"'


@dataclass(frozen=True, slots=True)
class FilePath:
    """A file or folder; one that is not absolute is meant from the folder of the settings."""

    example: str

    def read(self, value: object, /) -> Path | Mistake:
        """A path, not yet looked at."""
        if isinstance(value, str) and value and "\0" not in value:
            return Path(value).expanduser()
        return Mistake(f"{_show(value)} is not the name of a file or folder", f'write for example "{self.example}"')

    def write(self, value: Path, /) -> str:
        """In double quotes, with forward slashes."""
        return json.dumps(value.as_posix(), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class TimeZone:
    """A time zone by its name."""

    def read(self, value: object, /) -> str | Mistake:
        """A name that the time zone database knows."""
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            return ZoneInfo(value).key if isinstance(value, str) else _no_zone(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return _no_zone(value)

    def write(self, value: str, /) -> str:
        """In double quotes."""
        return json.dumps(value)


def _no_zone(value: object) -> Mistake:
    return Mistake(f"{_show(value)} is not a known time zone", 'write for example "UTC" or "Europe/Berlin"')


@dataclass(frozen=True, slots=True)
class SecretFile:
    """A secret, which never stands in the file itself: a file beside it, or the environment, holds it."""

    def read(self, value: object, /) -> Secret | Mistake | None:
        """Empty quotes are no secret; anything else is in the wrong place."""
        return None if value == "" else Mistake("a secret does not stand in this file", "name a file that holds it")

    def write(self, value: Secret | None, /) -> str:
        """Never the secret."""
        return '""' if value is None else f'"{value}"'


def _show(value: object) -> str:
    """A value as its writer would recognise it, cut to a bearable length."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:39]}…"
