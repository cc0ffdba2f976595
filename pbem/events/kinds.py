"""Every kind of event, one dataclass each: what can happen at a table, with typed fields.

To add a kind: its dataclass here, its function in `tables/fold.py`, its sentence `told_<kind>` in
`templates/mails/words.txt`, which takes the fields in their order. `codec` turns a payload into the data that is
stored, hashed and printed in records; those bytes never change.

A field that may be missing in the data has None as its default. No event holds a mail address. In games of the second
form names and free words are sealed: payloads hold them in plain text, or a placeholder, and the data only the seals.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from pbem.events.payload import FIRST_FORM, MAY_LACK, ONLY_IN, SECOND_FORM, WIRE_NAME, Payload, Who
from pbem.events.post_kinds import POST_KINDS, is_note

SEATED: Final = "seated"
"""What the first event calls the seats that were drawn."""
FEWEST_DRAWN: Final = 2
"""One place that is left is drawn for nobody."""
_IN_SECOND: Final = {ONLY_IN: SECOND_FORM}
_SOMETIMES: Final = {**_IN_SECOND, MAY_LACK: (SECOND_FORM,)}


@dataclass(frozen=True, slots=True)
class GameOpened(Payload):
    """A table was opened: what is played, by whom, and on which terms."""

    KIND = "opened"
    game: str
    rules: str
    seats: tuple[Who, ...]
    names: Mapping[str, str] = field(metadata={ONLY_IN: FIRST_FORM})
    """Who sits where. In the second form the data have `people` in its place, with the seals of these names."""
    options: Mapping[str, str]
    terms: Mapping[str, object]
    headers: Mapping[str, str]
    proof: Mapping[str, object] | None = None
    """The commitments to the game's secrets; None in a game that was opened before there were any."""
    people: Mapping[str, str] | None = field(default=None, metadata=_IN_SECOND)
    """The id of whoever is asked to each seat; None in the first form."""

    @property
    def form(self) -> int:
        """The form of proof of the game."""
        return SECOND_FORM if self.people is not None else FIRST_FORM

    @property
    def promised(self) -> Mapping[str, object]:
        """What was promised about the draws before anybody accepted."""
        return self.proof if self.proof is not None else {}

    def commitment(self, secret: str) -> str:
        """The commitment to a secret, `seed` or `blind`; KeyError or TypeError if the event has none."""
        found = self.promised[secret]
        if not isinstance(found, str):
            raise TypeError(f"the commitment to {secret} is not a string")
        return found

    @property
    def seated(self) -> tuple[str, ...] | None:
        """The seats whose players were drawn among each other, in seat order; None if that is not what is written."""
        found = self.promised.get(SEATED)
        if SEATED not in self.promised:
            return ()
        if not isinstance(found, list) or len(found) < FEWEST_DRAWN or self.form != SECOND_FORM:
            return None
        return tuple(found) if found == [seat for seat in self.seats if seat in found] else None

    @property
    def taken_in(self) -> int:
        """How many events, this one counted, were imported from another record and happened elsewhere."""
        found = self.promised.get("taken_in", 0)
        return found if isinstance(found, int) else 0


@dataclass(frozen=True, slots=True)
class InvitationAccepted(Payload):
    """A player took a seat, and added a digest to what the draws depend on."""

    KIND = "accepted"
    seat: Who
    entropy_sha256: str
    letter: str


@dataclass(frozen=True, slots=True)
class InvitationDeclined(Payload):
    """A player declined; in the first form that, or the referee as `seat`, calls the game off."""

    KIND = "declined"
    seat: Who
    reason: str


@dataclass(frozen=True, slots=True)
class GameStarted(Payload):
    """Everybody accepted and the set-up was drawn."""

    KIND = "started"
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MovesMade(Payload):
    """Moves of one seat, or of chance, in the form that everybody may read."""

    seat: Who
    turn: int
    phrase: str
    by: Who
    letter: str
    plies: tuple[str, ...] | None = None
    """The moves one by one, if there are several."""


@dataclass(frozen=True, slots=True)
class TurnPlayed(MovesMade):
    """A seat moved. In the second form `by` says `player` for prepared moves too, and the true word is sealed."""

    KIND = "played"
    asked: int | None = field(default=None, metadata=_SOMETIMES)
    """The number of the event since which the seat was to move; 0 if it moved without being asked."""
    due: str | None = field(default=None, metadata=_SOMETIMES)
    """Until when the clock gave it time, empty if no clock ran."""


@dataclass(frozen=True, slots=True)
class ChanceDealt(MovesMade):
    """Chance moved: dice, cards, tiles."""

    KIND = "dealt"


@dataclass(frozen=True, slots=True)
class TurnUndone(Payload):
    """The table went back to a turn, which is played again from its beginning or from a place in it."""

    KIND = "undone"
    turn: int
    by: Who
    kept: int | None = field(default=None, metadata=_SOMETIMES)
    """How many entries of that turn stand, where not all of it was taken back."""


@dataclass(frozen=True, slots=True)
class VoteAsked(Payload):
    """A seat asked the others to agree to something."""

    KIND = "asked"
    what: str
    by: Who
    turn: int
    reveals: bool | None = None
    """Whether something was shown since that turn which going back would not make unknown again."""


@dataclass(frozen=True, slots=True)
class VoteAgreed(Payload):
    """A seat agreed to what was asked."""

    KIND = "agreed"
    what: str
    by: Who


@dataclass(frozen=True, slots=True)
class VoteObjected(Payload):
    """A seat objected to what was asked."""

    KIND = "objected"
    what: str
    by: Who


@dataclass(frozen=True, slots=True)
class VoteDropped(Payload):
    """A vote ended without being carried: withdrawn, lost, expired or overtaken by play."""

    KIND = "dropped"
    what: str
    by: Who


@dataclass(frozen=True, slots=True)
class GamePaused(Payload):
    """The clocks stopped for a reason."""

    KIND = "paused"
    reason: str
    by: Who


@dataclass(frozen=True, slots=True)
class GameResumed(Payload):
    """A reason for the clocks to stand still is gone."""

    KIND = "resumed"
    reason: str
    by: Who


@dataclass(frozen=True, slots=True)
class SeatResigned(Payload):
    """A player gave up, or lost the seat by running out of time."""

    KIND = "resigned"
    seat: Who
    by: Who
    asked: int | None = field(default=None, metadata=_SOMETIMES)
    due: str | None = field(default=None, metadata=_SOMETIMES)
    """As in a turn, where the clock did it."""


@dataclass(frozen=True, slots=True)
class SeatSubstituted(Payload):
    """Another player took a seat."""

    KIND = "substituted"
    seat: Who
    name: str
    by: Who
    person: str | None = field(default=None, metadata={WIRE_NAME: "id", **_IN_SECOND})


@dataclass(frozen=True, slots=True)
class GameEnded(Payload):
    """The game is over, with its result."""

    KIND = "ended"
    ending: str = field(metadata={WIRE_NAME: "kind"})
    """How it ended: normal, resigned, time, agreed or adjudicated."""
    seats: tuple[Who, ...]
    reason: str
    result: str
    asked: int | None = field(default=None, metadata=_SOMETIMES)
    due: str | None = field(default=None, metadata=_SOMETIMES)
    """As in a turn, where the clock did it."""


@dataclass(frozen=True, slots=True)
class AbsenceAnnounced(Payload):
    """A player will be away from a day to a day, both counted."""

    KIND = "absence"
    seat: Who
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class AbsenceCancelled(Payload):
    """From a day on, a player is not away after all."""

    KIND = "returned"
    seat: Who
    first: date


@dataclass(frozen=True, slots=True)
class PressSent(Payload):
    """A player said something to everybody, to one seat or to the referee."""

    KIND = "press"
    sender: Who = field(metadata={WIRE_NAME: "from"})
    to: str
    words_sha256: str | None = field(default=None, metadata={ONLY_IN: FIRST_FORM})
    words: str | None = None
    """What was said, if it was said to all; private words never stand in an event, but their seal does."""


@dataclass(frozen=True, slots=True)
class TimeExtended(Payload):
    """Everybody who is due got more time, written like ``24h``."""

    KIND = "extended"
    length: str
    reason: str
    by: Who


@dataclass(frozen=True, slots=True)
class CaseAppealed(Payload):
    """The referee was called about a turn, which opens a case."""

    KIND = "appealed"
    case: int
    by: Who
    turn: int
    words: str


@dataclass(frozen=True, slots=True)
class CaseRuled(Payload):
    """The referee decided something in a case."""

    KIND = "ruled"
    case: int
    ruling: str
    turn: int
    reason: str
    by: Who


@dataclass(frozen=True, slots=True)
class CaseWarranted(Payload):
    """The referee was allowed to look at the game as one seat sees it."""

    KIND = "warranted"
    case: int
    seat: Who
    reason: str
    by: Who


@dataclass(frozen=True, slots=True)
class CaseClosed(Payload):
    """The referee closed a case."""

    KIND = "closed"
    case: int
    by: Who


@dataclass(frozen=True, slots=True)
class RoundAwaited(Payload):
    """Draws wait for a round of the public beacon, which is out at a later moment."""

    KIND = "awaited"
    round: int
    out: str
    seat: Who


@dataclass(frozen=True, slots=True)
class RoundPublished(Payload):
    """The round that draws waited for is out."""

    KIND = "pulse"
    round: int
    signature: str


KINDS: Final[Mapping[str, type[Payload]]] = {
    each.KIND: each
    for each in (*tuple(globals().values()), *POST_KINDS)
    if isinstance(each, type) and issubclass(each, Payload) and each.KIND
}
"""Every kind of event by its name in the store and in records."""


def is_unknown_note(kind: str) -> bool:
    """Whether a kind of event changes nothing, and this version does not know it: then its data may be anything."""
    return is_note(kind) and kind not in KINDS


def seat_of(payload: Payload) -> str | None:
    """The seat that an event is about, if it is about one."""
    return getattr(payload, "seat", None)


def author_of(payload: Payload) -> str | None:
    """Who made an event happen: a seat, or what acted in its place; None where the event does not say."""
    return getattr(payload, "by", None)


def letter_of(payload: Payload) -> str:
    """The digest of the letter that an event came from; empty if it came from none."""
    return getattr(payload, "letter", "")
