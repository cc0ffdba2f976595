"""What the store takes and gives: plain frozen rows, free of the database library.

Moments as text: UTC, to the second, in one fixed width, so that they sort as they follow each other.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


Fate = Literal["applied", "refused", "duplicate", "automatic", "quarantined", "waiting"]
"""What became of a letter; every letter gets exactly one, with a reason."""

LetterState = Literal["received"] | Fate

FATES: Final[tuple[Fate, ...]] = ("applied", "refused", "duplicate", "automatic", "quarantined", "waiting")

MailState = Literal["queued", "sending", "sent", "failed", "held"]

MAIL_STATES: Final[tuple[MailState, ...]] = ("queued", "sending", "sent", "failed", "held")

TRIES: Final = 3
"""How often a letter is tried before it is put aside for a person."""


class Arrival(NamedTuple):
    """A letter at the door: its bytes, the door, and what the envelope said, if there was one."""

    raw: bytes
    intake: str
    env_from: str | None = None
    env_to: tuple[str, ...] = ()


class Received(NamedTuple):
    """A letter that is on the disk now; a duplicate is to the byte one that was there before."""

    id: int
    duplicate: bool


def values_of(row: "DataclassInstance") -> dict[str, Any]:
    """A row as values by column."""
    return {column: getattr(row, column) for column in row.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class LetterRow:
    """A letter with its bytes and what is known of it."""

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
    """The digest of its bytes, as it was taken at the door."""


class Taken(NamedTuple):
    """The next letter to work on; `poison` if it was tried too often, and lies in quarantine now."""

    letter: LetterRow
    poison: bool


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game at the post, and the end of its chain of events."""

    id: str
    stage: str
    seed: bytes = field(repr=False)
    created_at: datetime
    head_seq: int = 0
    head_hash: str = ""
    blind: bytes = field(repr=False, default=b"")


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event. `data` is canonical JSON, kept to the letter because the hash is over it; `at` likewise.

    `sealed` is what must not leave the house before its time, as JSON, or empty; `commitments` to it are public.
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


@dataclass(frozen=True, slots=True)
class PlyRow:
    """What was played in one place of a game. The place is taken once: part `part` of turn `turn` in epoch `epoch`."""

    game: str
    epoch: int
    turn: int
    part: int
    seat: str
    canonical: str
    event_seq: int


@dataclass(frozen=True, slots=True)
class SeatRow:
    """The person in a seat: where mails go and how they are wanted."""

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


@dataclass(frozen=True, slots=True)
class NewMail:
    """A mail to be sent, complete to the last byte.

    What is the same in many mails, as a picture is, stands apart in `shared` and is kept once; it belongs into `raw`
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


@dataclass(frozen=True, slots=True)
class MailRow:
    """A mail on its way. `attempts` counts the tries begun, this one included if it is claimed."""

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
    """What a sender was told about a letter, kept so that the same can be told again."""

    inbox_id: int
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Counters:
    """How many letters came, counted at the door, and what became of them, counted where they lie."""

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
        """Letters that came and cannot be found, which must be none."""
        fates = self.applied + self.refused + self.duplicate + self.automatic + self.quarantined + self.waiting
        return self.received - self.unread - fates


_FORM: Final = "%Y-%m-%dT%H:%M:%SZ"


def utc_now() -> datetime:
    """The clock on the wall; tests bring their own."""
    return datetime.now(UTC)


def write_moment(moment: datetime) -> str:
    """`2026-11-16T09:30:00Z`; a moment without a time zone is our own bug."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs its time zone")
    return moment.astimezone(UTC).strftime(_FORM)


def read_moment(text: str) -> datetime:
    """What `write_moment` wrote."""
    return datetime.fromisoformat(text)
