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


class IndexedJson(TypedDict):
    """What the files that were named hold, as a catalogue has it now.

    `legal`, `refused` and `unread` games are all `games`; those that are not `new` are `as_before`. `gone` are games
    that no file holds any more.
    """

    catalogue: str
    files: int
    games: int
    legal: int
    refused: int
    unread: int
    new: int
    gone: int
    as_before: int


class FoundPlayerJson(TypedDict):
    """Who sat where; `points` is null where a rule keeps them hidden, or the game breaks one."""

    seat: str
    name: str
    points: int | None
    won: bool


class FoundJson(TypedDict):
    """A game that was found: its file, its number in there from 1, its line, and what is known of it."""

    file: str
    number: int
    line: int
    id: str
    game: str
    rules: str
    date: str
    turns: int
    verdict: str
    finished: bool
    ending: str
    result: str
    players: list[FoundPlayerJson]


class FindTotals(TypedDict):
    """How many games were found."""

    games: int


class ResumeJson(TypedDict):
    """The line of a running game, and the record that was written of one; null where the line was asked for."""

    line: str
    record: str | None


class PublishedGameJson(TypedDict):
    """A game of a site: where it was read, and its pages in the folder of the site."""

    file: str
    game: int
    pages: list[str]
    running: bool


class PublishTotals(TypedDict):
    """Games of the site, and files written, left as they were, and removed."""

    games: int
    written: int
    same: int
    removed: int


class DumpedFileJson(TypedDict):
    """A file of a dump: how many games it holds, and its size and SHA-256 as it is and unpacked."""

    name: str
    games: int
    bytes: int
    sha256: str
    text_bytes: int
    text_sha256: str


class DumpTotals(TypedDict):
    """Games read, written and left out."""

    games: int
    written: int
    left_out: int
