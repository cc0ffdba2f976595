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


class TwinGameJson(TypedDict):
    """A game of an archive: its file, its number and its line there, its id, and how many moves it has."""

    file: str
    game: int
    line: int
    id: str
    moves: int


class TwinsJson(TypedDict):
    """Games that are like each other: `same`, `contained` (others in the game), `transposed`, `near` or `few moves`."""

    relation: str
    game: TwinGameJson
    others: list[TwinGameJson]


class TwinsTotals(TypedDict):
    """Games read and compared, and how many are the same as another one, contained in one, and so on."""

    games: int
    compared: int
    same: int
    contained: int
    transposed: int
    near: int


class MergedJson(TypedDict):
    """A game that was joined: remarks of the first copy alone, of the second and of both; and what is to be known."""

    id: str | None
    first: int
    second: int
    both: int
    notes: list[str]


class MergeTotals(TypedDict):
    """Games written, and how many of them were in both files."""

    games: int
    joined: int
