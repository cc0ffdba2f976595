"""What is wrong with the settings, as a value: where, what, and what to write instead."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake. `key` is dotted as in the manual, `out.port`; for the whole file it is the file's name."""

    key: str
    wrong: str
    write: str

    def __str__(self) -> str:
        return f"{self.key}: {self.wrong}; {self.write}"


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why a value is not of its kind, and one that would be. The reader adds where it stood."""

    wrong: str
    write: str
