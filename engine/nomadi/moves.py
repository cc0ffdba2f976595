"""The moves of Nomadi: what a player can do, and what chance brings.

Squares are the words of the record (``F12``). Whether a move may be made is for `judge`. What somebody may not know of
a move is None in it.
"""

from dataclasses import dataclass

from engine.game import Seat


@dataclass(frozen=True, slots=True)
class Place:
    """Set one of the own stones into the start zone (NO-P5)."""

    square: str


@dataclass(frozen=True, slots=True)
class Dice:
    """Chance throws the six dice; the values stand in the order thrown (NO-D1)."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """Play one die with a stone of any owner. Naming where a jump bends is optional."""

    die: int
    origin: str
    target: str
    bend: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """The desert card on a square is looked at; who may not know its value reads None (NO-C2)."""

    square: str
    value: int | None


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer the card just looked at to the stone's owner, in words that nobody checks (NO-C3)."""

    words: str = ""


@dataclass(frozen=True, slots=True)
class Take:
    """Accept the card from a square; None when there is but one offer to answer (NO-C4)."""

    square: str | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Decline the card from a square; None when there is but one offer to answer (NO-C4)."""

    square: str | None = None


@dataclass(frozen=True, slots=True)
class End:
    """End the turn, because no die that is left can be played (NO-D3)."""


@dataclass(frozen=True, slots=True)
class Give:
    """Hand coins to another player for a favour, where the table allows deals (NO-V2)."""

    seat: Seat
    coins: int
