"""How reliably people answer, counted from the events of a game alone: on time, late, missed, excused, games left.

Events of the second form say who was asked since when, and until when (`asked` and `due`). One answer is counted for
each turn in which somebody was asked, and the worst of what came of it. docs/proof.md says it to the letter, so that
anybody can count it again from a record.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.game import Seat
from pbem.events.kinds import (
    GameEnded,
    GameOpened,
    GamePaused,
    GameStarted,
    SeatResigned,
    SeatSubstituted,
    TurnPlayed,
)
from pbem.events.payload import Payload
from pbem.events.post_kinds import DelegationEnded, MissExcused, MovePencilled, PlayerInvited, SeatDelegated

ON_TIME: Final = "on_time"
LATE: Final = "late"
MISSED: Final = "missed"
_WORSE: Final = (ON_TIME, LATE, MISSED)
_CLOCK: Final = "clock"

NEWCOMER: Final = 20
"""Whoever was asked less often than this is new here, and nothing can be said about them yet."""

RELIABILITY: Final = "reliability"
"""The term of a table: how many of a hundred answers of whoever joins must have come on time."""


def needed_reliability(terms: Mapping[str, object]) -> int:
    """How many of a hundred answers must have come on time; 0 where anybody may join."""
    found = terms.get(RELIABILITY, 0)
    return found if type(found) is int and 0 < found <= 100 else 0


class Counts(NamedTuple):
    """What came of the answers that were asked of one person."""

    on_time: int = 0
    late: int = 0
    missed: int = 0
    """Answers that never came, and that nobody has excused."""
    excused: int = 0
    left: int = 0
    """Games that went on without this person, who gave up or lost the seat."""

    @property
    def answers(self) -> int:
        """How many answers came."""
        return self.on_time + self.late

    @property
    def asked(self) -> int:
        """How many answers were asked for; what was excused does not count."""
        return self.on_time + self.late + self.missed

    @property
    def is_new(self) -> bool:
        """Whether too little is known of this person to judge."""
        return self.asked < NEWCOMER

    def reaches(self, percent: int) -> bool:
        """Whether so many of a hundred answers came on time; nobody who is new is judged."""
        return self.is_new or self.on_time * 100 >= percent * self.asked

    def more(self, **changes: int) -> "Counts":
        """The counts with some of them moved."""
        return self._replace(**{name: getattr(self, name) + change for name, change in changes.items()})


class Tally(NamedTuple):
    """The counts of everybody who sat at one table, by the id that the table's events have for them."""

    sits: Mapping[Seat, str] = {}
    """Who sits where now."""
    counts: Mapping[str, Counts] = {}
    latest: Mapping[str, tuple[int, str]] = {}
    """The highest turn in which an answer of somebody was counted, and what came of it."""
    misses: Mapping[int, tuple[Seat, str]] = {}
    """The events by which somebody missed an answer, but those that were excused; whose seat it was, and who."""
    vacant: frozenset[Seat] = frozenset()
    """Seats of which the answer is counted as missed, and whose players may still come back."""
    gone: frozenset[Seat] = frozenset()
    """Seats that were given up or lost."""
    turn: int = 0
    made: Mapping[int, Seat] = {}
    """Who moved in this turn, by the number of the event."""
    waits: Mapping[Seat, tuple[str, str]] = {}
    """The last pencilled letter of each seat, and when it came."""
    short_offers: bool = False
    """Whether offers lapse after a short time, so that no answer to one is an answer too."""
    taken_in: int = 0
    owners: Mapping[Seat, str] = {}
    """Whose seats they are that somebody else plays for some days."""

    def after(self, payload: Payload, seq: int, at: str) -> "Tally":
        """The counts after one more event; the very same value if it changes nothing."""
        if seq <= self.taken_in and isinstance(payload, SeatResigned | GamePaused | GameEnded):
            return self  # it happened elsewhere
        match payload:
            case TurnPlayed():
                return self._play(payload, seq, at)
            case MovePencilled(seat=seat, letter=letter):
                return self._replace(waits={**self.waits, seat: (letter, at)})
            case GameStarted():
                return self._replace(counts={who: Counts() for who in self.sits.values()})
            case PlayerInvited(seat=seat, person=person):
                return self._replace(sits={**self.sits, seat: person})
            case SeatSubstituted(seat=seat, person=person) if person is not None:
                return self._replace_player(seat, person)
            case SeatDelegated(seat=seat, person=person):
                lent = self._replace(sits={**self.sits, seat: person}, owners={**self.owners, seat: self.sits[seat]})
                return lent._replace(counts={**self.counts, person: Counts()})
            case DelegationEnded(seat=seat) if seat in self.owners:
                owners = {other: who for other, who in self.owners.items() if other != seat}
                return self._replace(sits={**self.sits, seat: self.owners[seat]}, owners=owners)
            case SeatResigned(seat=seat, by=by):
                lost = self._miss(seat, seq) if by == _CLOCK else self
                return lost._add(seat, left=1)._replace(gone=self.gone | {seat})
            case GamePaused(reason=reason):
                seat = reason.partition(" ")[0]
                is_vacant = seat in self.sits and reason == f"{seat} has no player" and seat not in self.gone
                return self._miss(seat, seq)._replace(vacant=self.vacant | {seat}) if is_vacant else self
            case GameEnded(seats=(*_, seat), asked=int()):
                return self._miss(seat, seq)
            case MissExcused(event=event) if event in self.misses:
                _, who = self.misses[event]
                left = {number: each for number, each in self.misses.items() if number != event}
                return self._count(who, missed=-1, excused=1)._replace(misses=left)
        return self

    def may_excuse(self, excused: MissExcused) -> bool:
        """Whether the answer that an event excuses was missed, in that seat, and is not excused yet."""
        return self.misses.get(excused.event, ("",))[0] == excused.seat

    def missed_by(self, seat: Seat) -> tuple[int, ...]:
        """The events by which whoever sits in a seat now has missed an answer, and that nobody has excused."""
        return tuple(number for number, (_, who) in self.misses.items() if who == self.sits.get(seat))

    def _play(self, made: TurnPlayed, seq: int, at: str) -> "Tally":
        before = self.made if made.turn == self.turn else {}
        tally = self._replace(turn=made.turn, made={**before, seq: made.seat})
        who = self.sits.get(made.seat)
        if who is None or made.asked is None:
            return tally
        if self.short_offers and before.get(made.asked, made.seat) != made.seat:
            return tally
        if made.seat in self.vacant:
            highest, _ = self.latest.get(who, (0, ""))
            settled = {who: (made.turn, MISSED)} if made.turn >= highest else {}
            latest = {**self.latest, **settled}
            return tally._replace(vacant=self.vacant - {made.seat}, latest=latest)
        letter, came = self.waits.get(made.seat, ("", ""))
        came = came if letter and letter == made.letter else at
        late = bool(made.due) and came > (made.due or "")
        return tally._note(made, MISSED if made.by == _CLOCK else LATE if late else ON_TIME, seq)

    def _note(self, made: TurnPlayed, outcome: str, seq: int) -> "Tally":
        """Count what came of an answer, once for each turn, and the worst of it."""
        who, turn = self.sits[made.seat], made.turn
        highest, known = self.latest.get(who, (0, ""))
        if turn < highest or (turn == highest and _WORSE.index(outcome) <= _WORSE.index(known)):
            return self
        changes = {outcome: 1} if turn > highest else {known: -1, outcome: 1}
        counted = self._count(who, **changes)._replace(latest={**self.latest, who: (turn, outcome)})
        return counted._replace(misses={**self.misses, seq: (made.seat, who)}) if outcome == MISSED else counted

    def _miss(self, seat: Seat, seq: int) -> "Tally":
        """Count an answer as missed that never came, unless it is counted already."""
        if seat in self.vacant or seat in self.gone:
            return self
        return self._add(seat, missed=1)._replace(misses={**self.misses, seq: (seat, self.sits[seat])})

    def _replace_player(self, seat: Seat, person: str) -> "Tally":
        former = self._add(seat, left=1) if seat in self.vacant and seat not in self.gone else self
        return former._replace(
            sits={**self.sits, seat: person},
            owners={other: who for other, who in self.owners.items() if other != seat},
            counts={**former.counts, person: Counts()},
            vacant=self.vacant - {seat},
            gone=self.gone - {seat},
            waits={other: kept for other, kept in self.waits.items() if other != seat},
        )

    def _add(self, seat: Seat, **changes: int) -> "Tally":
        return self._count(self.sits[seat], **changes)

    def _count(self, who: str, **changes: int) -> "Tally":
        return self._replace(counts={**self.counts, who: self.counts.get(who, Counts()).more(**changes)})


NO_TALLY: Final = Tally()
"""The counts at a table of the first form, of which nothing can be counted."""


def begin_tally(opened: GameOpened) -> Tally:
    """The counts when a table is opened: nobody was asked anything yet."""
    if opened.people is None:
        return NO_TALLY
    offers = opened.terms.get("offers", "off") != "off"
    return Tally(sits=opened.people, short_offers=offers, taken_in=opened.taken_in)
