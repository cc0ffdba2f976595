"""A table: one game at the post, as its events have made it.

A Table is a value folded from events and never stored. It knows the game, the seats and what is asked of them,
and refuses to know addresses, letters and clocks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, Final

from engine.game import Game, Seat, Setup
from engine.score import Score
from notation import UNFINISHED, Ending, Entry, Record
from pbem.events.chain import ORIGIN
from pbem.events.moves import NO_MOVES, Moves
from pbem.events.to_record import make_record
from pbem.tables.beacons import LEVEL, UNBOUND, Bound
from pbem.tables.cases_court import Case

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
    game: Game[Any]
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
    stirred: Mapping[Seat, str] = field(default_factory=dict)
    """What each acceptance stirred into the draws: a digest."""
    proof: Mapping[str, Any] = field(default_factory=dict)
    """The commitments to the game's secrets, as they were published before anybody accepted."""
    resigned: tuple[Seat, ...] = ()
    absences: Mapping[Seat, frozenset[date]] = field(default_factory=dict)
    """The days for which whoever sits there now has taken leave."""
    position: Any = None
    asked_in: Mapping[Seat, int] = field(default_factory=dict)
    """For each seat that is due, the turn in which it was asked what it has not answered yet."""
    entries: tuple[Entry, ...] = ()
    """The record so far; an undo is an entry too, nothing is ever taken out."""
    moves: Moves = NO_MOVES
    """The chain of all moves, to which draws are bound; an undo takes nothing out of it."""
    bound: Bound = UNBOUND
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
