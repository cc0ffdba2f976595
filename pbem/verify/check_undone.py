"""Checks that every turn taken back by a player was agreed to, or could be taken back without asking.

The rule is in docs/proof.md, *Taking back*. It needs no rules of a game, so it is checked in every record of a game
that promised to keep it.
"""

from collections.abc import Iterator
from typing import Final

from engine.game import CHANCE
from notation import UNDO
from pbem.events.kinds import (
    ChanceDealt,
    MovesMade,
    RoundAwaited,
    SeatResigned,
    SeatSubstituted,
    TurnPlayed,
    TurnUndone,
    VoteAgreed,
    VoteAsked,
    VoteDropped,
    VoteObjected,
)
from pbem.events.payload import SECOND_FORM, Payload
from pbem.tables.table import FORCED, PLAYER, UNDO_RULE
from pbem.verify.finding import RECORD, Finding
from pbem.verify.read_proof import RecordProof

_RULE: Final = "undo"
"""The name, under `proof`, of the rule that a game promised to keep."""


def check_undone(proof: RecordProof) -> Iterator[Finding]:
    """The first turn that was taken back though it could not be."""
    if proof.form != SECOND_FORM:
        return
    promised = proof.opened.promised.get(_RULE)
    if promised is not None and (promised != UNDO_RULE or isinstance(promised, bool)):
        yield Finding(RECORD, proof.recorded[0].line, "event 1 promises a rule about taking back that there is not")
        return
    history = _History(proof.opened.seats)
    for recorded in proof.recorded:
        payload = recorded.event.payload
        wrong = history.check(payload, keeps_rule=promised is not None) if isinstance(payload, TurnUndone) else ""
        if wrong:
            yield Finding(RECORD, recorded.line, f"event {recorded.event.seq} {wrong}")
            return
        history.take(payload)


class _History:
    """What has happened so far, as far as it shows what can be taken back, and what is agreed."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        self._seats = seats
        self._gone = set[str]()
        self._standing: list[MovesMade] = []
        self._last: list[MovesMade] = []
        """The moves of one seat since anybody else did something; they stand."""
        self._asked: tuple[str, int] | None = None
        """Who asks to go back to which turn."""
        self._agreed = set[str]()
        self._free = set[tuple[str, int]]()
        """Who has taken which turn back without asking."""

    def check(self, back: TurnUndone, *, keeps_rule: bool) -> str:
        """What is wrong with a turn taken back, empty if nothing is."""
        if back.kept is not None:
            of_turn = sum(made.turn == back.turn for made in self._standing)
            if not keeps_rule or not 0 < back.kept < of_turn:
                return "keeps moves of a turn that cannot be kept"
        if not keeps_rule or back.by not in self._seats or self._is_agreed(back):
            return ""
        if not self._is_free(back):
            return f"takes back what {back.by} may not take back without asking"
        if (back.by, back.turn) in self._free:
            return f"lets {back.by} take turn {back.turn} back a second time without asking"
        self._free.add((back.by, back.turn))
        return ""

    def _is_agreed(self, back: TurnUndone) -> bool:
        asked = self._asked == (back.by, back.turn) and back.kept is None
        return asked and self._agreed >= {*self._seats} - self._gone

    def _is_free(self, back: TurnUndone) -> bool:
        """Whether all that is taken back are the seat's own moves, and nobody else has done anything since."""
        last = {id(made) for made in self._last}
        gone = self._taken_by(back)
        own = [(made.seat, made.turn) == (back.by, back.turn) and id(made) in last for made in gone]
        # A forced move was nobody's choice: it goes with the moves that led to it.
        return own[:1] == [True] and all(is_own or made.by == FORCED for is_own, made in zip(own, gone, strict=True))

    def _taken_by(self, back: TurnUndone) -> list[MovesMade]:
        """The moves that going back takes: of its own turn all but those that are kept, and all later ones."""
        own = [made for made in self._standing if made.turn == back.turn]
        return own[back.kept or 0 :] + [made for made in self._standing if made.turn > back.turn]

    def take(self, payload: Payload) -> None:
        """Let one more event happen."""
        match payload:
            case TurnPlayed() | ChanceDealt():
                self._play(payload)
            case TurnUndone():
                gone = {id(made) for made in self._taken_by(payload)}
                self._standing = [made for made in self._standing if id(made) not in gone]
                self._last, self._asked = [], None
            case RoundAwaited():
                self._last = []
            case VoteAsked(what=what, by=by, turn=turn) if what == UNDO:
                self._asked, self._agreed = (by, turn), {by}
            case VoteAgreed(what=what, by=by) if what == UNDO:
                self._agreed.add(by)
            case VoteObjected(what=what, by=by) if what == UNDO:
                self._agreed.discard(by)
            case VoteDropped(what=what) if what == UNDO:
                self._asked = None
            case SeatResigned(seat=seat):
                self._gone.add(seat)
            case SeatSubstituted(seat=seat):
                self._gone.discard(seat)
                self._agreed.discard(seat)
                self._last = [made for made in self._last if made.seat != seat]

    def _play(self, made: MovesMade) -> None:
        self._standing.append(made)
        self._asked = None
        if made.seat != CHANCE and made.by == FORCED:
            return
        if made.seat == CHANCE or made.by != PLAYER:
            self._last = []
        elif self._last and self._last[-1].seat != made.seat:
            self._last = [made]
        else:
            self._last.append(made)
