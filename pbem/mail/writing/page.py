"""A mail before it is rendered, and the context that the modules of this room write it in."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from engine.game import Seat
from pbem.mail.writing.blocks import Block, Link, write_link
from pbem.mail.writing.board_pictures import BoardPictures, Pictures
from pbem.mail.writing.choices import Choices, find_choices
from pbem.mail.writing.event_descriptions import EventDescriber
from pbem.mail.writing.gains import Gains
from pbem.mail.writing.occasions import Envelope
from pbem.mail.writing.sentences import Sentences
from pbem.tables.table import Table

MailKind: TypeAlias = Literal[
    "invitation",
    "turn",
    "reminder",
    "news",
    "vote",
    "case",
    "pause",
    "called-off",
    "digest",
    "game-over",
    "press",
    "receipt",
    "answer",
    "refusal",
    "question",
    "stands",
    "doubt",
    "notice",
]
"""Every kind of mail. The twin worlds of tests/post/secrets must bring about each of them."""


@dataclass(frozen=True, slots=True)
class Page:
    """A mail before it is rendered: its kind, its headline, and its blocks from top to bottom."""

    kind: MailKind
    headline: str
    blocks: tuple[Block, ...]
    answers: bool = False
    """True if the mail answers a letter."""
    record: str = ""
    """The record to attach, if any."""
    board: BoardPictures | None = None
    """The board to draw at the end of the text part, if any."""


class MailContext:
    """Everything that is needed to write to one reader about one table."""

    def __init__(
        self,
        table: Table,
        envelope: Envelope,
        *,
        sentences: Sentences,
        pictures: Pictures,
        gains: Gains,
        deadlines: Mapping[Seat, datetime],
        subject: str,
    ) -> None:
        self.table = table
        self.envelope = envelope
        self.sentences = sentences
        self.say = sentences.say
        self.pictures = pictures
        self.deadlines = deadlines
        self.describer = EventDescriber(
            table, envelope.seat, sentences, gains=gains, shows_points=pictures.shows_points(table)
        )
        self._subject = subject

    @property
    def seat(self) -> Seat:
        """The reader's seat; a referee or an observer has none of the table's."""
        return self.envelope.seat

    @property
    def today(self) -> date:
        """The date in the reader's time zone."""
        return self.envelope.date.astimezone(ZoneInfo(self.envelope.to.zone)).date()

    @cached_property
    def due(self) -> tuple[Seat, ...]:
        """The seats that must act now."""
        return self.table.due

    @cached_property
    def board(self) -> BoardPictures | None:
        """The board as the reader sees it; None before the start."""
        if self.table.position is None:
            return None
        return self.pictures.board(self.table, self.seat, self.sentences.locale)

    @cached_property
    def choices(self) -> Choices | None:
        """What the reader can do now; None if it is not the reader's turn."""
        found = find_choices(self.table, self.seat)
        return None if found is None else found.said_by(self.sentences.to_send)

    def order(self, phrase: str) -> str:
        """Moves as an order inside a sentence, in the reader's language and with the names of players."""
        return self.describer.turns.say_order(phrase)

    def link(self, label: str, body: str) -> Link:
        """An answer to this mail, already written."""
        return write_link(label, self.envelope.reply_to, self._subject, body)
