"""What comes of a command: events to happen, an answer to give, or a refusal.

Decisions are values. Who is told about them, in which words and language, is for the letters.

The room in a game's record: people may fill most of it with words, and the rest is kept for the game.

A record holds every event, with all that was said to everybody, and whoever reads one reads only so much
(`notation/chunks.py`). What could not be read again must not happen. Sizes are reckoned generously: a record
is never longer than they say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from engine.game import Seat
from engine.verdict import Rule
from notation import chunks
from pbem.events.annotations import written_length
from pbem.events.chain import Draft, Event
from pbem.events.kinds import AbsenceAnnounced, CaseAppealed, MovesMade, PressSent, VoteAsked
from pbem.judging.submission import SubmissionResult
from pbem.tables import table_rules
from pbem.tables.table import Table

if TYPE_CHECKING:
    from pbem.tables.standing_orders import StandingOrder


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
class PressMessage:
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
    ruling: SubmissionResult | None = None
    refused: Refused | None = None
    answers: tuple[Answer, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the sender wishes to be changed about his own letters: language, zone, notices, plain."""
    plan: tuple[str, ...] | None = None
    """Moves for later turns to keep for the sender, in place of any kept before; none: forget them."""
    standing: "tuple[StandingOrder, ...] | None" = None
    """Standing orders to keep for the sender, in place of those kept before."""
    said: PressMessage | None = None
    notices: tuple[Notice, ...] = ()


FOR_WORDS: Final = chunks.ANNOTATIONS // 4 * 3
"""How much of the room is for all; what is left is for moves, and for what the game cannot end without."""

_BARE: Final = 1_024
"""Characters that an event takes besides words: hashes, digests, sealed values, the names of things."""
_LONG: Final = 4 * _BARE
"""What no event takes that says only what the rules ask for."""
_WORDS: Final = (PressSent, VoteAsked, AbsenceAnnounced)
"""The kinds of event that can be had without end, and that nobody needs to play on."""


def record_space(event: Draft | Event) -> int:
    """Characters that an event takes in the record, at most."""
    payload = event.payload
    words = (payload.words or "") if isinstance(payload, PressSent | CaseAppealed) else ""
    phrase = payload.phrase if isinstance(payload, MovesMade) else ""
    # A turn may be said as an entry, as what everybody may read of it, and move by move.
    return _BARE + written_length(words) + 3 * written_length(phrase)


def refuse_overlong(table: Table, decision: Decision) -> Decision:
    """The decision, or its refusal if the record has no room for it."""
    sizes = [record_space(draft) for draft in decision.drafts]
    if not sizes or (table.written + sum(sizes) <= FOR_WORDS and max(sizes) <= chunks.LINE):
        return decision
    wordy = any(isinstance(draft.payload, _WORDS) for draft in decision.drafts) or max(sizes) > _LONG
    if not wordy:
        return decision
    says = "the record of {table} has no room for so many words; say it in fewer, or by mails of your own"
    return Decision(refused=Refused(table_rules.P2, says, {"table": table.id}))
