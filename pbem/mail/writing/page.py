"""A mail before it is rendered, and the context that the modules of this room write it in."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from engine.game import Seat
from engine.verdict import Remedy, Verdict, begin_sentence
from pbem.judging.submission import SubmissionResult, find_remedy
from pbem.mail.commands.letter_line import Question
from pbem.mail.writing.blocks import Block, Link, write_link
from pbem.mail.writing.board_pictures import BoardPictures, Pictures
from pbem.mail.writing.choices import Choices, find_choices, find_hint
from pbem.mail.writing.event_descriptions import EventDescriber
from pbem.mail.writing.gains import Gains
from pbem.mail.writing.occasions import Envelope
from pbem.mail.writing.sentences import Sentences, end_sentence, say_day, say_moment
from pbem.tables.decision import Refused
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
    "pencilled",
    "stands",
    "doubt",
    "notice",
]
"""Every kind of mail about a table. The twin worlds of tests/post/secrets must bring about each of them."""
PostMailKind: TypeAlias = Literal["welcome", "lobby"]
"""Every kind of mail that is about no table."""


@dataclass(frozen=True, slots=True)
class Page:
    """A mail before it is rendered: its kind, its headline, and its blocks from top to bottom."""

    kind: MailKind | PostMailKind
    headline: str
    blocks: tuple[Block, ...]
    point: str = ""
    """What inboxes show as the preview, as the first words of the mail; the headline if it is empty."""
    answers: bool = False
    """True if the mail answers a letter."""
    record: str = ""
    """The record to attach, if any."""
    board: BoardPictures | None = None
    """The board to draw at the end of the text part, if any."""
    proofs: tuple[Block, ...] = ()
    """What the mail proves; it stands at the very end of the text part, where mailboxes keep it, and nowhere else."""


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
    ) -> None:
        self.table = table
        self.envelope = envelope
        self.sentences = sentences
        self.say = sentences.say
        self.pictures = pictures
        self.gains = gains
        self.deadlines = deadlines
        self.describer = EventDescriber(
            *(table, envelope.seat, sentences),
            gains=gains,
            shows_points=pictures.shows_points(table),
            muted=envelope.muted,
        )
        self.subject = ""
        """The subject of the mail, and of the answers that its links open."""
        self._remedies: list[tuple[SubmissionResult, Remedy | None]] = []

    @property
    def seat(self) -> Seat:
        """The reader's seat; a referee or an observer has none of the table's."""
        return self.envelope.seat

    @property
    def today(self) -> date:
        """The date in the reader's time zone."""
        return self.local(self.envelope.date).date()

    def local(self, moment: datetime) -> datetime:
        """A moment in the reader's time zone."""
        return moment.astimezone(ZoneInfo(self.envelope.to.zone))

    @cached_property
    def title(self) -> str:
        """The name of the game in the reader's language."""
        return self.sentences.gettext(self.table.game.title)

    @cached_property
    def act(self) -> str:
        """What the reader is asked to do, as the beginning of a sentence."""
        if self.choices is None or self.board is None:
            return self.say("act_any")
        return self.sentences.act(self.board.view, self.seat, self.choices)

    @cached_property
    def offer(self) -> str:
        """What somebody offers the reader, in the game's own words; empty if it has none, or if nothing is offered."""
        names = {seat: self.describer.name(seat) for seat in self.table.seats}
        return self.sentences.offer(self.board.view, self.seat, names) if self.board is not None else ""

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

    def command(self, command: str) -> str:
        """A command by mail as the reader would write it."""
        return self.sentences.command(command)

    def refuse(self, broken: Verdict | Remedy | Refused | Question) -> tuple[str, str]:
        """What is wrong, or would help, as the reader is told: in a few words, and what else there is to say."""
        point, rest = self.sentences.refuse(broken.says, broken.facts, self.seat, self.describer.turns.names)
        return point, begin_sentence(end_sentence(rest))

    def remedy(self, ruling: SubmissionResult) -> Remedy | None:
        """What would make a refused move legal, looked for once; None if no small change does."""
        for known, found in self._remedies:
            if known is ruling:
                return found
        found = find_remedy(self.table.game, ruling)
        self._remedies.append((ruling, found))
        return found

    @cached_property
    def hint(self) -> str:
        """A turn that seems good, for a reader who is new to the game; empty for others, and for an answer in between.

        Whether to take an offer is for the player alone to say.
        """
        if not self.envelope.hints or self.choices is None or self.board is None:
            return ""
        on_turn = self.board.view.get("on_turn", self.board.view.get("who"))
        return self.sentences.to_send(find_hint(self.table, self.seat)) if on_turn in (None, self.seat) else ""

    def say_moment(self, moment: datetime) -> str:
        """A moment by the reader's clock."""
        return say_moment(moment, self.envelope.to.zone, self.sentences, self.envelope.date)

    def say_day(self, day: date) -> str:
        """A day, with its year if that is not the reader's."""
        return say_day(day, self.sentences, self.today)

    def link(self, label: str, body: str) -> Link:
        """An answer to this mail, already written."""
        return write_link(label, self.envelope.reply_to, self.subject.removeprefix("Re: "), body)
