"""Checks what only games of the second form have: free seats, who was asked until when, pencils, forced moves.

None of this needs the rules of a game, so it is checked in every record. Only `check_asked` and `check_forced` need
them, and a record of which nothing is closed.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from pbem.events.chain import Event
from pbem.events.kinds import (
    ChanceDealt,
    GameEnded,
    GamePaused,
    GameResumed,
    GameStarted,
    InvitationAccepted,
    InvitationDeclined,
    SeatResigned,
    SeatSubstituted,
    TurnPlayed,
    TurnUndone,
)
from pbem.events.payload import SECOND_FORM, Payload
from pbem.events.post_kinds import (
    DelegationEnded,
    GameCalledOff,
    GameRestored,
    MissExcused,
    MovePencilled,
    OfferLimited,
    PencilErased,
    PlayerInvited,
    SeatDelegated,
    SeatKept,
    SeatOffered,
    TermChanged,
)
from pbem.tables.asking import asked_seat
from pbem.tables.reliability import Tally, begin_tally
from pbem.tables.stand_ins import NO_STAND_INS, StandIns
from pbem.tables.table import AT_ONCE, FORCED, PLAYER, Table
from pbem.verify.finding import RECORD, RULES, Finding
from pbem.verify.read_proof import RecordedEvent, RecordProof

_MOMENT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_LETTER: Final = re.compile(r"[0-9a-f]{64}")
_ROLLS_ONLY: Final = ("brotherhood", "brotherhood-base")
_ROLL: Final = "roll"
"""Games in which hands decide what else can be done, so that nothing but the roll is forced for all to see."""
_ASKING: Final = (
    GameStarted,
    TurnPlayed,
    ChanceDealt,
    TurnUndone,
    GamePaused,
    GameResumed,
    SeatResigned,
    SeatSubstituted,
    GameEnded,
)
"""The kinds of event after which a seat may be due that was not before."""


def check_seats(proof: RecordProof) -> Iterator[Finding]:
    """The first event that happens out of place before the start, or that does not tell its time truly."""
    if proof.form != SECOND_FORM:
        return
    seats, times, pencils = _Seats(proof.opened.seats), _Times(), _Pencils(proof.opened.seats)
    gone, playing, stand_ins = set[str](), set[str](), NO_STAND_INS
    tally = begin_tally(proof.opened)
    for recorded in proof.recorded:
        event = recorded.event
        wrong = seats.take(event.payload, is_last=event.seq == len(proof.recorded))
        wrong = wrong or times.take(event, taken_in=event.seq <= proof.taken_in)
        wrong = wrong or _check_forced(proof, event, {*gone, *pencils.waiting})
        wrong = wrong or pencils.take(event)
        wrong = wrong or _check_offer(proof.recorded[event.seq - 2].event if event.seq > 1 else None, event)
        wrong = wrong or _check_stand_ins(stand_ins, event.payload, playing - gone)
        wrong = wrong or _check_excuse(tally, event.payload) or _check_place(event.payload, playing)
        tally = tally.after(event.payload, event.seq, event.at)
        stand_ins = stand_ins.after(event.payload)
        match event.payload:
            case GameStarted():
                playing = {*proof.opened.seats}
            case GameEnded():
                playing = set()
            case SeatResigned(seat=seat):
                gone.add(seat)
            case SeatSubstituted(seat=seat):
                gone.discard(seat)
        if wrong:
            yield Finding(RECORD, recorded.line, f"event {event.seq} {wrong}")
            return


def _check_stand_ins(before: StandIns, payload: Payload, playing: set[str]) -> str:
    """What is wrong with handing on a seat; empty if nothing is. `playing` are the seats that have a player."""
    match payload:
        case SeatOffered(seat=seat) if seat not in playing or seat in before.offered:
            return "offers a seat that cannot be handed on"
        case SeatKept(seat=seat) if seat not in playing or seat not in before.offered:
            return "keeps a seat that is not offered"
        case SeatDelegated(seat=seat) if seat not in playing or seat in before.delegated:
            return "lets somebody play for a seat that cannot be delegated"
        case DelegationEnded(seat=seat) if seat not in before.delegated:
            return "ends what nobody does for another"
    return ""


def _check_excuse(tally: Tally, payload: Payload) -> str:
    """What is wrong with an excuse; empty if nothing is."""
    if not isinstance(payload, MissExcused) or tally.may_excuse(payload):
        return ""
    return f"excuses an answer of {payload.seat} that was not missed by event {payload.event}"


def _check_place(payload: Payload, playing: set[str]) -> str:
    """What is wrong with the place of an excuse or another term: they belong into a game that goes on."""
    return (
        "" if playing or not isinstance(payload, MissExcused | TermChanged) else "changes something while nobody plays"
    )


def _check_offer(before: Event | None, event: Event) -> str:
    """What is wrong with the time that a player has named for an offer; empty if nothing is.

    It stands right behind the moves with the offer, so that the `due` of the answers can be understood.
    """
    limit, made = event.payload, None if before is None else before.payload
    if not isinstance(limit, OfferLimited):
        return ""
    if not isinstance(made, TurnPlayed) or (made.seat, made.turn) != (limit.seat, limit.turn):
        return "names a time for an offer that its player has not just made"
    return "" if _is_moment(limit.until) and limit.until >= event.at else "names a time for an offer that is past"


def _check_forced(proof: RecordProof, event: Event, excepted: set[str]) -> str:
    """What is wrong with a forced move, as far as that shows without the rules; empty if nothing is.

    `excepted` are the seats for which none is made: they have no player, or a letter of theirs waits.
    """
    made = event.payload
    if not isinstance(made, TurnPlayed) or made.by != FORCED:
        return ""
    if proof.opened.terms.get(FORCED) != AT_ONCE:
        return "plays a forced move at a table that has not agreed to it"
    rolls_only = proof.opened.game in _ROLLS_ONLY
    if made.seat in excepted or made.letter or made.plies is not None or event.commitments:
        return "says that a move was forced that cannot have been"
    if rolls_only and made.phrase != _ROLL:
        return f"says that {made.phrase} was forced, and in this game only a roll is"
    return ""


def check_forced(table: Table, recorded: RecordedEvent) -> Finding | None:
    """The finding if a move was played as forced, though its player had a choice, or others could not see that not."""
    made = recorded.event.payload
    if not isinstance(made, TurnPlayed) or made.by != FORCED:
        return None
    moves = recorded.entry.moves if recorded.entry is not None else ()
    if moves and moves == (table.game.forced(table.position, made.seat),):
        return None
    return Finding(RULES, recorded.line, f"event {recorded.event.seq} plays {made.phrase} as forced, and it was not")


class _Seats:
    """Who has accepted, and which seats are free, until the game starts."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        self._seats = set(seats)
        self._accepted = set[str]()
        self._free = set[str]()
        self._started = False

    def take(self, payload: Payload, *, is_last: bool) -> str:
        """Let one more event happen; what is wrong with its place, empty if nothing is."""
        asked = set() if self._started else self._seats - self._free
        match payload:
            case InvitationAccepted(seat=seat):
                if seat not in asked - self._accepted:
                    return "takes a seat that is not offered"
                self._accepted.add(seat)
            case InvitationDeclined(seat=seat):
                if seat not in asked:
                    return "declines what is not offered"
                self._free.add(seat)
                self._accepted.discard(seat)
            case PlayerInvited(seat=seat):
                if self._started or seat not in self._free:
                    return "offers a seat that is not free"
                self._free.discard(seat)
            case GameStarted():
                if self._accepted != self._seats:
                    return "starts a game that not everybody has accepted"
                self._started = True
            case GameCalledOff() if self._started or not is_last:
                return "calls off a game that took place"
        return ""


class _Times:
    """What has happened so far, as far as it shows who can have been asked when."""

    def __init__(self) -> None:
        self._payloads: list[Payload] = []
        self._started = 0
        self._played: dict[str, int] = {}
        """The last turn of each seat, by the number of its event."""

    def take(self, event: Event, *, taken_in: bool) -> str:
        """Let one more event happen; what is wrong with its times, empty if nothing is."""
        wrong = "" if _is_moment(event.at) else "happened at no moment"
        wrong = wrong or self._check(event, taken_in=taken_in)
        payload = event.payload
        self._payloads.append(payload)
        if isinstance(payload, GameStarted):
            self._started = self._started or event.seq
        elif isinstance(payload, TurnPlayed):
            self._played[payload.seat] = event.seq
        return wrong

    def _check(self, event: Event, *, taken_in: bool) -> str:
        payload = event.payload
        if not isinstance(payload, TurnPlayed | SeatResigned | GameEnded):
            return ""
        asked, due, seat = payload.asked, payload.due, asked_seat(payload)
        if seat is None or taken_in:
            return "tells a time though nobody was asked" if (asked, due) != (None, None) else ""
        if asked is None or due is None or (due and not _is_moment(due)):
            return "does not tell when its seat was asked, and until when"
        by_player = isinstance(payload, TurnPlayed) and payload.by == PLAYER
        if due and not by_player and event.at < due:
            return f"says that the clock did not wait until {due}"
        if asked == 0 and by_player:
            return ""
        if not self._started or not self._started <= asked < event.seq:
            return f"says that event {asked} asked {seat}, which was not while the game went on before it"
        if not isinstance(self._payloads[asked - 1], _ASKING):
            return f"says that event {asked} asked {seat}, which asks nobody"
        if self._played.get(seat, 0) > asked:
            return f"says that event {asked} asked {seat}, who has moved since"
        return ""


class _Pencils:
    """Which letters wait to be played, and what became of those that did."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        self._seats = seats
        self._is_playing = False
        self._living: dict[str, str] = {}
        """The letter of each seat that waits."""
        self._turns: dict[str, int] = {}
        """The turn of each seat's last pencil since the table last went back."""
        self._protected = set[str]()
        """Seats of which the letter that waits is the first in its turn."""
        self._dead = set[str]()
        """Letters that waited and were never played."""

    @property
    def waiting(self) -> Iterable[str]:
        """The seats of which a letter waits."""
        return self._living

    def take(self, event: Event) -> str:
        """Let one more event happen; what is wrong with it, empty if nothing is."""
        payload = event.payload
        wrong = self._check(event)
        match payload:
            case MovePencilled(seat=seat, turn=turn, letter=letter):
                self._bury(seat)
                self._living[seat] = letter
                self._protected.discard(seat)
                if self._turns.get(seat) != turn:
                    self._protected.add(seat)
                self._turns[seat] = turn
            case TurnPlayed(seat=seat, letter=letter):
                if self._living.get(seat) == letter:
                    del self._living[seat]
                self._bury(seat)
            case PencilErased(seat=seat) | SeatResigned(seat=seat) | SeatSubstituted(seat=seat):
                self._bury(seat)
                if isinstance(payload, SeatSubstituted):
                    self._turns.pop(seat, None)
            case GamePaused() | TurnUndone() | GameRestored() | GameEnded():
                self._bury(*self._living)
                if not isinstance(payload, GamePaused):
                    self._turns.clear()
        self._is_playing = (self._is_playing or isinstance(payload, GameStarted)) and not isinstance(payload, GameEnded)
        return wrong

    def _bury(self, *seats: str) -> None:
        self._dead |= {self._living.pop(seat) for seat in seats if seat in self._living}

    def _check(self, event: Event) -> str:
        payload = event.payload
        match payload:
            case MovePencilled(seat=seat, letter=letter, until=until):
                if seat not in self._seats or not self._is_playing or _LETTER.fullmatch(letter) is None:
                    return "pencils what nobody can play"
                return "" if _is_moment(until) and until >= event.at else "pencils something for no moment to come"
            case PencilErased(seat=seat, letter=letter):
                return "" if self._living.get(seat) == letter else "erases what is not pencilled"
            case TurnPlayed(letter=letter) if letter in self._dead:
                return "plays a letter that was pencilled and is not to be played"
        by_player = isinstance(payload, TurnPlayed) and payload.by == PLAYER
        late = None if by_player else asked_seat(payload)
        if late in self._living and late in self._protected:
            return f"says that the clock did not wait for what {late} had pencilled"
        return ""


def _is_moment(text: str) -> bool:
    """Whether a moment is written as events write it, and in the calendar."""
    try:
        return _MOMENT.fullmatch(text) is not None and bool(
            datetime.strptime(f"{text[:-1]}+0000", "%Y-%m-%dT%H:%M:%S%z")
        )
    except ValueError:
        return False


def check_asked(table: Table, recorded: RecordedEvent) -> Finding | None:
    """The finding if an event says that its seat was asked by another event than the table knows."""
    payload = recorded.event.payload
    if not isinstance(payload, TurnPlayed | SeatResigned | GameEnded) or payload.asked is None:
        return None
    seat = asked_seat(payload)
    if seat is not None and payload.asked == table.asked_by.get(seat, 0):
        return None
    return Finding(RECORD, recorded.line, f"event {recorded.event.seq} says that another event asked {seat}")
