"""What commands about remarks, books and statistics print with --json: see `pbem.terminal.record_outputs`."""

from typing import TypedDict


class PlacedRemarkJson(TypedDict):
    """A remark of people: its number in the record, its place as `--at` takes it, its kind and its text."""

    number: int
    at: str
    kind: str
    text: str


class AnnotatedJson(TypedDict):
    """The file that holds the remarks of a game, and all of them. It is a copy where the record is sealed."""

    file: str
    game: int
    remarks: list[PlacedRemarkJson]


class EditionJson(TypedDict):
    """The book that was written, and how many games are in it."""

    file: str
    games: int


class EditionTotals(TypedDict):
    """Games read, in the book and left out. Of those `running`, only what everybody may know was written."""

    games: int
    written: int
    left_out: int
    running: int
