"""Cases: what somebody has called the referee about, what was decided, and who was allowed to look.

A case is folded from events like the table that it belongs to. It is never taken back: a ruling that turns out wrong
is followed by another one. How a ruling is made is for `ruling`.
"""

from dataclasses import dataclass, replace
from typing import Final

from engine.game import Seat

DISMISS: Final = "dismiss"
ROLL_BACK: Final = "roll-back"
CORRECT: Final = "correct"
SUBSTITUTE: Final = "substitute"
ADJUDICATE: Final = "adjudicate"


@dataclass(frozen=True, slots=True)
class Decree:
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
    decrees: tuple[Decree, ...] = ()
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


def change(cases: tuple[Case, ...], changed: Case) -> tuple[Case, ...]:
    """The cases, one of them changed."""
    return tuple(changed if case.number == changed.number else case for case in cases)


def attribute(cases: tuple[Case, ...], grown: int) -> tuple[Case, ...]:
    """The cases after an entry of the referee's, or one that followed from it, as the `grown`-th of the record.

    It is the doing of the last ruling, unless something else has happened since.
    """
    for case in cases:
        if case.decrees and case.decrees[-1].last == grown - 1:
            *earlier, last = case.decrees
            return change(cases, replace(case, decrees=(*earlier, replace(last, last=grown))))
    return cases
