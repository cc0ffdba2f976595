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


class FitJson(TypedDict):
    """Pearson's test: chi-squared, degrees of freedom, and how likely chance alone would differ so much."""

    chi_squared: float
    freedom: int
    p: float


class OfSeatsJson(TypedDict):
    """Games of one number of players: wins by place (without `shared` ones), and turns; `fit` tests equal chances."""

    players: int
    games: int
    wins: list[int]
    shared: int
    shortest: int
    median: float
    longest: int
    fit: FitJson | None


class SourceJson(TypedDict):
    """Points of all players from one source."""

    source: str
    points: int


class TurnPointsJson(TypedDict):
    """Points that all players gained in turns of one number."""

    turn: int
    points: int


class OutcomesJson(TypedDict):
    """How often each outcome came, and whether all come equally often."""

    name: str
    counts: list[int]
    fit: FitJson | None


class PlaceWinsJson(TypedDict):
    """Games that were won from a place."""

    place: int
    games: int


class TraitJson(TypedDict):
    """Games with a trait, and who won them."""

    name: str
    value: str
    games: int
    wins: list[PlaceWinsJson]


class StatsJson(TypedDict):
    """All finished games of one kind. `seconds` is the median of the `timed` turns; `drawn` are sealed draws."""

    game: str
    games: int
    seats: list[OfSeatsJson]
    points: list[SourceJson]
    points_by_turn: list[TurnPointsJson]
    players: int
    dice: list[OutcomesJson]
    drawn: list[OutcomesJson]
    seconds: float | None
    timed: int
    traits: list[TraitJson]


class StatsTotals(TypedDict):
    """Games read, counted, left out because they go on, and refused."""

    games: int
    counted: int
    running: int
    refused: int


class PlyJson(TypedDict):
    """A move of a beginning, and who made it; chance is `*`."""

    who: str
    move: str


class SeatWinsJson(TypedDict):
    """Games that a seat won."""

    seat: str
    games: int


class BranchJson(TypedDict):
    """Finished games with the same first moves: how many, from how many set-ups, and who won them."""

    game: str
    moves: list[PlyJson]
    games: int
    set_ups: int
    wins: list[SeatWinsJson]
