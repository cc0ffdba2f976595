"""One table of Nomadi at one moment.

A Position holds raw facts, sets of squares as integers of bits, and is never changed. It holds everything, the
values of cards included; who may know what is for `view`.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.game import Seat

PLACING: Final = "placing"
THROWING: Final = "throwing"
MOVING: Final = "moving"
LOOKING: Final = "looking"
OFFERING: Final = "offering"
ANSWERS: Final = "answers"
"""The third stone is home; offers still open are answered before the score is final (NO-C5)."""
OVER: Final = "over"

NOBODY: Final = -1
"""The holder of a card that is being offered."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What never changes during one game: the table and what its headers say."""

    seats: tuple[Seat, ...]
    each: int
    """Stones of every player."""
    goal: int
    """The sixteen squares of the goal: the printed one, or under the movable oasis."""
    cards: int
    """Where the eighteen desert cards were laid."""
    deals: bool
    hidden_coins: bool


class Made(NamedTuple):
    """A single move of this turn: the die, where the stone stood and stands, a bend if one was named, its owner."""

    die: int
    origin: int
    target: int
    bend: str | None
    owner: int


class Found(NamedTuple):
    """A desert card that was looked at: by whom, with whose stone, and who holds it now.

    A value is None where the record that is replayed does not tell it.
    """

    square: int
    value: int | None
    finder: int
    owner: int
    holder: int
    words: str = ""

    @property
    def is_open(self) -> bool:
        """Whether nobody holds it yet."""
        return self.holder == NOBODY


class Position(NamedTuple):
    """The table now. Players are their places in `ground.seats`."""

    ground: Ground
    phase: str
    turn: int
    who: int
    """The player whose turn it is."""
    stones: tuple[int, ...]
    """The squares of each player's stones."""
    coins: tuple[int, ...]
    """The coins of each player; what is owed to the bank is negative (NO-D6)."""
    cards: int
    """Squares where a card lies face down."""
    dice: tuple[int, ...] = ()
    """The six dice of this turn, as thrown."""
    unplayed: tuple[int, ...] = ()
    """The dice that are left, in the same order."""
    made: tuple[Made, ...] = ()
    """The single moves of this turn."""
    found: tuple[Found, ...] = ()
    """All cards looked at so far, in that order. While an offer is to be made, the last one waits for it."""

    @property
    def caravan(self) -> int:
        """The squares of all stones."""
        return sum(self.stones)

    def owner_at(self, bit: int) -> int:
        """The player whose stone stands on a square, or NOBODY."""
        for who, own in enumerate(self.stones):
            if own & bit:
                return who
        return NOBODY

    def open_offers(self) -> tuple[Found, ...]:
        """The offers that wait for an answer, oldest first; one that is still to be made is not among them."""
        waiting = self.found[:-1] if self.phase == OFFERING else self.found
        return tuple([card for card in waiting if card.is_open])
