"""The kinds of event that games of the second form have besides: free seats, restored backups, new keys, and notes.

None of them is an entry of the record. A note changes nothing at a table: kinds of notes that this version does not
know are kept, printed and verified like any other event. It knows those about pencils, about the time of offers,
about seats whose players want to be replaced, about answers that were missed and excused, and terms.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from pbem.events.payload import SECOND_FORM, WIRE_NAME, Payload, Who


@dataclass(frozen=True, slots=True)
class PlayerInvited(Payload):
    """Another person was asked to take a free seat, before the game started."""

    KIND = "invited"
    SINCE = SECOND_FORM
    seat: Who
    person: str = field(metadata={WIRE_NAME: "id"})
    name: str
    by: Who


@dataclass(frozen=True, slots=True)
class GameCalledOff(Payload):
    """The game does not take place: the last event of a game that never started."""

    KIND = "called-off"
    SINCE = SECOND_FORM
    reason: str
    by: Who


@dataclass(frozen=True, slots=True)
class GameRestored(Payload):
    """The post went back to an older copy of its database; what came after the event before this one is lost."""

    KIND = "restored"
    SINCE = SECOND_FORM
    reason: str
    by: Who


@dataclass(frozen=True, slots=True)
class KeyReplaced(Payload):
    """From here on the post signs with another key; `signature` is the old key's, or empty."""

    KIND = "rekeyed"
    SINCE = SECOND_FORM
    key: str
    signature: str
    by: Who


@dataclass(frozen=True, slots=True)
class MovePencilled(Payload):
    """A letter was read that will be played later, unless its player objects. Nobody else is told the moves."""

    KIND = "note.pencilled"
    SINCE = SECOND_FORM
    seat: Who
    turn: int
    letter: str
    until: str
    """When the moves will be played."""
    move: str
    """The moves in full; the data have only their seal, and no record ever tells them."""


@dataclass(frozen=True, slots=True)
class PencilErased(Payload):
    """What was pencilled of a letter will not be played."""

    KIND = "note.erased"
    SINCE = SECOND_FORM
    seat: Who
    letter: str
    """The digest of the letter that was pencilled."""


@dataclass(frozen=True, slots=True)
class OfferLimited(Payload):
    """Whoever made the offer in the event before this one has named the moment until which it is open."""

    KIND = "note.offered"
    SINCE = SECOND_FORM
    seat: Who
    turn: int
    until: str
    """The moment; the time that the table gives for offers may end before it."""


@dataclass(frozen=True, slots=True)
class SeatOffered(Payload):
    """A player asks to be replaced. Until somebody takes the seat, the player answers for it as before."""

    KIND = "note.seat-offered"
    SINCE = SECOND_FORM
    seat: Who


@dataclass(frozen=True, slots=True)
class SeatKept(Payload):
    """A player who wanted to be replaced stays after all."""

    KIND = "note.seat-kept"
    SINCE = SECOND_FORM
    seat: Who


@dataclass(frozen=True, slots=True)
class SeatDelegated(Payload):
    """Somebody else plays for the player of a seat from now on, until the end of a day; the seat stays the player's."""

    KIND = "note.delegated"
    SINCE = SECOND_FORM
    seat: Who
    person: str = field(metadata={WIRE_NAME: "id"})
    name: str
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class DelegationEnded(Payload):
    """The player of a seat plays again, because the days are over or one of the two wants it."""

    KIND = "note.delegation-ended"
    SINCE = SECOND_FORM
    seat: Who


@dataclass(frozen=True, slots=True)
class MissExcused(Payload):
    """An answer that somebody missed is not held against them: the players agreed on that, or the referee did."""

    KIND = "note.excused"
    SINCE = SECOND_FORM
    seat: Who
    event: int
    """The number of the event by which it was missed."""
    by: Who
    reason: str


@dataclass(frozen=True, slots=True)
class TermChanged(Payload):
    """A term of the table is another from now on: the players agreed on that, or the referee decided it."""

    KIND = "note.changed"
    SINCE = SECOND_FORM
    term: str
    old: str
    new: str
    by: Who
    reason: str


@dataclass(frozen=True, slots=True)
class Note(Payload):
    """An event that changes nothing, of a kind that may be newer than this version: its data as they are."""

    SINCE = SECOND_FORM
    name: str
    """Its kind, which begins with `note.`."""
    data: Mapping[str, object]

    @property
    def kind(self) -> str:
        """The name of its kind."""
        return self.name


TOLD_NOTES: Final = (SeatOffered, SeatKept, SeatDelegated, DelegationEnded, MissExcused, TermChanged)
"""Of the kinds that change nothing in a replay, those that everybody is told of."""
QUIET_NOTES: Final = (MovePencilled, PencilErased, OfferLimited, Note)
NOTES: Final = (*QUIET_NOTES, *TOLD_NOTES)
"""The kinds that change nothing in a replay."""

POST_KINDS: Final = (
    *(PlayerInvited, GameCalledOff, GameRestored, KeyReplaced),
    *(MovePencilled, PencilErased, OfferLimited, *TOLD_NOTES),
)
"""The kinds above that have fields of their own."""

_NOTE: Final = re.compile(r"note\.[a-z-]+")


def is_note(kind: str) -> bool:
    """Whether a kind of event changes nothing, whatever it is."""
    return _NOTE.fullmatch(kind) is not None
