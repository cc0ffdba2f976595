"""What commands about a post print with --json, as typed dictionaries; see `record_outputs`."""

from typing import TypedDict

from pbem.terminal.record_outputs import GameJson


class DemoJson(GameJson):
    """A game played by mail: where everything lies, how many letters and mails there were, and the game."""

    record: str
    picture: str
    page: str
    settings: str
    letters_folder: str
    mailboxes: str
    letters: int
    mails: int
    refusal: str


class CreatedPostJson(TypedDict):
    """The files of a new post."""

    settings: str
    key: str
    signing_key: str
    database: str


class NewTableJson(TypedDict):
    """A new table; `seats` has the address of each player, `notes` who holds two roles at it."""

    table: str
    game: str
    seats: dict[str, str]
    notes: list[str]
    headers: dict[str, str]


class RecordJson(TypedDict):
    """The record of a table, and the file it was written to, if any."""

    table: str
    text: str
    file: str | None


class ImportedJson(TypedDict):
    """A record that became a table; `notes` tells who holds two roles at it."""

    table: str | None
    turns: int
    notes: list[str]


class LogLineJson(TypedDict, total=False):
    """A line of the log of all games: `kind` is "opened", how the game ended, "restored", or "key" for a new key."""

    at: str
    game: str
    seq: int
    head: str
    kind: str
    result: str
    seed: str
    blind: str
    key: str
    signature: str


class LogTotals(TypedDict):
    """The length of the log, and its last checkpoint as a signed note."""

    size: int
    checkpoint: str | None


class KeyJson(TypedDict):
    """The public key of a post."""

    post: str
    id: str
    public: str


class ObserverJson(TypedDict):
    """Somebody who watches a table."""

    table: str
    name: str
    address: str


class AnswersJson(TypedDict):
    """What came of the answers that were asked of a person, at all tables together."""

    on_time: int
    late: int
    missed: int
    excused: int
    games_left: int


class RefereeJson(TypedDict):
    """Somebody who decides disputes at a table, or, where no table is named, at the post."""

    table: str
    name: str
    address: str


class PersonJson(TypedDict):
    """A person: id, name, addresses, wishes, all tables, those where a game goes on, and how reliably they answer."""

    person: str
    name: str
    state: str
    since: str
    addresses: list[str]
    wishes: dict[str, str]
    tables: list[str]
    live: list[str]
    answers: AnswersJson


class ExportedJson(TypedDict):
    """The archive of all that is kept of a person."""

    person: str
    file: str
    bytes: int


class RoundJson(TypedDict):
    """A round of the beacon that a table waits for."""

    table: str
    round: int
    out: str
    is_out: bool
    url: str


class TakenRoundJson(TypedDict):
    """A round that was brought, and the tables that go on with it."""

    round: int
    tables: list[str]


class EventsJson(TypedDict):
    """What a referee did: the kinds of event that followed; `notes` tells who holds two roles at the table."""

    table: str
    events: list[str]
    notes: list[str]


class BundleJson(TypedDict):
    """A bundle: how many letters are in it, and how many only as digests."""

    table: str
    file: str
    letters: int
    digests: int


LetterJson = TypedDict(  # `from` is a keyword, so this cannot be a class
    "LetterJson",
    {
        "letter": int,
        "received_at": str,
        "intake": str,
        "from": str | None,
        "to": list[str],
        "bytes": int,
        "cut": bool,
        "state": str,
        "reason": str,
        "attempts": int,
    },
)


class LetterTextJson(LetterJson):
    """A letter in quarantine, and the file it was written to, if any."""

    text: str
    file: str | None


class RedrivenJson(TypedDict):
    """A letter that will be tried again."""

    letter: int


class TableStatusJson(TypedDict):
    """How a table is doing; `waits_for` has the deadline of each seat that is due, `free` the seats nobody has yet.

    `pencilled` has the moment of each move that waits to be played.
    """

    table: str
    game: str
    stage: str
    turn: int
    waits_for: dict[str, str | None]
    pauses: list[str]
    result: str
    cases: list[int]
    warrants: int
    free: list[str]
    pencilled: dict[str, str]


class StatusTotals(TypedDict):
    """All counts of the post by name, why mails could not leave (`last_error`), and what takes the room in bytes.

    `measured_at` is when that was measured, if it was not now; `file` and `free` are always of now.
    """

    health: dict[str, int | str | None]
    room: dict[str, int | str | None]


class HandledLetterJson(TypedDict):
    """What became of a letter."""

    letter: int
    fate: str
    reason: str
    game: str | None
    seat: str | None


class ClockJson(TypedDict):
    """What a clock brought about."""

    clock: str
    game: str | None
    seat: str | None


class TickTotals(TypedDict, total=False):
    """How many letters and clocks were handled; or who is doing that now (`left_to`)."""

    letters: int
    clocks: int
    left_to: str


class SetbackJson(TypedDict):
    """A mail that was put off, or has failed for good."""

    mail: int
    kind: str
    game: str | None
    seat: str | None
    reason: str
    failed: bool


class SentJson(TypedDict):
    """How many mails were sent, put off, and failed."""

    sent: int
    later: int
    failed: int
    setbacks: list[SetbackJson]


class BusyTotals(TypedDict):
    """Who is doing it now."""

    left_to: str


class FetchedJson(TypedDict):
    """Letters fetched from a mailbox, or why it could not be read."""

    way: str
    letters: int
    trouble: str | None


class CheckJson(TypedDict):
    """Something about a post that was checked."""

    about: str
    state: str
    told: str


class BackupJson(TypedDict):
    """A copy of the database."""

    file: str
    bytes: int


class CompactedJson(TypedDict):
    """The size of the database before it was written anew, and after."""

    before: int
    after: int


class MovedJson(TypedDict):
    """Where the post is now, and what is in it."""

    url: str
    games: int
    events: int
    letters: int


class LostJson(TypedDict):
    """What the database that was there has more than the copy."""

    events: int
    letters: int
    mails: int


class RestoredJson(TypedDict):
    """A copy that was put in the place of the database, or was tried."""

    file: str
    rehearsed: bool
    games: int
    events: int
    newest: str | None
    live: list[str]
    lost: LostJson | None
    kept: str | None


class AcceptedJson(TypedDict):
    """A table that goes on although its history is shorter than it was."""

    table: str


class AskedAgainJson(TypedDict):
    """A table whose players got new mails, because the key of reply addresses was stolen."""

    table: str
