"""What public chance a table is bound to: at level 3 every draw waits for a round of a beacon that was named before.

A round is named by an event, `awaited`, when chance is due, and told in another, `pulse`, when it is out. Its value is
good for the draws that follow at once, in the same second, and for no others: whatever anybody does uses it up.

Cases: what somebody has called the referee about, what was decided, and who was allowed to look.

A case is folded from events like the table that it belongs to. It is never taken back: a ruling that turns out wrong
is followed by another one. How a ruling is made is for `ruling`.

A table: one game at the post, as its events have made it.

A Table is a value folded from events and never stored. It knows the game, the seats and what is asked of them,
and refuses to know addresses, letters and clocks.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, Final, NamedTuple

from engine.game import AnyGame, Seat, Setup
from engine.score import Score
from notation import UNFINISHED, Ending, Entry, Record
from pbem.events.chain import EMPTY_MOVE_CHAIN, ORIGIN, MoveChain
from pbem.events.kinds import ChanceDealt, GameStarted, Payload, RoundAwaited, RoundPublished, TurnPlayed, TurnUndone
from pbem.events.record_conversion import make_record

LEVEL: Final = 3
"""The level of chance at which draws are bound to a beacon."""
BY_CHANCE: Final = ("clock", "chance")
"""Who makes moves for a seat that does not answer."""


def is_drawn(payload: Payload) -> bool:
    """Whether chance may have had a part in an event."""
    return isinstance(payload, GameStarted | ChanceDealt) or (
        isinstance(payload, TurnPlayed) and payload.by in BY_CHANCE
    )


class BeaconState(NamedTuple):
    """The rounds of a table."""

    first: str | None = None
    """The value of the first round, which is stirred into the key of all draws."""
    value: str | None = None
    """The value that draws take now; None if a round must be awaited for them."""
    round: int = 0
    """The round that is awaited; 0 if none is."""
    seat: Seat = ""
    """For whom chance is to speak then: itself, or a seat that does not answer."""
    at: str = ""
    """When the value was told; empty if that is only foreseen."""

    def value_at(self, moment: str) -> str | None:
        """The value that a draw takes which is made at a moment: one that has been known for a while serves nobody."""
        return self.value if moment == self.at or not moment or not self.at else None

    def after(self, payload: Payload, at: str) -> "BeaconState":
        """The rounds after an event."""
        if isinstance(payload, RoundAwaited):
            return BeaconState(self.first, None, payload.round, payload.seat)
        if isinstance(payload, RoundPublished):
            value = hashlib.sha256(bytes.fromhex(payload.signature)).hexdigest()
            return BeaconState(self.first or value, value, at=at)
        if is_drawn(payload):
            return BeaconState(self.first, self.value_at(at), at=self.at)
        moved = isinstance(payload, TurnPlayed | TurnUndone)
        return BeaconState(self.first) if moved else self._replace(value=None)


NO_ROUNDS: Final = BeaconState()
"""The rounds of a table at which none was awaited yet."""


DISMISS: Final = "dismiss"
ROLL_BACK: Final = "roll-back"
CORRECT: Final = "correct"
SUBSTITUTE: Final = "substitute"
ADJUDICATE: Final = "adjudicate"


@dataclass(frozen=True, slots=True)
class CaseRuling:
    """A ruling, its reason, and which entries of the record are its doing: from `first` up to, without, `last`."""

    ruling: str
    reason: str
    at: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Warrant:
    """Leave for the referee to look at a game as one seat sees it."""

    seat: Seat
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class Case:
    """What somebody has called the referee about: a turn, in words."""

    number: int
    by: str
    turn: int
    words: str
    since: str
    seq: int
    """The number of the event that opened it."""
    decrees: tuple[CaseRuling, ...] = ()
    warrants: tuple[Warrant, ...] = ()
    is_open: bool = True

    @property
    def pause(self) -> str:
        """Why time stands still meanwhile."""
        return pause_for(self.number)


def pause_for(number: int) -> str:
    """Why time stands still while a case is open."""
    return f"case {number}"


def is_case(reason: str) -> bool:
    """Whether time stands still for a case."""
    word, _, number = reason.partition(" ")
    return word == "case" and number.isdecimal()


def replace_case(cases: tuple[Case, ...], changed: Case) -> tuple[Case, ...]:
    """The cases, one of them changed."""
    return tuple(changed if case.number == changed.number else case for case in cases)


def attribute_entry(cases: tuple[Case, ...], grown: int) -> tuple[Case, ...]:
    """The cases after an entry of the referee's, or one that followed from it, as the `grown`-th of the record.

    It is the doing of the last ruling, unless something else has happened since.
    """
    for case in cases:
        if case.decrees and case.decrees[-1].last == grown - 1:
            *earlier, last = case.decrees
            return replace_case(cases, replace(case, decrees=(*earlier, replace(last, last=grown))))
    return cases


INVITING: Final = "inviting"
PLAYING: Final = "playing"
OVER: Final = "over"
CALLED_OFF: Final = "called off"

DRAW: Final = "draw"

VOTED: Final = "vote"
"""The reason of a pause that the players agreed on."""


@dataclass(frozen=True, slots=True)
class Vote:
    """Something that one seat asked for and the others must agree to."""

    what: str
    by: Seat
    turn: int
    """The turn it was asked in; for an undo, the turn to go back to."""
    since: str = ""
    """When it was asked, in UTC."""
    agreed: frozenset[Seat] = frozenset()
    against: frozenset[Seat] = frozenset()


@dataclass(frozen=True)
class Table:
    """One game at the post at one moment.

    Whoever handles a letter asks again and again whose turn it is and how things stand; a table answers from memory.
    """

    id: str
    game: AnyGame
    seats: tuple[Seat, ...]
    founders: Mapping[Seat, str]
    """Who sat down first; the record's headers name them, and its entries tell who came later."""
    names: Mapping[Seat, str]
    """Who sits there now."""
    options: tuple[tuple[str, str], ...]
    """The game's own headers: those given when the table was opened, and after the start those drawn."""
    terms: Mapping[str, Any]
    """What the table agreed on beside the rules: time control, silence, open or closed scores."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """What else the record's headers say."""
    stage: str = INVITING
    accepted: frozenset[Seat] = frozenset()
    entropy: Mapping[Seat, str] = field(default_factory=dict)
    """What each acceptance stirred into the draws: a digest."""
    proof: Mapping[str, Any] = field(default_factory=dict)
    """The commitments to the game's secrets, as they were published before anybody accepted."""
    resigned: tuple[Seat, ...] = ()
    absences: Mapping[Seat, frozenset[date]] = field(default_factory=dict)
    """The days for which whoever sits there now has taken leave."""
    position: object = None
    asked_in: Mapping[Seat, int] = field(default_factory=dict)
    """For each seat that is due, the turn in which it was asked what it has not answered yet."""
    entries: tuple[Entry, ...] = ()
    """The record so far; an undo is an entry too, nothing is ever taken out."""
    moves: MoveChain = EMPTY_MOVE_CHAIN
    """The chain of all moves, to which draws are bound; an undo takes nothing out of it."""
    rounds: BeaconState = NO_ROUNDS
    """The rounds of a beacon that draws are bound to; at level 1 there are none."""
    epoch: int = 0
    """How often the table went back; an old ticket does not act in a new epoch."""
    votes: Mapping[str, Vote] = field(default_factory=dict)
    pauses: frozenset[str] = frozenset()
    cases: tuple[Case, ...] = ()
    """What the referee was called about, in order; the first is number 1."""
    ending: Ending | None = None
    result: str = UNFINISHED
    written: int = 0
    """Characters that the events take in the record, at most."""
    seq: int = 0
    head: str = ORIGIN

    @property
    def awaits_rounds(self) -> bool:
        """Whether draws are bound to a beacon here."""
        return self.proof.get("level") == LEVEL

    @property
    def setup(self) -> Setup:
        """Who sits where, and the game's headers."""
        return Setup(self.seats, self.options)

    @cached_property
    def due(self) -> tuple[Seat, ...]:
        """The seats that must act; nobody before the start and after the end."""
        return self.game.to_act(self.position) if self.stage == PLAYING else ()

    @cached_property
    def turn(self) -> int:
        """The number of the turn being played, 0 before the start."""
        return self.game.turn(self.position) if self.position is not None else 0

    @property
    def active(self) -> tuple[Seat, ...]:
        """The seats that have not given up."""
        return tuple(seat for seat in self.seats if seat not in self.resigned)

    @cached_property
    def score(self) -> Score:
        """The points so far; only after the start."""
        return self.game.score(self.position)

    @property
    def warrants(self) -> int:
        """How often the referee was allowed to look at what a seat sees."""
        return sum(len(case.warrants) for case in self.cases)

    def name(self, seat: Seat) -> str:
        """Who sits there."""
        return self.names.get(seat, seat)

    @property
    def record(self) -> Record:
        """The record so far."""
        return make_record(
            self.game,
            table=self.id,
            names=[(seat, self.founders.get(seat, seat)) for seat in self.seats],
            options=self.options,
            headers=self.headers.items(),
            entries=self.entries,
            result=self.result,
        )
