"""What comes of a command: events to happen, an answer to give, or a refusal.

Decisions are values. Who is told about them, in which words and language, is for the letters.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from engine.game import Seat
from engine.verdict import Rule
from pbem.events.chain import Draft
from pbem.judging.submission import Ruling

if TYPE_CHECKING:
    from pbem.tables.standing_orders import Standing

ALL: Final = "all"
REFEREE: Final = "referee"
"""Addressees beside the seats."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a command is not carried out: a rule of the post (PO-…) and the detail of this case."""

    rule: Rule
    says: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def detail(self) -> str:
        """The sentence in English."""
        return self.says.format_map(self.facts)


@dataclass(frozen=True, slots=True)
class Answer:
    """Something to tell the sender alone: help, status, board, history, rule or preview."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    """Words to pass on, to ALL, to the REFEREE or to a seat. They stand here and in no event, unless all may read."""

    by: Seat
    to: str
    words: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that somebody has to hear of besides the events: ALL, the REFEREE or a seat."""

    to: str
    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Decision:
    """What comes of one command. `ruling` is set when moves were judged, whether they stand or not."""

    drafts: tuple[Draft, ...] = ()
    ruling: Ruling | None = None
    refused: Refused | None = None
    answers: tuple[Answer, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the sender wishes to be changed about his own letters: language, zone, notices, plain."""
    plan: tuple[str, ...] | None = None
    """Moves for later turns to keep for the sender, in place of any kept before; none: forget them."""
    standing: "tuple[Standing, ...] | None" = None
    """Standing orders to keep for the sender, in place of those kept before."""
    said: Said | None = None
    notices: tuple[Notice, ...] = ()
