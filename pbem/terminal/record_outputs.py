"""What commands about games and records print with --json, as typed dictionaries.

Commands build their output as these types, so mypy checks the keys, and `pbem schema` makes the JSON Schemas from the
same types. Nothing else imports this module when a program runs: a command that prints text does not pay for it.
"""

from typing import Any, TypedDict


class VerdictJson(TypedDict):
    """Why something breaks a rule, and legal moves near to it."""

    code: str
    name: str
    detail: str
    instead: list[str]


class RefusalJson(VerdictJson):
    """Where a record breaks a rule. `column` is null where `text` is not the line as it was written."""

    file: str
    line: int
    column: int | None
    text: str
    start: int
    length: int
    header: str | None
    seat: str | None
    turn: int | None
    move: int | None
    state: str | None


class FaultJson(TypedDict):
    """A text that cannot be read: where, what was read there, and what was expected."""

    code: str
    name: str
    line: int
    column: int
    length: int
    text: str
    read: str
    expected: list[str]
    meant: str
    example: str
    message: str


class GameFaultJson(FaultJson):
    """A game of a file that cannot be read."""

    file: str
    game: int


class EndingJson(TypedDict):
    """How a game ended."""

    kind: str
    seats: list[str]
    reason: str


class ScoreLineJson(TypedDict):
    """Points from one source."""

    source: str
    rule: str
    points: int
    detail: str


class SeatScoreJson(TypedDict):
    """The points of a seat; null while the rules hide them."""

    seat: str
    points: int | None
    lines: list[ScoreLineJson]


class ScoreJson(TypedDict):
    """The points of all seats; nobody has won before the end."""

    winners: list[str]
    seats: list[SeatScoreJson]


class GameJson(TypedDict):
    """How far a game has come. `seats` names the player of each seat."""

    id: str | None
    game: str
    rules: str
    seats: dict[str, str]
    turns: int
    plies: int
    to_act: list[str]
    ending: EndingJson | None
    finished: bool
    result: str | None
    score: ScoreJson


class ShownJson(GameJson):
    """A position: what a viewer may see of it, in the game's own terms, and the file with the picture."""

    view: dict[str, Any]
    file: str | None


class EarnedJson(TypedDict):
    """Points that an entry brought."""

    seat: str
    source: str
    points: int


class ReplayedEntryJson(TypedDict):
    """One entry of a record, and what it earned."""

    turn: int
    who: str
    moves: str
    earned: list[EarnedJson]


class ReplayedJson(GameJson):
    """A game, entry by entry, up to the first that is refused."""

    file: str
    entries: list[ReplayedEntryJson]
    view: dict[str, Any]
    refusal: RefusalJson | None


class UnplayedJson(TypedDict):
    """A game whose headers are refused, so that nothing could be played."""

    file: str
    refusal: RefusalJson


class RemedyJson(TypedDict):
    """The smallest change that would make a refused move legal.

    `kind` is `piece`, `stock` or `order`; `places` are those of the board that it is about; `moves` come first, or are
    all of them in another order.
    """

    kind: str
    detail: str
    places: list[str]
    moves: str


class JudgedMoveJson(TypedDict):
    """What a player sent in: whether it could be read (`fault`) and whether it is legal (`verdict`)."""

    seat: str
    turn: int
    legal: bool
    phrase: str
    later: str
    complete: bool
    still: int
    move: int | None
    fault: FaultJson | None
    verdict: VerdictJson | None
    remedy: RemedyJson | None


class WarningJson(TypedDict):
    """Something odd about a game that stands: `variation` (one that breaks the rule `code`) or `id` (not its own)."""

    kind: str
    file: str
    game: int
    line: int
    code: str | None
    detail: str


class RefusedSumJson(TypedDict):
    """How many games broke one rule, and where the first of them is."""

    code: str
    name: str
    games: int
    first: str


class ValidateTotals(TypedDict):
    """How many games were judged and refused, and what is odd about others."""

    games: int
    refused: int
    warnings: list[WarningJson]


class FormattedJson(TypedDict):
    """A file, and whether its canonical form differs."""

    file: str
    changed: bool


class DifferenceJson(TypedDict):
    """The first difference of two games. `turn` and `ply` are null before the first move."""

    game: int
    kind: str
    turn: int | None
    ply: int | None
    left: str | None
    right: str | None
    lines: list[int | None]


class MissingGameJson(TypedDict):
    """A game that only one of two files has."""

    game: int
    kind: str
    only: str


class DiffTotals(TypedDict):
    """How many games were compared."""

    games: int


class ChangeJson(TypedDict):
    """The first thing that a newer edition of the rules would change."""

    kind: str
    turn: int | None
    entry: str
    says: str


class UpgradeJson(TypedDict):
    """A record under its own edition and under the newest one."""

    record: str
    game: str
    edition: str
    newest: str
    change: ChangeJson | None


class UpgradeTotals(TypedDict):
    """How many records were replayed, and how many a newer edition would change."""

    records: int
    changed: int


class MoveJson(TypedDict):
    """A legal move."""

    seat: str
    move: str


class LegalCountJson(TypedDict):
    """How many legal moves there are."""

    turn: int
    to_act: list[str]
    count: int


class LegalJson(LegalCountJson):
    """The legal moves."""

    moves: list[MoveJson]


class SuggestionJson(TypedDict):
    """A whole turn, and the points it would bring at once."""

    turn: int
    seat: str
    moves: str
    gain: int


class DepthJson(TypedDict):
    """How many sequences of so many plies there are."""

    depth: int
    count: int


class EndsJson(TypedDict):
    """In how many ways the turn of a seat can end."""

    seat: str
    ends: int


class SampleJson(TypedDict):
    """A random game; its `text`, or the `file` it was written to."""

    id: str | None
    game: str | None
    seats: list[str]
    result: str | None
    file: str | None
    text: str | None


class OptionJson(TypedDict):
    """What can be chosen before a game begins."""

    name: str
    about: str
    default: str | None
    drawn: bool


class KnownGameJson(TypedDict):
    """A game that can be played."""

    key: str
    title: str
    players: list[int]
    seats: list[str]
    editions: list[str]
    options: list[OptionJson]


class RuleJson(TypedDict):
    """A rule, and a move that breaks it beside one that obeys."""

    code: str
    name: str
    text: str
    source: str
    breaks: str
    obeys: str
    ruling: bool
    book: str
    why: str


class RulesJson(TypedDict):
    """The rules of a game."""

    game: str
    edition: str
    rules: list[RuleJson]


class VerifyFindingJson(TypedDict):
    """Something wrong: which check found it, in which line, and why."""

    check: str
    line: int
    reason: str


class VerifiedJson(TypedDict):
    """Whether a record can be believed."""

    file: str
    game: str
    believed: bool
    findings: list[VerifyFindingJson]
    sealed: int
    rollbacks: int
    withheld_names: int
    withheld_words: int
    whole: bool
    remarks: list[str]
    mails_read: int
    mails_about: int


class VerifyTotals(TypedDict):
    """How many records were checked, and how many can be believed."""

    records: int
    believed: int


class ContractCheckJson(TypedDict):
    """One check of the contract that every game keeps, and what is wrong if it does not hold."""

    check: str
    about: str
    edition: str
    players: int | None
    holds: bool
    says: str
