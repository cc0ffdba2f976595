"""Occasions for a mail, each with the facts that only it has, and the envelope that all mails need.

What all mails share (the table, the reader, the deadlines) is passed beside the occasion.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from engine.game import Seat
from pbem.events.chain import Event
from pbem.events.kinds import InvitationAccepted
from pbem.mail.commands.command import Command
from pbem.mail.commands.parse_letter import ParsedLetter
from pbem.proof.draws import Opening
from pbem.proof.public_log import Checkpoint
from pbem.tables.decision import Decision, NoticeKind, PressMessage, PressReport
from pbem.tables.reliability import Counts


@dataclass(frozen=True, slots=True)
class InvitationMail:
    """Somebody is invited; `by` is who invites, if a person does."""

    by: str = ""
    answers: Mapping[str, Counts] = field(default_factory=dict)
    """How reliably those have answered so far whom we know, by their seats."""


@dataclass(frozen=True, slots=True)
class ReplyMail:
    """A letter of the reader was read: how it was understood, and the decision about each command."""

    parsed: ParsedLetter
    outcomes: tuple[tuple[Command, Decision], ...] = ()
    words: str = ""
    """The reader's own words; the line numbers in `parsed` count their lines."""
    cut: tuple[str, ...] = ()
    """First lines of what was taken for a quotation or a signature."""
    cut_short: bool = False
    """Whether the letter was so long that only its beginning was read."""
    receipt: tuple[str, ...] = ()
    """The signed receipt for the letter, line by line."""
    after: tuple[Event, ...] = ()
    """Events that followed by themselves, such as answers by standing orders."""
    resumed: Decision | None = None
    """The decision about the rest of the letter, if the answers that it waited for came at once."""

    @property
    def asks_proof(self) -> bool:
        """Whether the letter asks for everything that the game can be checked with."""
        return any(answer.kind == "proof" for _, decision in self.outcomes for answer in decision.answers)

    @property
    def needs_no_mail(self) -> bool:
        """Whether a turn mail tells all that came of the letter: moves were played, or an invitation was accepted."""
        return bool(self.outcomes) and all(
            _is_acceptance(decision)
            or (decision.drafts and decision.ruling is not None and decision.ruling.stopped is None)
            for _, decision in self.outcomes
        )


def _is_acceptance(decision: Decision) -> bool:
    """Whether an invitation was accepted and nothing else was asked for."""
    accepts = any(isinstance(draft.payload, InvitationAccepted) for draft in decision.drafts)
    return accepts and not decision.settings and not decision.answers


@dataclass(frozen=True, slots=True)
class TurnMail:
    """It is the reader's turn. `since` are the events after the reader's last turn."""

    since: tuple[Event, ...] = ()
    dropped: Decision | None = None
    """The decision about a plan of the reader that could not be played, if there was one."""
    resumed: Decision | None = None
    """The decision about the rest of a letter that had waited for answers, if there was one."""
    reply: ReplyMail | None = None
    """The answer to the letter by which it became the reader's turn again; it needs no mail of its own."""
    played: str = ""
    """What we have just played for the reader, whose time was up."""


@dataclass(frozen=True, slots=True)
class NewsMail:
    """Something happened that the reader did not do."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class DigestMail:
    """What happened since the reader's last summary or turn mail."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class ReminderMail:
    """The reader's time is running out, or has run out. `since` are the events that no mail has told the reader yet."""

    since: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class GameOverMail:
    """The game has ended."""

    since: tuple[Event, ...] = ()
    record: str = ""
    """The record with its proof; the bare one is attached where there is none."""


@dataclass(frozen=True, slots=True)
class WordsMail:
    """Somebody's words for the reader."""

    said: PressMessage
    number: int = 0
    """The number of their event, by which they can be reported."""


@dataclass(frozen=True, slots=True)
class ReportMail:
    """A player reports words to the referee, who reads this."""

    report: PressReport
    words: str = ""
    """What was said; empty if it was private and is not kept any more."""


UnchangedReason: TypeAlias = Literal["same-letter", "nothing", "watching", "no-ticket"]
"""Why a letter changed nothing: it came before, no receipt is kept, its writer only watches, or it has no ticket."""


@dataclass(frozen=True, slots=True)
class UnchangedMail:
    """A letter changed nothing."""

    reason: UnchangedReason
    receipt: tuple[str, ...] = ()
    """The receipt that the letter got when it first came."""
    waiting: tuple[tuple[str, datetime | None], ...] | None = None
    """All tables that wait for the reader, and until when; None if that is not to be said."""


AsideReason: TypeAlias = Literal["unread", "too-large", "failed", "held"]
"""Why a letter was put aside, as far as its writer needs to know."""


@dataclass(frozen=True, slots=True)
class DoubtMail:
    """A letter came for the reader's seat that was perhaps not sent by the reader. What it says is not passed on."""

    reason: str


@dataclass(frozen=True, slots=True)
class NoticeMail:
    """Something that the referee or a player has to know: its kind, the seat that it is about, and its subject."""

    kind: NoticeKind
    seat: Seat = ""
    about: str = ""
    since: tuple[Event, ...] = ()
    """What else the reader has not been told yet, where no other mail tells it."""


Occasion: TypeAlias = (
    InvitationMail
    | TurnMail
    | ReplyMail
    | NewsMail
    | DigestMail
    | ReminderMail
    | GameOverMail
    | WordsMail
    | ReportMail
    | UnchangedMail
    | DoubtMail
    | NoticeMail
)


@dataclass(frozen=True, slots=True)
class Post:
    """The post as it appears on its mails. `key` makes Message-IDs that nobody can guess.

    `run` is another each time that the post is opened. It makes Message-IDs that no mail has which was sent before the
    post went back to an older copy of its database.
    """

    address: str
    name: str
    key: bytes = field(repr=False)
    run: str = ""

    @property
    def domain(self) -> str:
        """The part of the address after the @."""
        return self.address.rpartition("@")[2]


@dataclass(frozen=True, slots=True)
class Correspondent:
    """A reader of mails: address, language, time zone, how often to write, and whether as plain text only."""

    name: str
    address: str
    language: str = "en"
    zone: str = "UTC"
    plain: bool = False
    notices: str = "each"
    calendar: bool = False
    """Whether deadlines go into the reader's calendar."""
    offset: int | None = None
    """By how many minutes the reader's clock seems to be ahead of UTC, by an earlier mail; None if none told."""


@dataclass(frozen=True, slots=True)
class CalendarChange:
    """What becomes of the entry in the reader's calendar that stands for a deadline: it is set, moved or removed."""

    uid: str
    sequence: int
    """0 for a new entry, and one more each time that it changes."""
    deadline: datetime
    cancelled: bool = False
    summary: str = ""
    """What an entry that is removed was called; one that is set is called as the subject of a turn mail."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """What is particular to one mail: its reader, seat, number and reply address.

    `number` counts the mails to this reader in this game from 1. `tag` is the ticket for the subject, for mail servers
    that do not deliver addresses with a ticket in them.
    """

    seat: Seat
    to: Correspondent
    number: int
    reply_to: str
    date: datetime
    tag: str = ""
    openings: tuple[Opening, ...] = ()
    """Hidden values that this reader may see, with what is needed to check them."""
    checkpoint: Checkpoint | None = None
    """The signed state of the log of all games; None at a post that does not sign."""
    thread: str = ""
    """The subject of the mail that this one answers or goes on from; empty if there is none."""
    takes_answers: bool = True
    """Whether an answer is read as a player's: not from observers, and not from a referee."""
    case: int = -1
    """The case that a referee's answer is about, 0 if none; -1 if the reader cannot answer as a referee."""
    calendar: CalendarChange | None = None
    """What becomes of the reader's calendar entry; None if it stays as it is, or if none is wanted."""
    muted: tuple[Seat, ...] = ()
    """The players whose words the reader does not want to read."""
    hints: bool = False
    """Whether a turn is suggested, because the reader is new to the game or has asked for it."""
