"""A table: one game at the post, with its votes, cases and beacon rounds, as its events have made it.

A Table is a value folded from events and never stored. It knows the game, the seats and what is asked of them, but no
addresses, letters or clocks.

At level 3 draws depend on a public beacon: an `awaited` event names a round, a `pulse` event brings it when it is
published. Its value serves only the draws that follow at once, in the same second; any other event uses it up.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from typing import Final, NamedTuple

from engine.game import GameRules, Seat, Setup
from engine.score import Score
from notation import UNFINISHED, Ending, Entry, Record
from pbem.events.chain import EMPTY_MOVE_CHAIN, ORIGIN, MoveChain, opens_epoch
from pbem.events.history_mark import Marks
from pbem.events.kinds import ChanceDealt, GameStarted, RoundAwaited, RoundPublished, TurnPlayed
from pbem.events.payload import FIRST_FORM, SECOND_FORM, Payload
from pbem.events.post_kinds import NOTES
from pbem.events.record_conversion import make_record
from pbem.judging.entries import standing_entries
from pbem.tables.reliability import NO_TALLY, Tally
from pbem.tables.stand_ins import NO_STAND_INS, StandIns

LEVEL: Final = 3
"""The level of proof at which draws depend on a beacon."""
PLAYER: Final = "player"
PLAYERS_OWN: Final = (PLAYER, "plan", "standing", "if")
"""The authors of moves that are the player's own, made now or prepared."""
FORCED: Final = "forced"
"""The author of moves that had no alternative and were made at once; and the term of a table that agreed on that."""
AT_ONCE: Final = "play"
BY_CHANCE: Final = ("clock", "chance")
"""The authors of moves that were drawn for a seat."""


def is_drawn(payload: Payload) -> bool:
    """Whether an event may hold draws."""
    return isinstance(payload, GameStarted | ChanceDealt) or (
        isinstance(payload, TurnPlayed) and payload.by in BY_CHANCE
    )


class BeaconState(NamedTuple):
    """The beacon rounds of a table."""

    first: str | None = None
    """The value of the first round, which is part of the key of all draws."""
    value: str | None = None
    """The value that draws take now; None if a round must be awaited for them."""
    round: int = 0
    """The round that is awaited; 0 if none is."""
    seat: Seat = ""
    """For whom is drawn then: chance itself, or a seat that does not answer."""
    at: str = ""
    """When the value was published; empty in a draft."""
    out: str = ""
    """When the round that is awaited is out: from then on its value may be known."""

    def value_at(self, moment: str) -> str | None:
        """The value for a draw at a moment; None once it has been known for a second."""
        return self.value if moment == self.at or not moment or not self.at else None

    def after(self, payload: Payload, at: str) -> "BeaconState":
        """The rounds after an event; a note leaves no gap between a round and its draws."""
        if isinstance(payload, NOTES):
            return self
        if isinstance(payload, RoundAwaited):
            return BeaconState(self.first, None, payload.round, payload.seat, out=payload.out)
        if isinstance(payload, RoundPublished):
            value = hashlib.sha256(bytes.fromhex(payload.signature)).hexdigest()
            return BeaconState(self.first or value, value, at=at)
        if is_drawn(payload):
            return BeaconState(self.first, self.value_at(at), at=self.at)
        moved = isinstance(payload, TurnPlayed) or opens_epoch(payload)
        return BeaconState(self.first) if moved else self._replace(value=None)


NO_ROUNDS: Final = BeaconState()
"""The state of a table that has waited for no round yet."""


DISMISS: Final = "dismiss"
ROLL_BACK: Final = "roll-back"
CORRECT: Final = "correct"
SUBSTITUTE: Final = "substitute"
ADJUDICATE: Final = "adjudicate"


@dataclass(frozen=True, slots=True)
class CaseRuling:
    """A ruling, its reason, and the entries of the record that it made: from `first` up to, without, `last`."""

    ruling: str
    reason: str
    at: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Warrant:
    """Permission for the referee to see a game as one seat sees it."""

    seat: Seat
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class Case:
    """An appeal to the referee about a turn, with the rulings and warrants in it. It is never removed."""

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
    played: bool = True
    """Whether the turn had been played when it was opened."""

    @property
    def pause(self) -> str:
        """The reason of the pause while it is open."""
        return pause_for(self.number)


def pause_for(number: int) -> str:
    """The reason of the pause while a case is open."""
    return f"case {number}"


def is_case(reason: str) -> bool:
    """Whether a reason to pause is an open case."""
    word, _, number = reason.partition(" ")
    return word == "case" and number.isdecimal()


def replace_case(cases: tuple[Case, ...], changed: Case) -> tuple[Case, ...]:
    """The cases with one of them replaced."""
    return tuple(changed if case.number == changed.number else case for case in cases)


def attribute_entry(cases: tuple[Case, ...], grown: int) -> tuple[Case, ...]:
    """The cases after an entry that the referee made, or that followed from one; it is number `grown` of the record.

    It is attributed to the last ruling, unless there was another entry since.
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
HINTS: Final = "hints"
NEVER: Final = "never"
"""The term of a table at which no moves are suggested, not even to beginners."""
OFFERS: Final = "offers"
OFF: Final = "off"
"""The term about the time for offers, and that it is the time for a turn."""

DRAW: Final = "draw"

UNDO_RULE: Final = 1
"""The rule about taking turns back without asking that new games promise to keep, in their proof."""

ROLLBACK: Final = "rollback"
"""The reason of the post's own pause when a letter shows that the database is older than it was."""
VOTED: Final = "vote"
"""The reason of a pause that the players agreed on."""
POST_WAS_DOWN: Final = "the post was down"
"""The reason of more time after an outage."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A request of one seat that others must agree to."""

    what: str
    by: Seat
    turn: int
    """The turn it was asked in; for an undo, the turn to go back to."""
    since: str = ""
    """When it was asked, in UTC."""
    agreed: frozenset[Seat] = frozenset()
    against: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Pencil:
    """Moves that were read in a letter beside words which are not known, and will be played unless the player objects.

    Only the player of the seat may know them.
    """

    text: str
    turn: int
    letter: str
    """The digest of the letter."""
    until: datetime
    """When they are played, unless the post was down since."""
    extended: tuple[str, ...] = ()
    """By how much that moves, because the post was down: durations as events write them."""
    is_first: bool = True
    """Whether it is the first of its seat in the turn: then the seat is not called late while it stands."""
    is_live: bool = True
    """Whether it still stands; one that was erased or overtaken is kept because only the first of a turn protects."""


@dataclass(frozen=True)
class Table:
    """One game at the post at one moment.

    Who is due, the turn and the score are cached, because handling one letter asks for them many times.
    """

    id: str
    game: GameRules
    seats: tuple[Seat, ...]
    founders: Mapping[Seat, str]
    """The first players; the record's headers name them, and its entries the substitutes."""
    names: Mapping[Seat, str]
    """The players now."""
    options: tuple[tuple[str, str], ...]
    """The game's options: those given when the table was opened, and after the start those drawn."""
    terms: Mapping[str, object]
    """The terms besides the rules: time control, policy for silence, open or closed scores."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Other headers of the record."""
    stage: str = INVITING
    accepted: frozenset[Seat] = frozenset()
    free: frozenset[Seat] = frozenset()
    """Seats that were declined and that nobody else is asked to yet; only before the start, in the second form."""
    entropy: Mapping[Seat, str] = field(default_factory=dict)
    """The digest in each acceptance, on which the draws depend."""
    proof: Mapping[str, object] = field(default_factory=dict)
    """The commitments to the game's secrets, as they were published before anybody accepted."""
    resigned: tuple[Seat, ...] = ()
    absences: Mapping[Seat, frozenset[date]] = field(default_factory=dict)
    """The days away that the present players announced."""
    position: object = None
    asked_in: Mapping[Seat, int] = field(default_factory=dict)
    """For each seat that is due, the turn since which it is."""
    asked_by: Mapping[Seat, int] = field(default_factory=dict)
    """For each seat that is due, the number of the event since which it is."""
    entries: tuple[Entry, ...] = ()
    """The entries of the record so far; an undo is an entry too, and none is ever removed."""
    moves: MoveChain = EMPTY_MOVE_CHAIN
    """The chain of all moves, on which draws depend; an undo removes nothing from it."""
    rounds: BeaconState = NO_ROUNDS
    """The state of the beacon rounds; unused at level 1."""
    made_for: Mapping[int, str] = field(default_factory=dict)
    """The entries, by their place among `entries`, that somebody else than the player made for a seat; and who."""
    taken_back: Mapping[tuple[Seat, int], int] = field(default_factory=dict)
    """The seats that took a turn back without asking, each with the turn; and the number of the event."""
    epoch: int = 0
    """How often the table went back or was restored; a reply ticket of an earlier epoch is stale."""
    key: str = ""
    """The public key that the post signs with now, in hexadecimal digits; empty if it does not sign."""
    restores: int = 0
    """How often the post went back to an older copy of this game."""
    marks: Marks = ()
    """What reply addresses of this history are known by, in order."""
    votes: Mapping[str, Vote] = field(default_factory=dict)
    pencils: Mapping[Seat, Pencil] = field(default_factory=dict)
    """The last pencil of each seat, also where it no longer stands; see `pencil`."""
    stand_ins: StandIns = NO_STAND_INS
    tally: Tally = NO_TALLY
    """How reliably everybody has answered so far."""
    pauses: frozenset[str] = frozenset()
    cases: tuple[Case, ...] = ()
    """All cases in order; the first is number 1."""
    ending: Ending | None = None
    result: str = UNFINISHED
    written: int = 0
    """How many characters the events take in the record, at most."""
    seq: int = 0
    head: str = ORIGIN

    @property
    def form(self) -> int:
        """The form of proof that the game was opened with."""
        return SECOND_FORM if self.proof.get("form") == SECOND_FORM else FIRST_FORM

    @property
    def is_second_form(self) -> bool:
        """Whether names and words are sealed, and declined seats are free again."""
        return self.form == SECOND_FORM

    @property
    def awaits_rounds(self) -> bool:
        """Whether draws depend on a beacon here."""
        return self.proof.get("level") == LEVEL

    @property
    def plays_forced(self) -> bool:
        """Whether a move without an alternative is made at once, and the dice are rolled when a turn begins."""
        return self.is_second_form and self.terms.get(FORCED) == AT_ONCE

    @property
    def goes_back_within(self) -> bool:
        """Whether a part of a turn can be taken back here; games that began before there was such a rule cannot."""
        return self.proof.get("undo") == UNDO_RULE

    @property
    def has_short_offers(self) -> bool:
        """Whether offers have a short time of their own here; tables that were opened before there was one do not."""
        return self.terms.get(OFFERS, OFF) != OFF

    @property
    def taken_in(self) -> int:
        """How many events were imported from another record and happened elsewhere."""
        found = self.proof.get("taken_in", 0)
        return found if isinstance(found, int) else 0

    @property
    def setup(self) -> Setup:
        """The seats and the game's options."""
        return Setup(self.seats, self.options)

    @cached_property
    def due(self) -> tuple[Seat, ...]:
        """The seats that must act; none before the start and after the end."""
        return self.game.to_act(self.position) if self.stage == PLAYING else ()

    @cached_property
    def turn(self) -> int:
        """The number of the turn being played, 0 before the start."""
        return self.game.turn(self.position) if self.position is not None else 0

    def pencil(self, seat: Seat) -> Pencil | None:
        """The moves of a seat that will be played at their moment; None if there are none."""
        kept = self.pencils.get(seat)
        return kept if kept is not None and kept.is_live else None

    def was_played(self, turn: int) -> bool:
        """Whether a turn was played and stands."""
        return any(entry.number == turn for entry in self.standing)

    @cached_property
    def standing(self) -> tuple[Entry, ...]:
        """The entries that count: those that no undo took back, without words of the table."""
        return tuple(standing_entries(self.entries))

    @property
    def mark(self) -> str:
        """The mark for reply addresses that are written now."""
        return self.marks[-1].mark

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats with somebody to write to: all that nobody has declined."""
        return tuple(seat for seat in self.seats if seat not in self.free)

    @property
    def active(self) -> tuple[Seat, ...]:
        """The seats that have not resigned."""
        return tuple(seat for seat in self.seats if seat not in self.resigned)

    @cached_property
    def score(self) -> Score:
        """The points so far; only after the start."""
        return self.game.score(self.position)

    @property
    def warrants(self) -> int:
        """How many warrants were given to the referee."""
        return sum(len(case.warrants) for case in self.cases)

    def name(self, seat: Seat) -> str:
        """The name of the player in a seat."""
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
