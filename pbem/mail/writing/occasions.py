"""Why a mail is written: one value for each occasion, with what only that occasion knows.

What all mails need (the table, the reader, the deadlines) is not in here; how an occasion reads is for `pages`.

Who writes and who reads: the post, a correspondent, and what is written on one envelope.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from engine.game import Seat
from pbem.events.chain import Event
from pbem.mail.commands.command import Command
from pbem.mail.commands.parse_letter import ParsedLetter
from pbem.proof.draws import Opening
from pbem.proof.public_log import Checkpoint
from pbem.tables.decision import Decision, Said


@dataclass(frozen=True, slots=True)
class InvitationMail:
    """Somebody is invited; `by` is who invites, if a person does."""

    by: str = ""


@dataclass(frozen=True, slots=True)
class TurnMail:
    """It is the reader's turn. `since` are the events after the reader's last turn."""

    since: tuple[Event, ...] = ()
    dropped: Decision | None = None
    """What came of a plan of the reader that could not be played, if there was one."""
    resumed: Decision | None = None
    """What came of the rest of a letter of the reader that had waited for answers, if there was one."""


@dataclass(frozen=True, slots=True)
class ReplyMail:
    """A letter of the reader has been read: what was made of it, and what came of each command."""

    orders: ParsedLetter
    outcomes: tuple[tuple[Command, Decision], ...] = ()
    words: str = ""
    """The reader's own words, of which `orders` counts the lines."""
    cut: tuple[str, ...] = ()
    """First lines of what was taken for a quotation or a signature."""
    receipt: tuple[str, ...] = ()
    """The signed receipt for the letter, line by line."""
    after: tuple[Event, ...] = ()
    """What happened by itself after it, such as answers by standing orders."""
    resumed: Decision | None = None
    """What came of the rest of the letter, if its answers were there at once."""


@dataclass(frozen=True, slots=True)
class NewsMail:
    """Something happened that the reader has not done."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class DigestMail:
    """What happened since the reader's last summary or turn mail."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class ReminderMail:
    """The reader's time is running out, or has run out."""

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

    said: Said


@dataclass(frozen=True, slots=True)
class UnchangedMail:
    """A letter changed nothing: ``same-letter``, ``stale``, ``over``, ``watching`` or ``nothing``."""

    reason: str
    receipt: tuple[str, ...] = ()
    """The receipt that the letter got when it first came."""


@dataclass(frozen=True, slots=True)
class DoubtMail:
    """A letter for the reader's seat that may not be the reader's; `words` are what it says."""

    reason: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class NoticeMail:
    """Something that the referee or a player has to know: its kind, and a seat or other facts about it."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


Occasion: TypeAlias = (
    InvitationMail
    | TurnMail
    | ReplyMail
    | NewsMail
    | DigestMail
    | ReminderMail
    | GameOverMail
    | WordsMail
    | UnchangedMail
    | DoubtMail
    | NoticeMail
)


@dataclass(frozen=True, slots=True)
class Post:
    """The post as it appears on its mails. `key` makes the names of mails and threads, which nobody can guess."""

    address: str
    name: str
    key: bytes = field(repr=False)

    @property
    def domain(self) -> str:
        """What stands behind the @."""
        return self.address.rpartition("@")[2]


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Somebody who gets mail: where, in which language and time zone, how often, and whether as plain text only."""

    name: str
    address: str
    language: str = "en"
    zone: str = "UTC"
    plain: bool = False
    notices: str = "each"


@dataclass(frozen=True, slots=True)
class Envelope:
    """What is particular to one mail: who gets it, for which seat, which number it has, where an answer goes.

    `number` counts the mails to this reader in this game from 1. `tag` is the ticket for the subject, where the
    mail server does not deliver addresses with a ticket in them.
    """

    seat: Seat
    to: Correspondent
    number: int
    reply_to: str
    date: datetime
    tag: str = ""
    openings: tuple[Opening, ...] = ()
    """Hidden values that are shown to this reader, each so that it can be checked."""
    checkpoint: Checkpoint | None = None
    """Of the log of all games; None at a post that does not sign."""
    takes_answers: bool = True
    """Whether anybody reads what is answered: not from who only watches, nor from the referee, who has a desk."""
