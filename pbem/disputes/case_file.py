"""The facts of a case as plain values: everything about a disputed turn that a page can show."""

from dataclasses import dataclass, field
from typing import Literal

from pbem.disputes.trace import TraceStop

Mismatch = Literal["envelope", "no-check", "failed-check"]
"""What about a letter does not fit: its envelope names another sender; nobody checked the sender; the check failed."""


@dataclass(frozen=True, slots=True)
class CitedRule:
    """A rule that was broken: its text, its source, and the detail of this case."""

    code: str
    name: str
    text: str
    source: str
    detail: str


@dataclass(frozen=True, slots=True)
class CasePicture:
    """The board at one moment, as SVG and as text."""

    caption: str
    svg: str = field(repr=False)
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """Moves of the disputed turn as they are in the record, and what the rules say about them."""

    seq: int
    at: str
    who: str
    said: str
    by: str
    letter: str
    against: CitedRule | None = None


@dataclass(frozen=True, slots=True)
class LetterItem:
    """A letter for the disputed turn.

    What only its sender may know is left out: `understood`, `against`, `body`, and the size and headers that follow.
    """

    number: int
    received: str
    way: str
    envelope: str
    sender: str
    digest: str
    size: int | None
    fate: str
    reason: str
    seat: str
    ticket: str
    authentic: str
    authentication: tuple[str, ...]
    head: str
    withheld: str = ""
    """Why the rest is not shown; empty if everything is."""
    understood: tuple[str, ...] = ()
    against: CitedRule | None = None
    repeats: str = ""
    """Whether the letter has the same result when it is read and judged again."""
    body: str = ""
    receipt: tuple[str, ...] = ()
    genuine: bool = True
    """Whether this is the letter that came, judging by the chain and the receipt."""
    doubts: tuple[str, ...] = ()
    """Where the database contradicts what was noted and signed when the letter came."""
    promptness: str = ""
    """Whether it came before the deadline; empty if its seat was not due."""
    counted: str = ""
    """When it counts as received: by the first of our servers that had it, else as it came to the post."""
    skew: int = 0
    """By how many seconds the clock of the last server is ahead of the post's, at least."""
    trace: tuple[TraceStop, ...] = ()
    """The servers on its way, the last one first."""
    mismatches: tuple[Mismatch, ...] = ()
    """What speaks against its sender: the envelope is another's, or nobody vouches for it."""


@dataclass(frozen=True, slots=True)
class DeadlineItem:
    """One time that a seat was due in the disputed turn, and its answer."""

    seat: str
    since: str
    deadline: str
    answered: str
    verdict: str
    event: int = 0
    """The number of the move that settled it; 0 if none did."""


@dataclass(frozen=True, slots=True)
class DrawItem:
    """A draw in the disputed turn, and what can be shown about it."""

    seq: int
    said: str
    epoch: int
    place: int
    moves: str
    fits: bool | None
    """Whether the committed seed gives it. None if we do not have that seed: drawn elsewhere, or `lost`."""
    picks: tuple[str, ...] = ()
    """What the dealer was asked and answered; only once the seed is open."""
    statement: tuple[str, ...] = ()
    """The post's signed statement on whether it fits."""
    lost: bool = False
    """Whether the database no longer has the committed seed."""


@dataclass(frozen=True, slots=True)
class RulingItem:
    """A ruling, and what it changed in the record."""

    ruling: str
    reason: str
    at: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WarrantItem:
    """A warrant."""

    seat: str
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class CaseHead:
    """The head of the chain at a moment that matters."""

    when: str
    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class CaseFile:
    """One disputed turn. `case` is 0 if there is no case about it."""

    table: str
    game: str
    title: str
    rules: str
    stage: str
    seats: tuple[tuple[str, str], ...]
    viewer: str
    turn: int
    case: int = 0
    by: str = ""
    since: str = ""
    words: str = ""
    state: str = ""
    warrants_at_the_table: int = 0
    warrants: tuple[WarrantItem, ...] = ()
    rulings: tuple[RulingItem, ...] = ()
    pictures: tuple[CasePicture, ...] = ()
    moves: tuple[PlayedTurn, ...] = ()
    letters: tuple[LetterItem, ...] = ()
    times: tuple[DeadlineItem, ...] = ()
    control: str = ""
    terms: tuple[str, ...] = ()
    """The same in words, in the language of the page."""
    draws: tuple[DrawItem, ...] = ()
    promised: tuple[tuple[str, str], ...] = ()
    """The commitments that the invitation published, by name."""
    opened: tuple[tuple[str, str], ...] = ()
    """The secrets behind them, once the game is over."""
    heads: tuple[CaseHead, ...] = ()
