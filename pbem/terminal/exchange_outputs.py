"""What commands that pass games on print with --json, as typed dictionaries: see `pbem.terminal.record_outputs`."""

from typing import TypedDict


class ExportedGamesJson(TypedDict):
    """A file that was written, how many games or rows it holds, and what the form has no place for, with how often.

    `file` is null for standard output.
    """

    file: str | None
    count: int
    lost: dict[str, int]


class ExportTotals(TypedDict):
    """Games read, written and left out. Of those `running`, only what everybody may know was written."""

    games: int
    written: int
    left_out: int
    running: int


class ImportedGamesJson(TypedDict):
    """The file with the games that were read; null for standard output."""

    file: str | None
    games: int


class NotMappedJson(TypedDict):
    """Something that has no place in a record, or why a game could not be read at all (`refused`)."""

    file: str
    game: int
    place: str
    what: str
    refused: bool


class ImportTotals(TypedDict):
    """Games read, written and left out, and how many things have no place in a record."""

    games: int
    written: int
    left_out: int
    not_mapped: int
