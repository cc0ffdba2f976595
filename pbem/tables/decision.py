"""Decisions: the events, answers and notices that a command leads to, or its refusal.

Decisions are values; mails turn them into words.

`refuse_overlong` keeps room in a game's record. A record holds every event, and readers accept only a limited size
(`notation/chunks.py`). Players may fill most of it with words; the rest is reserved for the game. Sizes are upper
bounds: a record is never longer than they say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

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
"""Recipients other than seats."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a command is not carried out: a rule of the post (PO-…) and the detail of this case."""

    rule: Rule
    says: str
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def detail(self) -> str:
        """The sentence in English."""
        return self.says.format_map(self.facts)


AnswerKind: TypeAlias = Literal[
    "help",
    "status",
    "board",
    "points",
    "hand",
    "place",
    "take-back",
    "history",
    "proof",
    "rules",
    "rule",
    "no-rule",
    "preview",
    "settings",
    "report",
    "fewer",
    "standing",
    "absence",
]
"""What can be answered to the sender of a letter alone. A new kind is written in `mail/writing/answers.py`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to the sender alone."""

    kind: AnswerKind
    text: str = ""
    """The code of a rule or the words that it was asked by, a place, or the moves of a preview."""
    orders: tuple[tuple[str, int | None], ...] = ()
    """The standing orders, each with the turn it is for, if it is for one."""


@dataclass(frozen=True, slots=True)
class PressMessage:
    """Words for ALL, for the REFEREE or for a seat. An event holds them only if they are for all."""

    by: Seat
    to: str
    words: str


@dataclass(frozen=True, slots=True)
class HeardPress:
    """Words that a player got: the number of their event, who said them, to ALL or to that player alone, and when."""

    number: int
    by: Seat
    to: str
    at: datetime
    reported_at: datetime | None = None
    """When that player reported them; None if that was not done."""


@dataclass(frozen=True, slots=True)
class PressReport:
    """A player reports words to the referee, perhaps with words of their own."""

    by: Seat
    heard: HeardPress
    note: str = ""


NoticeKind: TypeAlias = Literal[
    "appeal",
    "bounces",
    "forfeited",
    "late",
    "pencil dropped",
    "played for",
    "rollback",
    "rollback-referee",
    "substitute wanted",
]
"""What a notice can be about. A new kind has its sentences in `templates/mails/words.txt`."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A message besides the events, to ALL, to the REFEREE or to a seat."""

    to: str
    kind: NoticeKind
    seat: Seat = ""
    """The seat that it is about, if it is about one."""
    about: str = ""
    """Its subject in words, or moves."""


@dataclass(frozen=True, slots=True)
class DaysAway:
    """Days away at one of several tables. Where too few are left, time runs from the day `short` on."""

    table: str
    short: date | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of one command. `ruling` is set when moves were judged, legal or not."""

    drafts: tuple[Draft, ...] = ()
    ruling: SubmissionResult | None = None
    refused: Refused | None = None
    answers: tuple[Answer, ...] = ()
    settings: Mapping[str, str | bool] = field(default_factory=dict)
    """Preferences of the sender: language, zone, notices, plain, hints, calendar, automatic rolls, whom not to hear."""
    reach: str = ""
    """How far these reach, if the sender said so: `here` or `everywhere`."""
    tables: tuple[int, int] = (1, 1)
    """At how many of the sender's tables they hold now, and how many tables there are."""
    away: tuple["DaysAway", ...] = ()
    """The sender's tables at which days away were announced, if that was asked for everywhere."""
    plan: tuple[str, ...] | None = None
    """Moves for later turns, which replace those stored for the sender; an empty tuple deletes them."""
    standing: "tuple[StandingOrder, ...] | None" = None
    """Standing orders, which replace those stored for the sender."""
    said: PressMessage | None = None
    report: PressReport | None = None
    """Words of another player that the sender reports; nobody but the referee and the sender hears of it."""
    notices: tuple[Notice, ...] = ()


FOR_WORDS: Final = chunks.ANNOTATIONS // 4 * 3
"""How much of a record words may fill; the rest is for moves and for what the game needs to end."""

_BARE: Final = 1_024
"""Characters of an event besides words: hashes, digests, sealed values, names."""
_LONG: Final = 4 * _BARE
"""More than any event takes that holds only what the rules ask for."""
_WORDS: Final = (PressSent, VoteAsked, AbsenceAnnounced)
"""Events that players can cause without limit and that no game needs."""


def record_space(event: Draft | Event) -> int:
    """How many characters an event takes in the record, at most."""
    payload = event.payload
    words = (payload.words or "") if isinstance(payload, PressSent | CaseAppealed) else ""
    phrase = payload.phrase if isinstance(payload, MovesMade) else ""
    # Moves may be written three times: as an entry, in their public form, and one by one.
    return _BARE + written_length(words) + 3 * written_length(phrase)


def refuse_overlong(table: Table, decision: Decision) -> Decision:
    """The decision, or a refusal if the record has no room for its words."""
    sizes = [record_space(draft) for draft in decision.drafts]
    if not sizes or (table.written + sum(sizes) <= FOR_WORDS and max(sizes) <= chunks.LINE):
        return decision
    wordy = any(isinstance(draft.payload, _WORDS) for draft in decision.drafts) or max(sizes) > _LONG
    if not wordy:
        return decision
    says = "there is no room for so many words; use fewer, or write mails of your own"
    return Decision(refused=Refused(table_rules.P2, says, {"table": table.id}))
