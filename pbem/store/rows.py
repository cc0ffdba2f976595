"""The rows that the store takes and returns: plain frozen classes that know nothing of the database."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


Fate = Literal["applied", "refused", "duplicate", "automatic", "quarantined", "waiting"]
"""The outcome of a letter; every letter gets exactly one, with a reason."""

LetterState = Literal["received"] | Fate

FATES: Final[tuple[Fate, ...]] = ("applied", "refused", "duplicate", "automatic", "quarantined", "waiting")

MailState = Literal["queued", "sending", "sent", "failed", "held"]

MAIL_STATES: Final[tuple[MailState, ...]] = ("queued", "sending", "sent", "failed", "held")

TRIES: Final = 3
"""How often work on a letter may fail before it is put in quarantine for a person to look at."""
KILLS: Final = 5
"""How often the process may be killed with a letter in hand before that letter is put in quarantine.

More than `TRIES`: it is mostly not the letter's fault. But a letter that is must not stop the post for ever.
"""


def values_of(row: "DataclassInstance") -> dict[str, Any]:
    """The values of a row by column."""
    return {column: getattr(row, column) for column in row.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class LetterRow:
    """A letter with its bytes and what is known about it."""

    id: int
    raw: bytes = field(repr=False)
    received_at: datetime
    intake: str
    env_from: str | None
    env_to: tuple[str, ...]
    state: LetterState
    reason: str
    attempts: int
    game: str | None
    seat: str | None
    sha256: str
    """The digest of its bytes, taken when it arrived."""
    begun: int
    """How often work on it began; `attempts` counts how often it failed."""
    claims: int = 0
    """How often somebody took it up; the last time is the only one that counts."""
    lane: str | None = None
    """Letters in one lane are worked on one after the other. None until somebody has looked whose letter it is."""

    @property
    def exhausted(self) -> bool:
        """Whether it was tried too often, or too often in hand when the process was killed."""
        return self.attempts >= TRIES or self.begun - self.attempts >= KILLS


class SeenLetter(NamedTuple):
    """What makes two letters with different bytes the same: a program that sends again may change other headers.

    The seat belongs to it, because one mail can be meant for several tables.
    """

    player: str
    message_id: str
    body_sha256: str
    game: str
    seat: str


class Taken(NamedTuple):
    """The next letter to work on; if it is `exhausted`, it must not be tried again but put in quarantine."""

    letter: LetterRow
    exhausted: bool


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game, and the end of its chain of events."""

    id: str
    stage: str
    seed: bytes = field(repr=False)
    created_at: datetime
    head_seq: int = 0
    head_hash: str = ""
    blind: bytes = field(repr=False, default=b"")


@dataclass(frozen=True, slots=True)
class StandingRow:
    """How a game stands after its last event, kept so that nobody must fold it to look.

    `due` has the seats that must act or accept, each with its deadline, if any; `more` is JSON for whoever wrote it. It
    is empty if nothing is kept: then only the events say how the game stands.
    """

    game: str
    stage: str
    turn: int = 0
    due: Mapping[str, str | None] = field(default_factory=dict)
    awaits_round: int = 0
    more: str = ""


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event. `data` is canonical JSON, stored to the byte because the hash covers it; so is `at`.

    `sealed` is JSON that must stay secret until its time comes, or empty; the `commitments` to it are public. `told` is
    JSON of the names and words that `data` have sealed, with their salts; they can be thrown away.
    """

    game: str
    seq: int
    kind: str
    data: str
    at: str
    prev: str
    hash: str
    inbox_id: int | None = None
    sealed: str = ""
    commitments: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class PlyRow:
    """What was played at one point of a game: part `part` of turn `turn` in epoch `epoch`. Each point is used once."""

    game: str
    epoch: int
    turn: int
    part: int
    seat: str
    canonical: str
    event_seq: int


PersonState = Literal["invited", "confirmed", "silent", "forgotten"]
"""Invited: has never written to us. Confirmed: has. Silent: wants no mail. Forgotten: only the id is left."""

PERSON_STATES: Final[tuple[PersonState, ...]] = ("invited", "confirmed", "silent", "forgotten")

NoticeState = Literal["gathering", "begun", "closed", "lapsed"]

NOTICE_STATES: Final[tuple[NoticeState, ...]] = ("gathering", "begun", "closed", "lapsed")

PlaceState = Literal["free", "asked", "taken"]

PLACE_STATES: Final[tuple[PlaceState, ...]] = ("free", "asked", "taken")


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody who plays here. The id is random, says nothing about the person, and is never used again."""

    id: str
    name: str
    name_key: str
    """The name as others may not have it too: folded, without marks and look-alikes."""
    state: PersonState
    since: datetime
    generation: int = 0
    """Raised to make all reply addresses of this person worthless."""


@dataclass(frozen=True, slots=True)
class AddressRow:
    """A mail address of a person. Letters are taken from each that is confirmed; mails go to the one that `writes`."""

    address: str
    person: str
    confirmed_at: datetime | None = None
    writes: bool = True


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """A table that waits for players."""

    id: str
    game: str
    opener: str
    state: NoticeState
    created_at: datetime
    due_at: datetime | None
    """When it must be looked at next: to remind the opener, or because it lapses."""
    pace: timedelta
    """The time for a turn."""
    terms: Mapping[str, Any]
    options: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    word: str = ""
    """The word without which nobody joins; empty if the table is open to all."""
    seed: bytes = field(repr=False, default=b"")
    blind: bytes = field(repr=False, default=b"")
    least: int = 0
    """With how many players its opener may start; 0: only with all."""


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A place at such a table. By the digest and the mark of the letter that took it, the game will be accepted."""

    id: int
    notice: str
    state: PlaceState
    person: str
    seat: str
    created_at: datetime
    letter: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class PendingRow:
    """An act that waits for a second letter."""

    id: int
    person: str
    kind: str
    data: Mapping[str, Any]
    created_at: datetime
    due_at: datetime


@dataclass(frozen=True, slots=True)
class SeatRow:
    """The player in a seat: where mails go and in what form.

    Address and wishes are the person's; what was wished for this table alone goes before what was wished for all.
    """

    game: str
    seat: str
    address: str
    name: str
    language: str = "en"
    zone: str = "UTC"
    notices: str = "each"
    plain: bool = False
    mails_sent: int = 0
    paused: bool = False
    bounces: int = 0
    last_seen_seq: int = 0
    person: str = ""


@dataclass(frozen=True, slots=True)
class AnswerCountRow:
    """How one person has answered at one table; `who` is the id that the table's events have for this person."""

    game: str
    who: str
    person: str
    on_time: int = 0
    late: int = 0
    missed: int = 0
    excused: int = 0
    games_left: int = 0


@dataclass(frozen=True, slots=True)
class NewMail:
    """A mail to be sent, complete to the last byte.

    A part that is the same in many mails, such as a picture, is in `shared` and is stored once; it belongs into `raw`
    at `shared_at`.
    """

    message_id: str
    recipient: str
    kind: str
    raw: bytes = field(repr=False)
    game: str | None = None
    seat: str | None = None
    shared: bytes = field(repr=False, default=b"")
    shared_at: int = 0
    head_seq: int | None = None
    """The last event of its game when it was written."""


@dataclass(frozen=True, slots=True)
class MailRow:
    """A mail in the outbox. `attempts` counts the tries that began, the present one included if it is claimed."""

    id: int
    message_id: str
    recipient: str
    kind: str
    raw: bytes = field(repr=False)
    game: str | None
    seat: str | None
    state: MailState
    attempts: int
    not_before: datetime
    last_error: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """What a sender was told about a letter, stored so that the same can be sent again."""

    inbox_id: int
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Counters:
    """How many letters arrived, counted on arrival, and how many have which outcome, counted by their rows."""

    received: int
    unread: int
    applied: int
    refused: int
    duplicate: int
    automatic: int
    quarantined: int
    waiting: int

    @property
    def difference(self) -> int:
        """Letters that arrived and cannot be found; must be 0."""
        fates = self.applied + self.refused + self.duplicate + self.automatic + self.quarantined + self.waiting
        return self.received - self.unread - fates


class Extent(NamedTuple):
    """How far a database has come. Each number only ever grows."""

    letters: int
    events: int
    mails: int
    log: int
